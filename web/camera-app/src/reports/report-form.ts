import {
  MAX_REPORT_DAYS,
  type ReportInput,
  reportFormat,
  reportRecurrence,
  reportType,
} from '@sightline/contract/reports'
import { isBackwards } from '@sightline/kit'
import { addDays } from '../recordings/index.ts'

/** What is chosen of a new report. */
export interface ReportValues {
  readonly [field: string]: string
  readonly type: string
  /** Days, `yyyy-mm-dd`, both in it. */
  readonly from: string
  readonly till: string
  readonly format: string
  /** Empty: only this once. */
  readonly every: string
  /** `HH:mm` where the account is. */
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

/** What is wrong with the days, where they are not just backwards. */
function spanProblem({ from, till }: ReportValues, today: string): string | undefined {
  if (from === '' || till === '') return 'Choose the first and the last day'
  if (till > today) return 'Days to come are in no report yet'
  return till > addDays(from, MAX_REPORT_DAYS - 1) ? 'A report holds at most 31 days' : undefined
}

/** The rules of its fields; `today` is the day where the account is. */
export const reportRules = (today: string) => ({
  till: (_: string, all: ReportValues): string | undefined =>
    spanProblem(all, today) ?? (isBackwards(all) ? 'Till must not be before From' : undefined),
  at: (at: string, { every }: ReportValues): string | undefined =>
    every === '' || /^\d\d:\d\d$/.test(at) ? undefined : 'Choose a time of day',
})

/** What the server is asked for. */
export function reportBody({ type, from, till, format, every, at }: ReportValues): ReportInput {
  const given = { type: reportType.parse(type), from, till, format: reportFormat.parse(format) }
  return every === '' ? given : { ...given, schedule: { every: reportRecurrence.parse(every), at } }
}
