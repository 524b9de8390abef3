import { getSnapshot } from '@sightline/contract/cameras'
import { Icon, Skeleton } from '@sightline/kit'
import { drawKeyPicture } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useEffect, useRef, useState } from 'react'

const REFRESH_MS = 30_000
/** What the server sends without decoding; support from whom video is hidden gets a blurred image only. */
const SAMPLE_OR_BLURRED = 'video/mp4, image/jpeg;q=0.1'

interface SnapshotProps {
  cameraId: number
  online: boolean
  /** What a screen reader says of the picture. */
  label: string
  /** How it sits in its place: a tile is filled, a large picture is shown whole. */
  fit?: 'cover' | 'contain'
}

/** The newest picture of a camera. Stays when the next one cannot be had; asks for none while the page is hidden. */
export function Snapshot({ cameraId, online, label, fit = 'cover' }: SnapshotProps) {
  const { client, queries } = useApplication()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [state, setState] = useState<'waiting' | 'drawn' | 'none'>('waiting')
  useEffect(() => {
    if (!online) return undefined
    const leaving = new AbortController()
    const kept = ['cameras', cameraId, 'snapshot']
    const draw = async (picture: Blob) => {
      if (leaving.signal.aborted || canvas.current === null) return
      await drawKeyPicture(canvas.current, picture)
      setState('drawn')
    }
    const refresh = async () => {
      if (document.hidden) return
      try {
        const options = { signal: leaving.signal, headers: { accept: SAMPLE_OR_BLURRED } }
        const picture = await client.blob(getSnapshot, { params: { cameraId } }, options)
        queries.setQueryData(kept, picture)
        await draw(picture)
      } catch {
        // The badge says how the camera is; an old picture is better than none.
        setState((before) => (before === 'drawn' ? before : 'none'))
      }
    }
    // The one that another screen showed is there at once.
    const last = queries.getQueryData<Blob>(kept)
    if (last !== undefined) draw(last).catch(() => undefined)
    void refresh()
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    return () => {
      leaving.abort()
      clearInterval(timer)
    }
  }, [client, queries, cameraId, online])
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        hidden={state !== 'drawn'}
        className={`absolute inset-0 size-full ${fit === 'cover' ? 'object-cover' : 'object-contain'} ${online ? '' : 'opacity-40 grayscale'}`}
      />
      {state === 'drawn' ? null : (
        <span className="absolute inset-0 flex items-center justify-center text-muted">
          {online && state === 'waiting' ? <Skeleton className="size-full rounded-none" /> : null}
          {online && state === 'waiting' ? null : <Icon name={online ? 'camera' : 'offline'} size={32} />}
        </span>
      )}
    </>
  )
}
