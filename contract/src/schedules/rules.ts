/** The days of a schedule, in order. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/**
 * A span of time on some days of the week, in the zone's time. `to` before or equal to `from` means the next day;
 * `24:00` is the end of the day.
 */
export interface WeeklySpan {
  readonly days: readonly Weekday[]
  /** `HH:mm` */
  readonly from: string
  readonly to: string
}

const MINUTES_PER_DAY = 24 * 60
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Minutes since midnight; undefined for anything but `HH:mm` and `24:00`. */
export function parseTimeOfDay(text: string): number | undefined {
  if (text === '24:00') return MINUTES_PER_DAY
  const match = TIME.exec(text)
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2])
}

interface Interval {
  /** Minutes since Monday 00:00. */
  readonly start: number
  readonly end: number
}

/** The span on each of its days; one that passes Sunday's end continues beyond the week. */
function intervalsOf({ days, from, to }: WeeklySpan): readonly Interval[] {
  const [begin = 0, till = 0] = [parseTimeOfDay(from), parseTimeOfDay(to)]
  const length = till > begin ? till - begin : till - begin + MINUTES_PER_DAY
  return days.map((day) => {
    const start = weekdays.indexOf(day) * MINUTES_PER_DAY + begin
    return { start, end: start + length }
  })
}

/** Whether two spans of a list cover the same minute. */
export function hasOverlap(spans: readonly WeeklySpan[]): boolean {
  const intervals = spans.flatMap(intervalsOf).toSorted((a, b) => a.start - b.start)
  const [first] = intervals
  return intervals.some(({ end }, at) => {
    const next = intervals[at + 1]?.start ?? (first === undefined ? end : first.start + MINUTES_PER_WEEK)
    return end > next
  })
}

/** A minute of the week as the clock of a time zone shows it. */
export interface LocalMinute {
  readonly weekday: Weekday
  /** Since midnight. */
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * What the clock in a time zone shows. Where an hour occurs twice, both count; where one is missing, the clock shows the
 * minute after it.
 *
 * @param at milliseconds since 1970
 */
export function toLocalMinute(at: number, timeZone: string): LocalMinute {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = parts.get('weekday')?.toLowerCase()
  return {
    weekday: weekdays.find((each) => each === day) ?? 'mon',
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}

/** The span that covers the minute, if any. */
export function findSpan<Span extends WeeklySpan>(
  spans: readonly Span[],
  { weekday, minute }: LocalMinute,
): Span | undefined {
  const at = weekdays.indexOf(weekday) * MINUTES_PER_DAY + minute
  const covers = ({ start, end }: Interval) =>
    (at >= start && at < end) || (at + MINUTES_PER_WEEK >= start && at + MINUTES_PER_WEEK < end)
  return spans.find((span) => intervalsOf(span).some(covers))
}
