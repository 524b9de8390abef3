/** The visible range of a timeline. All times are milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly till: number
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The shortest range that fills the width. */
export const SHORTEST = MINUTE

export const spanLength = ({ from, till }: Span): number => till - from

/** CSS pixels from the start of the timeline. */
export const toX = (time: number, span: Span, width: number): number => ((time - span.from) / spanLength(span)) * width

export const toTime = (x: number, span: Span, width: number): number => span.from + (x / width) * spanLength(span)

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

/** Keeps a range inside the day of the timeline. */
export function within(span: Span, day: Span): Span {
  const length = clamp(spanLength(span), SHORTEST, spanLength(day))
  const from = clamp(span.from, day.from, day.till - length)
  return { from, till: from + length }
}

/** Zooms by `factor` (below 1 shows less time). `anchor` stays at its position. */
export function zoom(span: Span, factor: number, anchor: number, day: Span): Span {
  const length = clamp(spanLength(span) * factor, SHORTEST, spanLength(day))
  const share = (anchor - span.from) / spanLength(span)
  const from = anchor - share * length
  return within({ from, till: from + length }, day)
}

/** Zooms by `factor` with `time` in the center: early in a day, the rest of the line would be in the future. */
export function centred(span: Span, factor: number, time: number, day: Span): Span {
  const length = clamp(spanLength(span) * factor, SHORTEST, spanLength(day))
  return within({ from: time - length / 2, till: time + length / 2 }, day)
}

export const pan = (span: Span, byMs: number, day: Span): Span =>
  within({ from: span.from + byMs, till: span.till + byMs }, day)

/** Moves the range, if necessary, so that `time` is inside with a margin. */
export function reveal(span: Span, time: number, day: Span): Span {
  const room = spanLength(span) * 0.1
  if (time >= span.from + room && time <= span.till - room) return span
  const from = time - spanLength(span) / 2
  return within({ from, till: from + spanLength(span) }, day)
}

const STEPS = [
  1000,
  5000,
  10_000,
  30_000,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
]

/** The finest step between labels that leaves at least `room` pixels for each. */
export function labelStep(span: Span, width: number, room: number): number {
  return STEPS.find((step) => (step / spanLength(span)) * width >= room) ?? DAY
}

/** Times of the labels: multiples of the step in local time, so that 3-hour steps are 0:00, 3:00 … there. */
export function ticks(span: Span, step: number, utcOffsetMs: number): number[] {
  const first = Math.ceil((span.from + utcOffsetMs) / step) * step - utcOffsetMs
  const count = Math.max(0, Math.floor((span.till - first) / step) + 1)
  return Array.from({ length: count }, (_, n) => first + n * step)
}
