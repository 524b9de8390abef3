import type { Client } from '@sightline/client'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { openCameraView } from './camera-view.ts'
import { openLiveView } from './live-view.ts'
import { streamAddress } from './stream-address.ts'
import { type CameraView, firstState, type PictureView, type ViewOptions, type ViewState } from './view-state.ts'

export interface CameraPictureProps {
  readonly client: Client
  readonly cameraId: number
  readonly use: 'live' | 'playback'
  /** `main` by default; a change opens a new view. */
  readonly stream?: 'main' | 'smallest'
  /** Live: of a main stream, `keysOfMain` decodes key pictures only. `all` by default. */
  readonly pictures?: 'all' | 'keysOfMain'
  /** Playback: start time, milliseconds since 1970. A change opens a new view; `view.seek` does not. */
  readonly time?: number
  /** From 0 (muted) to 1. */
  readonly volume: number
  /** The picture's accessible name. */
  readonly label: string
  readonly className?: string
  /** Receives the open view, to seek and read its state, and undefined after it closes. */
  readonly onView?: (view: CameraView | undefined) => void
}

/** Few browsers need it. */
const findPictureAddress = async (client: Client, cameraId: number): Promise<string | undefined> =>
  await (await import('./picture-address.ts')).pictureAddress(client, cameraId)

/** A camera's picture and nothing else: the screen draws state, controls and spinner. */
export function CameraPicture(props: CameraPictureProps) {
  const { client, cameraId, use, stream = 'main', pictures = 'all', time, volume, label, className, onView } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const opened = useRef<CameraView>(undefined)
  useEffect(() => {
    if (canvas.current === null || video.current === null) return undefined
    const options: ViewOptions = {
      screen: { canvas: canvas.current, video: video.current },
      use,
      stream,
      pictures,
      address: (wanted) => streamAddress(client, { cameraId, ...wanted }),
      ...(time === undefined ? {} : { time }),
    }
    const view =
      use === 'live'
        ? openLiveView({ ...options, pictureAddress: () => findPictureAddress(client, cameraId) })
        : openCameraView(options)
    opened.current = view
    onView?.(view)
    return () => {
      opened.current = undefined
      onView?.(undefined)
      view.close()
    }
  }, [client, cameraId, use, stream, pictures, time, onView])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly opened view starts muted.
  useEffect(() => opened.current?.setVolume(volume), [volume, client, cameraId, use, stream, pictures, time, onView])
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
      {/* Above the video element even while that is used, because this has the picture's accessible name. */}
      <div role="img" aria-label={label} className={className}>
        <canvas ref={canvas} hidden className={className} data-camera-picture="canvas" />
      </div>
    </>
  )
}

const nothingToHear = () => () => undefined

/** A part of a view's state. Renders again when it changes, so `select` should return as little as possible. */
export function useViewState<T extends string | number | boolean | undefined | ViewState['gap']>(
  view: PictureView | undefined,
  select: (state: ViewState) => T,
): T {
  const read = useCallback(() => select(view?.state ?? firstState), [view, select])
  return useSyncExternalStore(view?.subscribe ?? nothingToHear, read)
}
