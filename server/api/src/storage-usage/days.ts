import { MS_PER_DAY, MS_PER_SECOND } from '@sightline/platform/clock'
import { utcOffset } from '../reference-lists/index.ts'

/** Days one after another, each from its bound up to the next one. */
export interface Days {
  /** `yyyy-mm-dd` */
  readonly names: readonly string[]
  /** Milliseconds since 1970; one more than there are days. */
  readonly bounds: readonly number[]
}

const utcMidnight = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** `yyyy-mm-dd`, so many days after another. */
export const addDays = (day: string, days: number): string =>
  new Date(utcMidnight(day) + days * MS_PER_DAY).toISOString().slice(0, 10)

/** Whether the calendar has such a day, as it has no 31 February; from 1970 on. */
export const isDay = (day: string): boolean => {
  const at = utcMidnight(day)
  return at >= 0 && new Date(at).toISOString().startsWith(day)
}

/** How many days from one to the other, both in it; none or fewer where they are the wrong way round. */
export const countDays = (from: string, till: string): number =>
  Math.round((utcMidnight(till) - utcMidnight(from)) / MS_PER_DAY) + 1

/** The days from one to the other, both in it, as they begin in a time zone. */
export function listDays(timeZone: string, from: string, till: string): Days {
  const names = Array.from({ length: countDays(from, till) }, (_, index) => addDays(from, index))
  const offsets = new Map<number, number>()
  const offsetAt = (at: number): number => {
    const offset = offsets.get(at) ?? utcOffset(timeZone, at) * MS_PER_SECOND
    offsets.set(at, offset)
    return offset
  }
  return { names, bounds: [...names, addDays(till, 1)].map((day) => startOf(utcMidnight(day), offsetAt)) }
}

/**
 * The first moment of a day, which is not always a local midnight: some zones put their clocks forward at midnight, and
 * their day begins at one; others put them back, and what is midnight at first is the evening before once more.
 */
function startOf(midnight: number, offsetAt: (at: number) => number): number {
  const [before, after] = [offsetAt(midnight - MS_PER_DAY), offsetAt(midnight + MS_PER_DAY)]
  const candidates = [midnight - Math.max(before, after), midnight - Math.min(before, after)] as const
  const [earlier, later] = candidates
  return earlier + offsetAt(earlier) >= midnight ? earlier : later
}
