/** A stretch of time, in milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly till: number
}

interface Parts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

function partsAt(time: number, timeZone: string): Parts {
  const found = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
  return { year, month, day, hour, minute, second }
}

const asUtc = (p: Parts): number => Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second)

/** The zone's offset from UTC at that time, in milliseconds. */
export function utcOffset(time: number, timeZone: string): number {
  const whole = Math.floor(time / 1000) * 1000
  return asUtc(partsAt(whole, timeZone)) - whole
}

/**
 * The time at which clocks of a zone show this. If they show it twice (end of summer time), the first; if never, the
 * time after the jump.
 */
export function localTime(wanted: Parts, timeZone: string): number {
  const guess = asUtc(wanted)
  const candidates = [guess - utcOffset(guess - 86_400_000, timeZone), guess - utcOffset(guess + 86_400_000, timeZone)]
  const fitting = candidates.filter((time) => asUtc(partsAt(time, timeZone)) === guess)
  return fitting.length > 0 ? Math.min(...fitting) : Math.max(...candidates)
}

/** When clocks of a zone show the same once more, because they are set back; undefined if they don't. */
export function repeatedTime(time: number, timeZone: string): number | undefined {
  const setBack = utcOffset(time, timeZone) - utcOffset(time + 86_400_000, timeZone)
  return setBack > 0 && utcOffset(time + setBack, timeZone) < utcOffset(time, timeZone) ? time + setBack : undefined
}

/** The date `2026-11-21` of a time in the zone. */
export function localDate(time: number, timeZone: string): string {
  const { year, month, day } = partsAt(time, timeZone)
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

/** A day in a zone, 23 to 25 hours. `date` is `yyyy-mm-dd`; undefined if it isn't a date. */
export function localDay(date: string, timeZone: string): Span | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)
  if (match === null) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const check = new Date(Date.UTC(year, month - 1, day))
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day) return undefined
  const midnight = { year, month, hour: 0, minute: 0, second: 0 }
  return { from: localTime({ ...midnight, day }, timeZone), till: localTime({ ...midnight, day: day + 1 }, timeZone) }
}

/** A day from an address, which a person may have edited; empty if it isn't valid. */
export const parseDay = (value: unknown): string =>
  typeof value === 'string' && localDay(value, 'UTC') !== undefined ? value : ''

/** The date this many days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Parses a time of day as people type it (`9:05`, `09.05.30`, `0905`, `9`) on a day; undefined if it isn't valid. */
export function parseTimeOfDay(text: string, date: string, timeZone: string): number | undefined {
  const trimmed = text.trim()
  const packed = /^(\d{1,2})(\d\d)(\d\d)?$/.exec(trimmed)
  const split = packed ?? /^(\d{1,2})(?:[:.](\d{1,2}))?(?:[:.](\d{1,2}))?$/.exec(trimmed)
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)
  if (split === null || day === null) return undefined
  const [hour = 0, minute = 0, second = 0] = split.slice(1).map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const [year, month, dayOfMonth] = day.slice(1).map(Number) as [number, number, number]
  return localTime({ year, month, day: dayOfMonth, hour, minute, second }, timeZone)
}

/** `10:31:05` in the zone; without seconds if `short`. */
export function timeOfDay(time: number, timeZone: string, short = false): string {
  const { hour, minute, second } = partsAt(time, timeZone)
  const two = (n: number) => String(n).padStart(2, '0')
  return short ? `${two(hour)}:${two(minute)}` : `${two(hour)}:${two(minute)}:${two(second)}`
}
