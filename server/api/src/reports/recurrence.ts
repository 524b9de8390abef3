import type { ReportRecurrence } from '@sightline/contract/reports'
import { MS_PER_DAY, MS_PER_SECOND } from '@sightline/platform/clock'
import { utcOffset } from '../reference-lists/index.ts'
import { addDays } from '../storage-usage/index.ts'
import { today } from '../subscriptions/index.ts'

export interface Recurrence {
  readonly every: ReportRecurrence
  /** `HH:mm` */
  readonly at: string
}

const MONDAY = 1

const isDay: Readonly<Record<ReportRecurrence, (day: string) => boolean>> = {
  day: () => true,
  week: (day) => new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY,
  month: (day) => day.endsWith('-01'),
}

/** The next run after a time, both in milliseconds since 1970, in the time zone. */
export function nextTime({ every, at }: Recurrence, timeZone: string, after: number): number {
  for (let day = today(timeZone, after); ; day = addDays(day, 1)) {
    const moment = momentOf(day, at, timeZone)
    if (isDay[every](day) && moment > after) return moment
  }
}

/** If clocks skip that time, the run is later by the same amount; if it occurs twice, the first one counts. */
function momentOf(day: string, at: string, timeZone: string): number {
  const asUtc = Date.parse(`${day}T${at}:00Z`)
  const offsetAt = (moment: number) => utcOffset(timeZone, moment) * MS_PER_SECOND
  const early = asUtc - Math.max(offsetAt(asUtc - MS_PER_DAY), offsetAt(asUtc + MS_PER_DAY))
  const late = asUtc - Math.min(offsetAt(asUtc - MS_PER_DAY), offsetAt(asUtc + MS_PER_DAY))
  return early + offsetAt(early) === asUtc ? early : late
}

/** The days of a report that is due at that time. */
export function getReportSpan(
  every: ReportRecurrence,
  timeZone: string,
  dueAt: number,
): { from: string; till: string } {
  const till = addDays(today(timeZone, dueAt), -1)
  const from = { day: till, week: addDays(till, -6), month: `${till.slice(0, 8)}01` }[every]
  return { from, till }
}
