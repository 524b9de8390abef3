import type { Client } from '@sightline/client'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type CameraView, openCameraView, type ViewState } from './camera-view.ts'
import { streamAddress } from './stream-address.ts'

const closedState: ViewState = { phase: 'connecting', pictures: 0, rate: 1 }

export interface CameraPictureProps {
  readonly client: Client
  readonly cameraId: number
  readonly use: 'live' | 'playback'
  /** Playback: where to begin, milliseconds since 1970; a change of it opens anew, `view.seek` does not. */
  readonly time?: number
  readonly sound?: boolean
  /** What a screen reader says of the picture. */
  readonly label: string
  readonly className?: string
  /** The view while it is open, to seek and to read its state; undefined after it closed. */
  readonly onView?: (view: CameraView | undefined) => void
}

/** A camera's picture. Draws nothing around it: state, controls and waiting are the screen's. */
export function CameraPicture(props: CameraPictureProps) {
  const { client, cameraId, use, time, sound, label, className, onView } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (canvas.current === null || video.current === null) return undefined
    const view = openCameraView({
      screen: { canvas: canvas.current, video: video.current },
      use,
      address: (wantedUse, wantedTime) => streamAddress(client, { cameraId, use: wantedUse, time: wantedTime }),
      ...(time === undefined ? {} : { time }),
      ...(sound === undefined ? {} : { sound }),
    })
    onView?.(view)
    return () => {
      onView?.(undefined)
      view.close()
    }
  }, [client, cameraId, use, time, sound, onView])
  return (
    <>
      <canvas ref={canvas} hidden className={className} role="img" aria-label={label} data-camera-picture="canvas" />
      <video
        ref={video}
        hidden
        className={className}
        aria-label={label}
        muted={sound !== true}
        playsInline
        disablePictureInPicture
        data-camera-picture="video"
      />
    </>
  )
}

const nothingToHear = () => () => undefined

/** State of a view, for drawing; changes with every picture, so use it in a small component. */
export function useViewState(view: CameraView | undefined): ViewState {
  return useSyncExternalStore(view?.subscribe ?? nothingToHear, () => view?.state ?? closedState)
}
