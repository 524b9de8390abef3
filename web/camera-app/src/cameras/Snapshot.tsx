import { getSnapshot } from '@sightline/contract/cameras'
import { Icon, Skeleton } from '@sightline/kit'
import { afterFirstPictures, concurrencyLimit, drawKeyPicture } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { drawPressedPicture, keepPressedPicture } from './pressed-picture.ts'
import { useIsNear } from './use-is-near.ts'

const REFRESH_MS = 30_000
/** After scrolling back, a picture isn't requested again within this time. */
const FRESH_MS = 5000
/** Formats that the server can send without decoding. If video is hidden, support gets only a blurred JPEG. */
const SAMPLE_OR_BLURRED = 'video/mp4, image/jpeg;q=0.1'

/** Pictures that are fetched and decoded at once. More would slow each other down and delay the user's input. */
const limited = concurrencyLimit(4)

interface SnapshotProps {
  cameraId: number
  online: boolean
  /** No picture is shown, not even the last one. */
  isPrivate?: boolean
  /** The picture's text for screen readers. */
  label: string
  /** How the picture fits: a tile is filled, a large picture is shown whole. */
  fit?: 'cover' | 'contain'
}

/**
 * The latest picture of a camera. It stays if the next one fails. Requests nothing while the page is hidden or the
 * picture is out of view.
 */
export function Snapshot({ cameraId, online, isPrivate = false, label, fit = 'cover' }: SnapshotProps) {
  const place = useRef<HTMLSpanElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const state = useSnapshot({ cameraId, online, isPrivate, place, canvas })
  const isWaiting = online && !isPrivate && state === 'waiting'
  const unseen = isPrivate ? 'eyeOff' : 'offline'
  const icon = online && !isPrivate ? 'camera' : unseen
  return (
    <span
      ref={place}
      className="absolute inset-0 block"
      onPointerDown={() => {
        if (state === 'drawn' && canvas.current !== null) keepPressedPicture(cameraId, canvas.current)
      }}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        hidden={state !== 'drawn'}
        className={`absolute inset-0 size-full ${fit === 'cover' ? 'object-cover' : 'object-contain'} ${online ? '' : 'opacity-40 grayscale'}`}
      />
      {state === 'drawn' ? null : (
        <span className="absolute inset-0 flex items-center justify-center text-muted">
          {isWaiting ? <Skeleton className="size-full rounded-none" /> : <Icon name={icon} size={32} />}
        </span>
      )}
    </span>
  )
}

interface SnapshotPlace {
  readonly cameraId: number
  readonly online: boolean
  readonly isPrivate: boolean
  readonly place: RefObject<HTMLSpanElement | null>
  readonly canvas: RefObject<HTMLCanvasElement | null>
}

function useSnapshot({ cameraId, online, isPrivate, place, canvas }: SnapshotPlace): 'waiting' | 'drawn' | 'none' {
  const { client, queries } = useApplication()
  const isNear = useIsNear(place)
  const hasPressed = useRef(false)
  const [state, setState] = useState<'waiting' | 'drawn' | 'none'>('waiting')
  useEffect(() => {
    if (!isPrivate) return
    queries.removeQueries({ queryKey: ['cameras', cameraId, 'snapshot'] })
    setState('none')
  }, [queries, cameraId, isPrivate])
  useLayoutEffect(() => {
    if (!online || isPrivate || canvas.current === null) return
    hasPressed.current = drawPressedPicture(cameraId, canvas.current)
    if (hasPressed.current) setState('drawn')
  }, [cameraId, online, isPrivate, canvas])
  useEffect(() => {
    if (!online || isPrivate || !isNear) return undefined
    const leaving = new AbortController()
    const kept = ['cameras', cameraId, 'snapshot']
    const draw = async (picture: Blob) => {
      if (leaving.signal.aborted || canvas.current === null || place.current === null) return
      const { clientWidth, clientHeight } = place.current
      const { devicePixelRatio } = window
      const room = { width: clientWidth * devicePixelRatio, height: clientHeight * devicePixelRatio }
      await drawKeyPicture(canvas.current, picture, room)
      setState('drawn')
    }
    const fetchAndDraw = async () => {
      // In place of a live picture that is being opened, the last snapshot is enough.
      await afterFirstPictures()
      if (leaving.signal.aborted) return
      const options = { signal: leaving.signal, headers: { accept: SAMPLE_OR_BLURRED } }
      const picture = await client.blob(getSnapshot, { params: { cameraId } }, options)
      queries.setQueryData(kept, picture)
      await draw(picture)
    }
    const refresh = async () => {
      if (document.hidden) return
      try {
        await limited(fetchAndDraw, leaving.signal)
      } catch {
        // The badge shows the camera's state; an old picture is better than none.
        if (!leaving.signal.aborted) setState((before) => (before === 'drawn' ? before : 'none'))
      }
    }
    // Shows a cached picture immediately, for example from another screen.
    const last = queries.getQueryData<Blob>(kept)
    const drawLast = async (picture: Blob) => {
      if (hasPressed.current) await afterFirstPictures()
      await draw(picture)
    }
    if (last !== undefined) limited(() => drawLast(last), leaving.signal).catch(() => undefined)
    const age = Date.now() - (queries.getQueryState(kept)?.dataUpdatedAt ?? 0)
    if (age >= FRESH_MS) void refresh()
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    return () => {
      leaving.abort()
      clearInterval(timer)
    }
  }, [client, queries, cameraId, online, isPrivate, isNear, place, canvas])
  return state
}
