import { DAY, HOUR, MINUTE, type Span, spanLength } from './span.ts'
import type { ZoneClock } from './zone-clock.ts'

/** How finely footage is read: sums per day or hour, or each stretch with gaps from a minute or a second on. */
export type TileLevel = 'days' | 'hours' | 'minutes' | 'seconds'

export interface LevelRules {
  /** Length of a tile. Tiles start at multiples of it since 1970. */
  readonly tileMs: number
  /** The longest span that is drawn with it. */
  readonly longest: number
  /** Age at which a tile that still grows is read again. */
  readonly freshMs: number
  /** The intervals of a tile, of which a call reads a limited number over all cameras. */
  readonly intervals: number
}

/** From fine to coarse. At a thousand pixels, a pixel is at least a third of a minute, four minutes, and an hour. */
export const levelRules: Readonly<Record<TileLevel, LevelRules>> = {
  seconds: { tileMs: HOUR, longest: 6 * HOUR, freshMs: 5000, intervals: 1 },
  minutes: { tileMs: 12 * HOUR, longest: 4 * DAY, freshMs: 10_000, intervals: 1 },
  hours: { tileMs: 8 * DAY, longest: 45 * DAY, freshMs: MINUTE, intervals: 8 * 24 },
  days: { tileMs: 64 * DAY, longest: Number.POSITIVE_INFINITY, freshMs: 5 * MINUTE, intervals: 64 },
}

const tileLevels = Object.keys(levelRules) as readonly TileLevel[]

/** The level that a span is drawn with. */
export const chooseLevel = (span: Span): TileLevel =>
  tileLevels.find((level) => spanLength(span) <= levelRules[level].longest) ?? 'days'

export const tileSpan = (level: TileLevel, index: number): Span => {
  const { tileMs } = levelRules[level]
  return { from: index * tileMs, till: (index + 1) * tileMs }
}

/** The first and the last tile of a span. */
export function tileRange(level: TileLevel, { from, till }: Span): { readonly first: number; readonly last: number } {
  const { tileMs } = levelRules[level]
  return { first: Math.floor(from / tileMs), last: Math.max(Math.floor(from / tileMs), Math.ceil(till / tileMs) - 1) }
}

/** What the buttons show, from long to short. */
export const viewLevels = ['year', 'month', 'week', 'day', 'hour', 'minute'] as const
export type ViewLevel = (typeof viewLevels)[number]

const lengths: Readonly<Record<ViewLevel, number>> = {
  year: 366 * DAY,
  month: 31 * DAY,
  week: 7 * DAY,
  day: DAY,
  hour: HOUR,
  minute: MINUTE,
}

/** The level whose length is nearest, for the pressed button; undefined between two levels. */
export const nearestViewLevel = (span: Span): ViewLevel | undefined =>
  viewLevels.find((level) => Math.abs(spanLength(span) / lengths[level] - 1) < 0.06)

/**
 * The span of a level around a time: the local day, else that length with the time in the middle. Near the present, the
 * middle is earlier, so that the line doesn't end in an empty future.
 */
export function spanOfLevel(
  level: ViewLevel,
  time: number,
  { clock, now }: { readonly clock: ZoneClock; readonly now: number },
): Span {
  if (level === 'day') {
    const local = Math.floor((time + clock.offsetAt(time)) / DAY) * DAY
    return { from: clock.toTime(local), till: clock.toTime(local + DAY) }
  }
  const length = lengths[level]
  const till = Math.min(time + length / 2, now + length * 0.05)
  return { from: till - length, till }
}
