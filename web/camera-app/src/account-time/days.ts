import type { DayRange } from '@sightline/kit'
import { addDays, localDate } from '@sightline/shell/local-day'

/** The last days up to and including today, in the account's time zone. */
export function lastDays(days: number, now: number, timeZone: string): DayRange {
  const till = localDate(now, timeZone)
  return { from: addDays(till, 1 - days), till }
}

/** The month before the current one. */
export function lastMonth(now: number, timeZone: string): DayRange {
  const till = addDays(`${localDate(now, timeZone).slice(0, 7)}-01`, -1)
  return { from: `${till.slice(0, 7)}-01`, till }
}
