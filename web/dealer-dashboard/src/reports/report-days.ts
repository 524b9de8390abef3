import { MAX_REPORT_DAYS, type ReportInput, reportFormat } from '@sightline/contract/reports'
import type { DayRange } from '@sightline/kit'

const MS_PER_DAY = 86_400_000

/** The day that many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10)

/** The day in a time zone, `yyyy-mm-dd`. */
export const localDay = (timeZone: string, now: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)

/** The whole month before that day's month. */
export function previousMonth(today: string): DayRange {
  const till = addDays(`${today.slice(0, 8)}01`, -1)
  return { from: `${till.slice(0, 8)}01`, till }
}

/** The form values of a new report. */
export interface DealerReportValues {
  readonly [field: string]: string
  readonly from: string
  readonly till: string
  readonly format: string
}

/** The error to show below the dates; undefined if they are valid. The date fields themselves report a reversed range. */
export function daysProblem({ from, till }: DayRange, today: string): string | undefined {
  if (from === '' || till === '') return 'Choose a start and end date'
  if (till > today) return "The dates can't be in the future"
  return till >= addDays(from, MAX_REPORT_DAYS) ? 'Choose at most 31 days' : undefined
}

/** The report of a reseller: its accounts with their packages and cameras, day by day. */
export const reportBody = ({ from, till, format }: DealerReportValues): ReportInput => ({
  type: 'billing',
  from,
  till,
  format: reportFormat.parse(format),
})
