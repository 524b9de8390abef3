import type { Client } from '@sightline/client'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { type CameraView, openCameraView } from './camera-view.ts'
import { streamAddress } from './stream-address.ts'
import { firstState, type ViewState } from './view-state.ts'

export interface CameraPictureProps {
  readonly client: Client
  readonly cameraId: number
  readonly use: 'live' | 'playback'
  /** Playback: where to begin, milliseconds since 1970; a change of it opens anew, `view.seek` does not. */
  readonly time?: number
  /** From 0, which is mute, to 1. */
  readonly volume: number
  /** What a screen reader says of the picture. */
  readonly label: string
  readonly className?: string
  /** The view while it is open, to seek and to read its state; undefined after it closed. */
  readonly onView?: (view: CameraView | undefined) => void
}

/** A camera's picture. Draws nothing around it: state, controls and waiting are the screen's. */
export function CameraPicture(props: CameraPictureProps) {
  const { client, cameraId, use, time, volume, label, className, onView } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const opened = useRef<CameraView>(undefined)
  useEffect(() => {
    if (canvas.current === null || video.current === null) return undefined
    const view = openCameraView({
      screen: { canvas: canvas.current, video: video.current },
      use,
      address: (wantedUse, wantedTime) => streamAddress(client, { cameraId, use: wantedUse, time: wantedTime }),
      ...(time === undefined ? {} : { time }),
    })
    opened.current = view
    onView?.(view)
    return () => {
      opened.current = undefined
      onView?.(undefined)
      view.close()
    }
  }, [client, cameraId, use, time, onView])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view that was opened anew begins mute.
  useEffect(() => opened.current?.setVolume(volume), [volume, client, cameraId, use, time, onView])
  return (
    <>
      <video
        ref={video}
        className={className}
        aria-hidden="true"
        tabIndex={-1}
        muted
        playsInline
        disablePictureInPicture
        data-camera-picture="video"
      />
      {/* Above the video, also while that one is used: it carries the name of the picture. */}
      <div role="img" aria-label={label} className={className}>
        <canvas ref={canvas} hidden className={className} data-camera-picture="canvas" />
      </div>
    </>
  )
}

const nothingToHear = () => () => undefined

/** Something of a view's state; drawn again when it changes, so let `select` return as little as is needed. */
export function useViewState<T extends string | number | boolean | undefined | ViewState['gap']>(
  view: CameraView | undefined,
  select: (state: ViewState) => T,
): T {
  const read = useCallback(() => select(view?.state ?? firstState), [view, select])
  return useSyncExternalStore(view?.subscribe ?? nothingToHear, read)
}
