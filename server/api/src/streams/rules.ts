import type { ApiError } from '@sightline/contract/errors'
import type { Right } from '@sightline/contract/rights'
import type { TicketUse } from '@sightline/contract/streams'

const rightFor: Readonly<Record<TicketUse, Right>> = {
  live: 'LiveCamera',
  snapshot: 'CameraView',
  playback: 'playback',
  mp4: 'playback',
}

/** The uses that the media plane supports today; others of the contract have no address yet. */
const OPENED: ReadonlySet<TicketUse> = new Set(['live', 'playback'])

/** Why a caller can't get a ticket for that use; undefined if they can. */
export function getTicketDenyReason(
  use: TicketUse,
  span: { from?: number | undefined; till?: number | undefined },
  rights: ReadonlySet<Right>,
): ApiError | undefined {
  if (!rights.has(rightFor[use])) return { error: 'notAuthorized', detail: `${use} needs the right ${rightFor[use]}` }
  if (span.from !== undefined && span.till !== undefined && span.till <= span.from) {
    const field = { field: 'till', message: 'must be later than from' }
    return { error: 'validation', detail: 'till must be later than from', fields: [field] }
  }
  if (!OPENED.has(use)) {
    return { error: 'mediaNotSupported', detail: `tickets for ${use} are not supported yet: use live or playback` }
  }
  return undefined
}

/** The error if a user requests tickets faster than streams can reasonably be opened. */
export const tooManyTickets = (waitMs: number): ApiError => ({
  error: 'tooManyRequests',
  detail: 'too many stream tickets in a short time; try again later',
  retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
})
