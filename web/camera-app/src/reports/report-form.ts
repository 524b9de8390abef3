import {
  MAX_REPORT_DAYS,
  type ReportInput,
  reportFormat,
  reportRecurrence,
  reportType,
} from '@sightline/contract/reports'
import { isBackwards } from '@sightline/kit'
import { addDays } from '@sightline/shell/local-day'

/** The values of the form. */
export interface ReportValues {
  readonly [field: string]: string
  readonly type: string
  /** Days, `yyyy-mm-dd`, both included. */
  readonly from: string
  readonly till: string
  readonly format: string
  /** Empty: no schedule. */
  readonly every: string
  /** `HH:mm` in the account's time zone. */
  readonly at: string
}

export const reportFields = ['type', 'from', 'till', 'format'] as const

export const newReport = (days: { readonly from: string; readonly till: string }): ReportValues => ({
  type: 'cameraUptime',
  ...days,
  format: 'pdf',
  every: '',
  at: '07:00',
})

/** The problem with the days, except for a wrong order. */
function spanProblem({ from, till }: ReportValues, today: string): string | undefined {
  if (from === '' || till === '') return 'Choose a start and end date'
  if (till > today) return "The dates can't be in the future"
  return till > addDays(from, MAX_REPORT_DAYS - 1) ? 'Choose at most 31 days' : undefined
}

/** The validation of the fields; `today` is in the account's time zone. */
export const reportRules = (today: string) => ({
  till: (_: string, all: ReportValues): string | undefined =>
    spanProblem(all, today) ?? (isBackwards(all) ? "The end date can't be before the start date" : undefined),
  at: (at: string, { every }: ReportValues): string | undefined =>
    every === '' || /^\d\d:\d\d$/.test(at) ? undefined : 'Choose a time',
})

/** The request to the server. */
export function reportBody({ type, from, till, format, every, at }: ReportValues): ReportInput {
  const given = { type: reportType.parse(type), from, till, format: reportFormat.parse(format) }
  return every === '' ? given : { ...given, schedule: { every: reportRecurrence.parse(every), at } }
}
