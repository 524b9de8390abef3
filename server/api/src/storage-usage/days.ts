import { MS_PER_DAY, MS_PER_SECOND } from '@sightline/platform/clock'
import { utcOffset } from '../reference-lists/index.ts'

/** Consecutive days, each from its start to the start of the next one. */
export interface Days {
  /** `yyyy-mm-dd` */
  readonly names: readonly string[]
  /** Milliseconds since 1970; one more than there are days. */
  readonly bounds: readonly number[]
}

const utcMidnight = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** The `yyyy-mm-dd` this many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(utcMidnight(day) + days * MS_PER_DAY).toISOString().slice(0, 10)

/** Whether the day exists, unlike 31 February; from 1970 on. */
export const isDay = (day: string): boolean => {
  const at = utcMidnight(day)
  return at >= 0 && new Date(at).toISOString().startsWith(day)
}

/** The number of days between both, inclusive; zero or negative if they are in the wrong order. */
export const countDays = (from: string, till: string): number =>
  Math.round((utcMidnight(till) - utcMidnight(from)) / MS_PER_DAY) + 1

/** The days between both, inclusive, with their starts in a time zone. */
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
 * The first moment of a day, which isn't always local midnight: some zones set their clocks forward at midnight, so
 * their day starts at one; others set them back, so the first midnight is followed by the previous evening again.
 */
function startOf(midnight: number, offsetAt: (at: number) => number): number {
  const [before, after] = [offsetAt(midnight - MS_PER_DAY), offsetAt(midnight + MS_PER_DAY)]
  const candidates = [midnight - Math.max(before, after), midnight - Math.min(before, after)] as const
  const [earlier, later] = candidates
  return earlier + offsetAt(earlier) >= midnight ? earlier : later
}
