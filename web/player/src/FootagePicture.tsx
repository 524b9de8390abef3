import type { Client } from '@sightline/client'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import type { FootageSession, SessionState } from './footage-session.ts'
import type { SessionTrack, TrackState } from './session-track.ts'
import { type StreamAddress, streamAddress } from './stream-address.ts'

export interface FootagePictureProps {
  readonly client: Client
  readonly session: FootageSession
  readonly cameraId: number
  /** `full`: the main stream. `small`: the sub-stream if there is one. `many`: key pictures where there is none. */
  readonly size: 'full' | 'small' | 'many'
  /** From 0 (muted) to 1. */
  readonly volume: number
  /** The picture's accessible name. */
  readonly label: string
  readonly className?: string
  /** Receives the state of the camera's track whenever it changes. */
  readonly onState: (state: TrackState | undefined) => void
}

const wantedOf = {
  full: { stream: 'main', together: 'all' },
  small: { stream: 'smallest', together: 'all' },
  many: { stream: 'smallest', together: 'keysOfMain' },
} as const

/** The picture of a camera at the time of the session's clock, and nothing else. */
export function FootagePicture(props: FootagePictureProps) {
  const { client, session, cameraId, size, volume, label, className, onState } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const opened = useRef<SessionTrack>(undefined)
  useEffect(() => {
    if (canvas.current === null) return undefined
    const wanted = { ...wantedOf[size], use: 'playback' as const, cameraId }
    const track = session.addTrack(cameraId, {
      canvas: canvas.current,
      address: async (time): Promise<string> => {
        const { href }: StreamAddress = await streamAddress(client, { ...wanted, time })
        return href
      },
      onChange: () => onState(track.state),
    })
    opened.current = track
    onState(track.state)
    return () => {
      opened.current = undefined
      session.removeTrack(cameraId, track)
      onState(undefined)
    }
  }, [client, session, cameraId, size, onState])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly opened track starts muted.
  useEffect(() => opened.current?.setVolume(volume), [volume, session, cameraId, size])
  return (
    <div role="img" aria-label={label} className={className}>
      <canvas ref={canvas} className={className} data-camera-picture="footage" data-camera={cameraId} />
    </div>
  )
}

/** A part of what people see of the clock. Renders again when it changes, so `select` should return as little as possible. */
export function useSessionState<T extends string | number | boolean | undefined | SessionState['skipped']>(
  session: FootageSession,
  select: (state: SessionState) => T,
): T {
  const read = useCallback(() => select(session.state), [session, select])
  return useSyncExternalStore(session.subscribe, read)
}
