/** A range of time. All times are milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly till: number
}

export const SECOND = 1000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The shortest and the longest range that fills the width: a second, and a leap year. */
export const SHORTEST = SECOND
export const LONGEST = 366 * DAY

/** Nothing was recorded before, so nobody gets lost there. */
const BEGINNING = Date.UTC(2000, 0, 1)

export const spanLength = ({ from, till }: Span): number => till - from

/** CSS pixels from the start of the timeline. */
export const toX = (time: number, span: Span, width: number): number => ((time - span.from) / spanLength(span)) * width

export const toTime = (x: number, span: Span, width: number): number => span.from + (x / width) * spanLength(span)

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The nearest range that can be shown: not too short or long, and not all of it in the future. */
export function within(span: Span, now: number): Span {
  const length = clamp(spanLength(span), SHORTEST, LONGEST)
  const from = clamp(span.from, BEGINNING, now - length * LEAST_PAST)
  return { from, till: from + length }
}

/** The share of the width that is the past, at least. */
const LEAST_PAST = 0.05

/** Zooms by `factor` (below 1 shows less time). `anchor` stays at its position. */
export function zoom(span: Span, factor: number, anchor: number): Span {
  const length = clamp(spanLength(span) * factor, SHORTEST, LONGEST)
  const share = (anchor - span.from) / spanLength(span)
  const from = anchor - share * length
  return { from, till: from + length }
}

/** Zooms by `factor` with `time` in the center. */
export function centred(span: Span, factor: number, time: number): Span {
  const length = clamp(spanLength(span) * factor, SHORTEST, LONGEST)
  return { from: time - length / 2, till: time + length / 2 }
}

export const pan = ({ from, till }: Span, byMs: number): Span => ({ from: from + byMs, till: till + byMs })

/** Moves the range, if necessary, so that `time` is inside with a margin. */
export function reveal(span: Span, time: number): Span {
  const room = spanLength(span) * 0.1
  if (time >= span.from + room && time <= span.till - room) return span
  return centred(span, 1, time)
}
