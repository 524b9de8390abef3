import type { ApiError } from '@sightline/contract/errors'
import { getMemberDenyReason, type Member, type Right } from '@sightline/contract/rights'
import { MAX_CLIP_HOURS, streamRules, type TicketUse } from '@sightline/contract/streams'

const rightFor: Readonly<Record<TicketUse, Right>> = {
  live: 'LiveCamera',
  snapshot: 'CameraView',
  playback: 'playback',
  mp4: 'playback',
}

/** A member with their effective rights. */
type Watcher = Member & { readonly rights: ReadonlySet<Right> }

interface Span {
  readonly from?: number | undefined
  readonly till?: number | undefined
}

interface Wanted extends Span {
  readonly proof?: object | undefined
}

const MAX_CLIP_MS = MAX_CLIP_HOURS * 3_600_000

const invalid = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `${field} ${message}`,
  fields: [{ field, message }],
})

/** Why a caller can't get a ticket for that use; undefined if they can. */
export function getTicketDenyReason(use: TicketUse, wanted: Wanted, caller: Watcher): ApiError | undefined {
  const span: Span = wanted
  if (!caller.rights.has(rightFor[use])) {
    return { error: 'notAuthorized', detail: `${use} needs the right ${rightFor[use]}` }
  }
  if (use === 'snapshot' && span.from !== undefined && !caller.rights.has('playback')) {
    return { error: 'notAuthorized', detail: 'a snapshot of footage needs the right playback' }
  }
  if (use === 'mp4' && getMemberDenyReason(streamRules.mp4, caller) !== undefined) {
    const isSupport = caller.support !== undefined
    return {
      error: 'notAuthorized',
      detail: isSupport ? "support can't download footage" : 'mp4 needs the right export',
    }
  }
  if (span.from !== undefined && span.till !== undefined && span.till <= span.from) {
    return invalid('till', 'must be later than from')
  }
  if (wanted.proof !== undefined && use !== 'mp4') return invalid('proof', 'is for files only')
  return use === 'mp4' ? getClipFault(span) : undefined
}

function getClipFault({ from, till }: Span): ApiError | undefined {
  if (from === undefined) return invalid('from', 'is needed for a file')
  if (till === undefined) return invalid('till', 'is needed for a file')
  return till - from > MAX_CLIP_MS ? invalid('till', `must be at most ${MAX_CLIP_HOURS} hours after from`) : undefined
}

/** The error if a user requests tickets faster than streams can reasonably be opened. */
export const tooManyTickets = (waitMs: number): ApiError => ({
  error: 'tooManyRequests',
  detail: 'too many stream tickets in a short time; try again later',
  retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
})
