import type { Days } from '@sightline/kit'
import { addDays, dateOf, dayOf } from '../recordings/index.ts'

/** The last days up to and including today, in the account's time zone. */
export function lastDays(days: number, now: number, timeZone: string): Days {
  const till = dateOf(now, timeZone)
  return { from: addDays(till, 1 - days), till }
}

/** The month before the current one. */
export function lastMonth(now: number, timeZone: string): Days {
  const till = addDays(`${dateOf(now, timeZone).slice(0, 7)}-01`, -1)
  return { from: `${till.slice(0, 7)}-01`, till }
}

/** A day from an address, which a person may have edited; empty if it isn't valid. */
export const parseDay = (value: unknown): string =>
  typeof value === 'string' && dayOf(value, 'UTC') !== undefined ? value : ''
