/** A time without footage, milliseconds since 1970. */
export interface MissingSpan {
  readonly from: number
  readonly till: number
}

/** Of a copy of footage that leaves out its gaps. Milliseconds since 1970. */
export interface CopyTimes {
  readonly from: number
  readonly till: number
  /** In order. */
  readonly gaps: readonly MissingSpan[]
}

/** Less than a picture lasts. */
const EDGE_MS = 20

/** The time that is shown at so many seconds of the video. */
export function toTime({ from, gaps }: CopyTimes, seconds: number): number {
  let time = from + seconds * 1000
  // Where the video continues after a gap, its time is rounded.
  for (const gap of gaps) if (gap.from <= time + EDGE_MS) time += gap.till - gap.from
  return time
}

/** Where a time is in the video, in seconds; for a time in a gap, where the footage continues. */
export function toSeconds({ from, gaps }: CopyTimes, time: number): number {
  let left = 0
  for (const gap of gaps) left += Math.max(0, Math.min(time, gap.till) - gap.from)
  return Math.max(0, time - from - left) / 1000
}

/**
 * The same as a browser plays it, of a video of so many seconds: if it is longer, it begins earlier, at the key picture before the start.
 * Behind a gap there is none, and the difference is rounding.
 */
export function toPlayed(copy: CopyTimes, seconds: number): CopyTimes {
  const [first] = copy.gaps
  if (first !== undefined && first.from <= copy.from) return copy
  return { ...copy, from: copy.from - Math.max(0, seconds - copySeconds(copy)) * 1000 }
}

/** How long the video is, if these are all of its gaps. */
export const copySeconds = ({ from, till, gaps }: CopyTimes): number =>
  (till - from - gaps.reduce((sum, gap) => sum + gap.till - gap.from, 0)) / 1000
