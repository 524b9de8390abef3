import { getRecordedPicture } from '@sightline/contract/recording-list'
import { drawKeyPicture } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useEffect, useRef, useState } from 'react'

/** A pointer that rests so long asks for the picture. */
const REST_MS = 120
const WIDTH = 192
const HEIGHT = 108
const MOST_KEPT = 60
/** The server sends key pictures without decoding. */
const SAMPLE = 'video/mp4'

/** Small drawn pictures by camera and time, in the order of their use. */
const kept = new Map<string, HTMLCanvasElement>()

function keep(key: string, picture: HTMLCanvasElement): void {
  kept.delete(key)
  kept.set(key, picture)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}

/** The picture of a recorded moment, once the pointer rests there. The one before stays until it arrives. */
export function HoverPicture({ cameraId, time }: { cameraId: number; time: number }) {
  const { client } = useApplication()
  const place = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState<string>()
  const key = `${cameraId}/${time}`
  useEffect(() => {
    const show = (picture: HTMLCanvasElement) => {
      place.current?.replaceChildren(picture)
      setShown(key)
    }
    const known = kept.get(key)
    if (known !== undefined) {
      keep(key, known)
      show(known)
      return undefined
    }
    const leaving = new AbortController()
    const fetchAndShow = async () => {
      const query = { time: new Date(time).toISOString(), width: String(WIDTH * 2) }
      const options = { signal: leaving.signal, headers: { accept: SAMPLE } }
      const blob = await client.blob(getRecordedPicture, { params: { cameraId }, query }, options)
      const picture = document.createElement('canvas')
      picture.className = 'size-full object-contain'
      const { devicePixelRatio } = window
      await drawKeyPicture(picture, blob, { width: WIDTH * devicePixelRatio, height: HEIGHT * devicePixelRatio })
      keep(key, picture)
      if (!leaving.signal.aborted) show(picture)
    }
    const timer = setTimeout(() => {
      fetchAndShow().catch(() => {
        // The time alone is shown, as where nothing was recorded.
        if (!leaving.signal.aborted) setShown(undefined)
      })
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [client, cameraId, time, key])
  return (
    <span
      ref={place}
      data-thumbnail={shown}
      className={`h-27 w-48 bg-black ${shown === undefined ? 'hidden' : 'block'} ${shown === key ? '' : 'opacity-60'}`}
    />
  )
}
