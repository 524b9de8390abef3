import type { ApiError } from '@sightline/contract/errors'
import { MOST_REPORT_DAYS, MOST_REPORT_ROWS, type ReportGiven, type ReportType } from '@sightline/contract/reports'
import { countDays, isDay } from '../storage-usage/index.ts'

const notYet: Partial<Readonly<Record<ReportType, string>>> = {
  eventCounts: 'no events are recorded yet, so there is nothing to count',
}

const unsupported = (detail: string): ApiError => ({ error: 'capabilityNotSupported', detail })

/** Why a report of that type is not made for an account, or in that format for anybody. */
export const accountReportFault = ({ type, format }: ReportGiven): ApiError | undefined =>
  type === 'billing'
    ? unsupported('billing is reported to dealers, over all of their accounts')
    : (missingFault(type) ?? formatFault(format))

/** The same for the staff of a reseller. */
export const resellerReportFault = ({ type, format }: ReportGiven): ApiError | undefined =>
  missingFault(type) ??
  (type === 'billing'
    ? formatFault(format)
    : unsupported('what happens inside of an account is reported to its owner only; for dealers there is billing'))

function missingFault(type: ReportType): ApiError | undefined {
  const why = notYet[type]
  return why === undefined ? undefined : unsupported(why)
}

const formatFault = (format: ReportGiven['format']): ApiError | undefined =>
  format === 'pdf' ? unsupported('reports are made as csv or json, not as pdf') : undefined

/** Why there is no report over those days; `today` is the day in its time zone. */
export function spanFault({ from, till }: Pick<ReportGiven, 'from' | 'till'>, today: string): ApiError | undefined {
  for (const [field, day] of Object.entries({ from, till })) {
    if (!isDay(day)) return wrong(field, `there is no day ${day}`)
    if (day > today) return wrong(field, 'must not be in the future')
  }
  const days = countDays(from, till)
  if (days >= 1 && days <= MOST_REPORT_DAYS) return undefined
  return wrong('till', `must not be before from, nor make more than ${MOST_REPORT_DAYS} days`)
}

export const rowsFault = (rows: number): ApiError | undefined =>
  rows > MOST_REPORT_ROWS ? wrong('till', `makes more than ${MOST_REPORT_ROWS} rows: give fewer days`) : undefined

const wrong = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `${field}: ${message}`,
  fields: [{ field, message }],
})
