import type { Days } from '@sightline/kit'
import { addDays, dateOf, dayOf } from '../recordings/index.ts'

/** So many days up to today, today among them, as clocks of the account show it. */
export function lastDays(days: number, now: number, timeZone: string): Days {
  const till = dateOf(now, timeZone)
  return { from: addDays(till, 1 - days), till }
}

/** The month before that of today. */
export function lastMonth(now: number, timeZone: string): Days {
  const till = addDays(`${dateOf(now, timeZone).slice(0, 7)}-01`, -1)
  return { from: `${till.slice(0, 7)}-01`, till }
}

/** A day that an address holds, which a person may have changed; empty where it is none. */
export const dayIn = (value: unknown): string =>
  typeof value === 'string' && dayOf(value, 'UTC') !== undefined ? value : ''
