import type { Client } from '@sightline/client'
import { useCallback, useEffect, useRef } from 'react'
import { CameraPicture } from './CameraPicture.tsx'
import type { TileSize } from './decoder-budget.ts'
import type { FootagePlayer } from './footage-player.ts'
import { FootageSession } from './footage-session.ts'
import { ForwardFootage } from './forward-footage.ts'
import type { SessionTrack } from './session-track.ts'
import { streamAddress } from './stream-address.ts'
import type { CameraView, PictureView } from './view-state.ts'

interface PictureProps {
  readonly client: Client
  readonly cameraId: number
  readonly size: TileSize
  /** From 0 (muted) to 1. */
  readonly volume: number
  /** The picture's accessible name. */
  readonly label: string
  readonly className?: string
  /** Receives the open picture, to read its state, and undefined after it closes. */
  readonly onView: (view: PictureView | undefined) => void
}

export interface FootagePictureProps extends PictureProps {
  readonly player: FootagePlayer
}

const wantedOf = {
  full: { stream: 'main', together: 'all' },
  small: { stream: 'smallest', together: 'all' },
  many: { stream: 'smallest', together: 'keysOfMain' },
} as const

/** The recorded picture of a camera at the time of the player, and nothing else. */
export function FootagePicture({ player, ...props }: FootagePictureProps) {
  if (player instanceof FootageSession) return <SessionPicture {...props} session={player} />
  return player instanceof ForwardFootage ? <ForwardPicture {...props} footage={player} /> : null
}

function SessionPicture(props: PictureProps & { session: FootageSession }) {
  const { client, session, cameraId, size, volume, label, className, onView } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const opened = useRef<SessionTrack>(undefined)
  useEffect(() => {
    if (canvas.current === null) return undefined
    const track = session.addTrack(cameraId, {
      canvas: canvas.current,
      address: (time, stream) => {
        const wanted = wantedOf[stream === 'chosen' ? size : 'small']
        return streamAddress(client, { ...wanted, use: 'playback', cameraId, time })
      },
    })
    opened.current = track
    onView(track)
    return () => {
      opened.current = undefined
      onView(undefined)
      session.removeTrack(cameraId, track)
    }
  }, [client, session, cameraId, size, onView])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly opened track starts muted.
  useEffect(() => opened.current?.setVolume(volume), [volume, client, session, cameraId, size, onView])
  return (
    <div role="img" aria-label={label} className={className}>
      <canvas ref={canvas} className={className} data-camera-picture="footage" data-camera={cameraId} />
    </div>
  )
}

function ForwardPicture({ footage, onView, size: _, ...props }: PictureProps & { footage: ForwardFootage }) {
  const attach = useCallback(
    (view: CameraView | undefined) => {
      footage.attach(view)
      onView(view)
    },
    [footage, onView],
  )
  // Later times are seeks.
  const { current: time } = useRef(footage.state.time)
  return <CameraPicture {...props} use="playback" time={time} onView={attach} />
}
