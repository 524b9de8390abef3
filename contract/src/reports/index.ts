import * as z from 'zod/mini'
import { ofReseller, organisationIdText, resellerParams } from '../resellers/index.ts'
import { date } from '../subscriptions/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** Kinds of reports (api.md §20). */
export const reportTypes = ['cameraUptime', 'storageUsage', 'userActivity', 'eventCounts', 'billing'] as const
export const reportType = z.enum(reportTypes)
export type ReportType = z.infer<typeof reportType>

export const reportFormat = z.enum(['csv', 'json', 'pdf'])

/** Maximum days of a report, because it is created while the caller waits. */
export const MAX_REPORT_DAYS = 31
export const MAX_REPORT_ROWS = 20_000
/** Maximum days of a PDF, which is laid out page by page. */
export const MAX_PRINTED_ROWS = 4000
/** Days that a report is kept. */
export const REPORT_KEPT_DAYS = 7
/** Per account or reseller; a new report replaces the oldest. */
export const MAX_REPORTS = 20

/** Per account. */
export const MAX_REPORT_SCHEDULES = 5

/**
 * How often a scheduled report runs: for the previous day, the previous seven days (on Mondays), or the previous month
 * (on the first).
 */
export const reportRecurrence = z.enum(['day', 'week', 'month'])
export type ReportRecurrence = z.infer<typeof reportRecurrence>
const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

export const report = z.object({
  reportId: id,
  type: reportType,
  format: reportFormat,
  from: date,
  /** The last day, included. */
  till: date,
  /** The time zone of the days: the account's or the reseller's. */
  timeZone: z.string(),
  /** Created while the caller waited. */
  status: z.literal('done'),
  rows: z.int(),
  createdAt: dateTime,
  /** When it is deleted. */
  expiresAt: dateTime,
  /** The address of the file, below the version; it needs a token, like all calls. */
  url: z.string(),
  /** The schedule that created it, or that was created with it. */
  reportScheduleId: z.nullable(id),
})
export type Report = z.infer<typeof report>

export const reportInput = z.object({
  type: reportType,
  from: date,
  till: date,
  format: z._default(reportFormat, 'csv'),
  /**
   * Also creates a schedule, which sends the caller an email with a link each time. `at` is in the account's time zone.
   */
  schedule: z.optional(z.object({ every: reportRecurrence, at: timeOfDay })),
})
export type ReportInput = z.infer<typeof reportInput>

export const reportSchedule = z.object({
  reportScheduleId: id,
  type: reportType,
  format: reportFormat,
  every: reportRecurrence,
  /** `HH:mm` in the account's time zone. */
  at: timeOfDay,
  nextAt: dateTime,
  createdAt: dateTime,
})
export type ReportSchedule = z.infer<typeof reportSchedule>

const reportList = { key: 'reportId', sort: ['createdAt', 'reportId', 'type'], defaultLimit: 'all' } as const
const files: string[] = ['text/csv', 'application/json', 'application/pdf']
const ownReport = { params: z.object({ reportId: idText }), ids: { 'params.reportId': 'report' } } as const
/** They contain what people did. */
const owners = { access: 'tenant', superUserOnly: true, support: 'no', visitor: 'no' } as const
const dealers = {
  access: 'object',
  callers: 'staff',
  permission: 'viewInsights',
  module: 'reports',
  support: 'no',
} as const
const dealersReport = {
  params: z.object({ resellerId: organisationIdText, reportId: idText }),
  ids: { ...ofReseller, 'params.reportId': 'report' },
} as const

export const getReports = route({
  name: 'getReports',
  summary: 'List the reports of the account from the last seven days',
  method: 'GET',
  path: 'reports',
  ...owners,
  reply: z.array(report),
  list: reportList,
  errors: [],
})

export const addReport = route({
  name: 'addReport',
  summary: 'Create a report of up to 31 days as CSV, JSON or PDF: camera uptime, storage or user activity',
  method: 'POST',
  path: 'reports',
  ...owners,
  body: reportInput,
  reply: report,
  status: 201,
  created: 'reports/{reportId}',
  errors: ['validation', 'capabilityNotSupported', 'businessRule', 'timedOut'],
})

export const getReportSchedules = route({
  name: 'getReportSchedules',
  summary: 'List the report schedules of the account with their next run',
  method: 'GET',
  path: 'reportSchedules',
  ...owners,
  reply: z.array(reportSchedule),
  list: { key: 'reportScheduleId', sort: ['reportScheduleId', 'nextAt', 'createdAt'], defaultLimit: 'all' },
  errors: [],
})

export const deleteReportSchedule = route({
  name: 'deleteReportSchedule',
  summary: 'Delete a report schedule; its reports remain for seven days',
  method: 'DELETE',
  path: 'reportSchedules/{reportScheduleId}',
  ...owners,
  access: 'object',
  params: z.object({ reportScheduleId: idText }),
  ids: { 'params.reportScheduleId': 'reportSchedule' },
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})

export const getReport = route({
  name: 'getReport',
  summary: 'Get a report of the account',
  method: 'GET',
  path: 'reports/{reportId}',
  ...owners,
  access: 'object',
  ...ownReport,
  reply: report,
  errors: ['notFound'],
})

export const getReportFile = route({
  name: 'getReportFile',
  summary: 'Download the file of a report',
  method: 'GET',
  path: 'reports/{reportId}/download',
  ...owners,
  access: 'object',
  ...ownReport,
  media: files,
  reply: z.unknown(),
  errors: ['notFound'],
})

export const getResellerReports = route({
  name: 'getResellerReports',
  summary: 'List the reports of a reseller from the last seven days, for accounts the caller can access',
  method: 'GET',
  path: 'resellers/{resellerId}/reports',
  ...dealers,
  ids: ofReseller,
  params: resellerParams,
  reply: z.array(report),
  list: reportList,
  errors: ['notFound'],
})

export const addResellerReport = route({
  name: 'addResellerReport',
  summary: 'Create a report of up to 31 days as CSV, JSON or PDF: accounts with their packages and cameras per day',
  method: 'POST',
  path: 'resellers/{resellerId}/reports',
  ...dealers,
  ids: ofReseller,
  params: resellerParams,
  body: reportInput,
  reply: report,
  status: 201,
  created: 'resellers/{resellerId}/reports/{reportId}',
  errors: ['validation', 'notFound', 'capabilityNotSupported', 'timedOut'],
})

export const getResellerReport = route({
  name: 'getResellerReport',
  summary: 'Get a report of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/reports/{reportId}',
  ...dealers,
  ...dealersReport,
  reply: report,
  errors: ['notFound'],
})

export const getResellerReportFile = route({
  name: 'getResellerReportFile',
  summary: 'Download the file of a reseller’s report',
  method: 'GET',
  path: 'resellers/{resellerId}/reports/{reportId}/download',
  ...dealers,
  ...dealersReport,
  media: files,
  reply: z.unknown(),
  errors: ['notFound'],
})
