import type { ApiError } from '@sightline/contract/errors'
import {
  MAX_PRINTED_ROWS,
  MAX_REPORT_DAYS,
  MAX_REPORT_ROWS,
  type ReportInput,
  type ReportType,
} from '@sightline/contract/reports'
import { countDays, isDay } from '../storage-usage/index.ts'

const notYet: Partial<Readonly<Record<ReportType, string>>> = {
  eventCounts: 'events are not recorded yet',
}

const unsupported = (detail: string): ApiError => ({ error: 'capabilityNotSupported', detail })

/** Why a report of that type can't be created for an account. */
export const accountReportFault = ({ type }: Pick<ReportInput, 'type'>): ApiError | undefined =>
  type === 'billing'
    ? unsupported('billing reports are only available to dealers, for all of their accounts')
    : missingFault(type)

/** The same for the staff of a reseller. */
export const resellerReportFault = ({ type, schedule }: Pick<ReportInput, 'type' | 'schedule'>): ApiError | undefined =>
  missingFault(type) ??
  (type === 'billing'
    ? scheduleFault(schedule)
    : unsupported('this report is only available in the account itself; dealers can create billing reports'))

const scheduleFault = (schedule: ReportInput['schedule']): ApiError | undefined =>
  schedule === undefined ? undefined : unsupported("billing reports can't be scheduled")

function missingFault(type: ReportType): ApiError | undefined {
  const why = notYet[type]
  return why === undefined ? undefined : unsupported(why)
}

/** Why a report over these days can't be created; `today` is in its time zone. */
export function spanFault({ from, till }: Pick<ReportInput, 'from' | 'till'>, today: string): ApiError | undefined {
  for (const [field, day] of Object.entries({ from, till })) {
    if (!isDay(day)) return wrong(field, `${day} is not a valid date`)
    if (day > today) return wrong(field, 'must not be in the future')
  }
  const days = countDays(from, till)
  if (days >= 1 && days <= MAX_REPORT_DAYS) return undefined
  return wrong('till', `must not be before from, nor more than ${MAX_REPORT_DAYS} days after it`)
}

/** `format`, if all rows are included. */
export function rowsFault(rows: number, format?: ReportInput['format']): ApiError | undefined {
  if (rows > MAX_REPORT_ROWS) return wrong('till', `gives more than ${MAX_REPORT_ROWS} rows: choose fewer days`)
  if (format !== 'pdf' || rows <= MAX_PRINTED_ROWS) return undefined
  return wrong(
    'till',
    `gives more than ${MAX_PRINTED_ROWS} rows, the limit of a PDF: choose fewer days or the format csv`,
  )
}

const wrong = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `${field}: ${message}`,
  fields: [{ field, message }],
})
