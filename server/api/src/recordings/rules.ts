import { type EndReason, endReason, type RecordingTimeline } from '@sightline/contract/recordings'
import { toDateTime } from '@sightline/contract/wire'

/** A stretch of footage as stored in the database, times in milliseconds since 1970. */
export interface StoredRunSlice {
  readonly start: number
  readonly end: number
  readonly isOpen: boolean
  readonly type: 'continuous' | 'event'
  readonly storage: 'cloud' | 'edge'
  readonly origin: 'camera' | 'card'
  readonly locked: boolean
  readonly endReason: string | null
}

/** Slices of one run touch to the millisecond; one frame of slack covers rounding of tick times. */
export const JOIN_SLACK_MS = 100

export interface TimelineQuestion {
  readonly from: number
  readonly till: number
  /** Shorter gaps are shown as footage, in milliseconds. */
  readonly resolutionMs: number
  readonly now: number
  readonly before: { readonly end: number; readonly endReason: string | null } | undefined
}

export const knownReason = (text: string | null): EndReason => {
  const known = endReason.safeParse(text ?? 'unknown')
  return known.success ? known.data : 'unknown'
}

/** Times in milliseconds since 1970. */
export interface Lock {
  readonly start: number
  readonly end: number
}

/** Cuts a stretch where locks begin and end; `locks` oldest first. What has no duration is never locked. */
export function cutAtLocks<Stretch extends Lock>(
  stretch: Stretch,
  locks: readonly Lock[],
): readonly (Stretch & { readonly locked: boolean })[] {
  const pieces: (Stretch & { readonly locked: boolean })[] = []
  let from = stretch.start
  for (const lock of locks) {
    const [start, end] = [Math.max(lock.start, from), Math.min(lock.end, stretch.end)]
    if (start >= end) continue
    if (start > from) pieces.push({ ...stretch, start: from, end: start, locked: false })
    pieces.push({ ...stretch, start, end, locked: true })
    from = end
  }
  if (from < stretch.end || pieces.length === 0) pieces.push({ ...stretch, start: from, locked: false })
  return pieces
}

const alike = (a: StoredRunSlice, b: StoredRunSlice) =>
  a.type === b.type && a.storage === b.storage && a.origin === b.origin && a.locked === b.locked

/** Joins consecutive slices without a visible gap. */
export function joinSlices(slices: readonly StoredRunSlice[], slackMs: number): StoredRunSlice[] {
  const joined: StoredRunSlice[] = []
  for (const slice of slices) {
    const last = joined.at(-1)
    if (last !== undefined && alike(last, slice) && slice.start - last.end <= slackMs) {
      const later = slice.end >= last.end ? slice : last
      joined[joined.length - 1] = { ...last, end: later.end, isOpen: later.isOpen, endReason: later.endReason }
    } else {
      joined.push(slice)
    }
  }
  return joined
}

/** Footage and gaps between `from` and `till`; the future is neither. Every gap has a cause. */
export function toTimeline(
  slices: readonly StoredRunSlice[],
  question: TimelineQuestion,
): Pick<RecordingTimeline, 'segments' | 'gaps'> {
  const { from, till, now } = question
  const joined = joinSlices(slices, Math.max(JOIN_SLACK_MS, question.resolutionMs))
  const end = Math.min(till, now)
  const gaps: { start: number; end: number; reason: EndReason }[] = []
  const addGap = (gap: (typeof gaps)[number]) => {
    const last = gaps.at(-1)
    if (last?.end === gap.start && last.reason === gap.reason) last.end = gap.end
    else gaps.push(gap)
  }
  let covered = from
  let reason = question.before === undefined ? undefined : knownReason(question.before.endReason)
  for (const slice of joined) {
    // Nothing is missing before the first footage, so it isn't a gap.
    if (slice.start > covered + (covered === from ? 0 : JOIN_SLACK_MS) && reason !== undefined)
      addGap({ start: covered, end: slice.start, reason })
    // Of two that overlap, the one that ends last says why nothing follows.
    if (reason === undefined || slice.end >= covered) reason = knownReason(slice.endReason)
    covered = Math.max(covered, slice.end)
  }
  const last = joined.at(-1)
  // Footage of an open run that is still in memory isn't missing.
  if (reason !== undefined && end > covered && last?.isOpen !== true) addGap({ start: covered, end, reason })
  return {
    segments: joined
      // A slice without duration contains no footage, only the cause of the gap after it.
      .filter((slice) => slice.end > slice.start)
      .map((slice) => ({
        start: toDateTime(Math.max(slice.start, from)),
        end: toDateTime(Math.min(slice.end, till)),
        type: slice.type,
        storage: slice.storage,
        origin: slice.origin,
        locked: slice.locked,
      })),
    gaps: gaps.map((gap) => ({ start: toDateTime(gap.start), end: toDateTime(gap.end), reason: gap.reason })),
  }
}
