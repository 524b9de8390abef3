import { getPresentationTime, type TrackConfig } from '../frame/index.ts'
import type { Hub } from '../hub/index.ts'

/** What there is to see, before a viewer is answered. */
export interface StreamLook {
  /** None if the camera is away, or doesn't say in time. */
  readonly tracks: readonly TrackConfig[]
  /** Whether pictures of the running group are shown in another order than they are sent. */
  readonly isReordered: boolean
}

const TRACKS_WITHIN_MS = 10_000
const MAX_QUEUED_BYTES = 32 * 1024 * 1024

export async function lookAtStream(hub: Hub, signal: AbortSignal): Promise<StreamLook> {
  await using reader = hub.join({ maxQueuedBytes: MAX_QUEUED_BYTES, start: 'running-gop' })
  const left = () => reader.leave()
  const waiting = setTimeout(left, TRACKS_WITHIN_MS)
  signal.addEventListener('abort', left, { once: true })
  try {
    let message = await reader.next()
    while (message !== undefined && message.kind !== 'tracks') message = await reader.next()
    let isReordered = false
    for (let next = reader.take(); next !== undefined; next = reader.take())
      if (next.kind === 'unit' && getPresentationTime(next.unit) !== next.unit.time) isReordered = true
    return { tracks: message?.tracks ?? [], isReordered }
  } finally {
    clearTimeout(waiting)
    signal.removeEventListener('abort', left)
  }
}
