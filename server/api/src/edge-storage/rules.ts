import type { DeviceJob } from '@sightline/contract/device-jobs'
import type { EdgeStorage } from '@sightline/contract/edge-storage'
import type { CameraCard } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'

/** How long a card is reported as formatted. */
const FORMATTED_MS = 10 * 60_000
/** A card that isn't formatted by then has failed. */
export const FORMAT_MS = 30 * 60_000

/** The last job that formatted a card. */
export interface FormatJob extends Pick<DeviceJob, 'state'> {
  readonly storageId: number
  /** Milliseconds since 1970; null until it ends. */
  readonly endedAt: number | null
}

/** What the camera says of its cards, with what is known of their formatting. */
export const toEdgeStorage = (cards: readonly CameraCard[], last: FormatJob | undefined, now: number): EdgeStorage[] =>
  cards.map((card) => ({
    ...card,
    state: card.edgeStorageId === last?.storageId ? stateOf(card, last, now) : card.state,
    recordedFrom: card.recordedFrom === null ? null : toDateTime(card.recordedFrom),
    recordedUntil: card.recordedUntil === null ? null : toDateTime(card.recordedUntil),
  }))

function stateOf({ state }: CameraCard, { state: job, endedAt }: FormatJob, now: number): EdgeStorage['state'] {
  if (job === 'queued' || job === 'running') return 'formatting'
  const isFresh = job === 'done' && endedAt !== null && now - endedAt < FORMATTED_MS
  return state === 'ok' && isFresh ? 'formatted' : state
}
