import { MAX_REPORTS, REPORT_KEPT_DAYS, type Report, reportFormat, reportType } from '@sightline/contract/reports'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** The owner of the reports: an account or a reseller. */
export type ReportOwner = { readonly accountId: number } | { readonly resellerId: number }

/** The organization and, for staff who may manage only some accounts, these accounts. */
export interface Readable {
  readonly of: ReportOwner
  /** Reports about other accounts are hidden; undefined: none are. */
  readonly accountIds: ReadonlySet<number> | undefined
}

const idOf = (of: ReportOwner): number => ('accountId' in of ? of.accountId : of.resellerId)

export interface NewReport
  extends Pick<Report, 'reportId' | 'type' | 'format' | 'from' | 'till' | 'timeZone' | 'rows'> {
  readonly content: Buffer
  readonly accountIds: ReadonlySet<number> | undefined
}

/** Stores a report for a week. Expired ones are deleted, and the oldest if there are too many. */
export async function insertReport(tx: Tx, of: ReportOwner, given: NewReport, now: number): Promise<void> {
  await sql`select drop_old_reports(${instant(now)})`.execute(tx)
  await tx
    .deleteFrom('reports')
    .where('organisation_id', '=', idOf(of))
    .where('report_id', 'in', (query) =>
      query
        .selectFrom('reports')
        .select('report_id')
        .where('organisation_id', '=', idOf(of))
        .orderBy('created_at', 'desc')
        .orderBy('report_id', 'desc')
        .offset(MAX_REPORTS - 1),
    )
    .execute()
  await tx
    .insertInto('reports')
    .values({
      organisation_id: idOf(of),
      report_id: given.reportId,
      account_id: 'accountId' in of ? of.accountId : null,
      reseller_id: 'accountId' in of ? null : of.resellerId,
      type: given.type,
      format: given.format,
      from_day: given.from,
      till_day: given.till,
      time_zone: given.timeZone,
      row_count: given.rows,
      content: given.content,
      account_ids: given.accountIds === undefined ? null : [...given.accountIds],
      created_at: instant(now),
      expires_at: instant(now + REPORT_KEPT_DAYS * MS_PER_DAY),
    })
    .execute()
}

function readable(tx: Tx, { of, accountIds }: Readable, now: number) {
  const query = tx.selectFrom('reports').where('organisation_id', '=', idOf(of)).where('expires_at', '>', instant(now))
  if (accountIds === undefined) return query
  return query.where(sql<boolean>`account_ids <@ ${[...accountIds]}::bigint[]`)
}

const shown = ['report_id', 'reseller_id', 'type', 'format', 'from_day', 'till_day', 'time_zone'] as const
const counted = ['row_count', 'created_at', 'expires_at', 'report_schedule_id'] as const

/** Newest first. */
export async function listReports(tx: Tx, whose: Readable, now: number): Promise<Report[]> {
  const rows = await readable(tx, whose, now)
    .select([...shown, ...counted])
    .orderBy('created_at', 'desc')
    .orderBy('report_id', 'desc')
    .execute()
  return rows.map(toReport)
}

/** Undefined if it doesn't exist or the caller may not read it. */
export async function findReport(
  tx: Tx,
  whose: Readable,
  { reportId, now }: { readonly reportId: number; readonly now: number },
): Promise<Report | undefined> {
  const row = await readable(tx, whose, now)
    .select([...shown, ...counted])
    .where('report_id', '=', reportId)
    .executeTakeFirst()
  return row === undefined ? undefined : toReport(row)
}

export async function loadContent(tx: Tx, of: ReportOwner, reportId: number): Promise<Buffer> {
  const row = await tx
    .selectFrom('reports')
    .select('content')
    .where('organisation_id', '=', idOf(of))
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow()
  return row.content
}

interface ReportRow {
  report_id: number
  reseller_id: number | null
  type: string
  format: string
  from_day: string
  till_day: string
  time_zone: string
  row_count: number
  created_at: number
  expires_at: number
  report_schedule_id: number | null
}

const toReport = (row: ReportRow): Report => ({
  reportId: row.report_id,
  type: reportType.parse(row.type),
  format: reportFormat.parse(row.format),
  from: row.from_day,
  till: row.till_day,
  timeZone: row.time_zone,
  status: 'done',
  rows: row.row_count,
  createdAt: toDateTime(row.created_at),
  expiresAt: toDateTime(row.expires_at),
  url: `${row.reseller_id === null ? '' : `resellers/${row.reseller_id}/`}reports/${row.report_id}/download`,
  reportScheduleId: row.report_schedule_id,
})

/** The name and look on an account's report. */
export const loadAccountReader = (tx: Tx, accountId: number): Promise<{ name: string; theme: unknown }> =>
  tx
    .selectFrom('accounts as a')
    .innerJoin('resellers as r', 'r.reseller_id', 'a.reseller_id')
    .select(['a.name', 'r.theme'])
    .where('a.account_id', '=', accountId)
    .executeTakeFirstOrThrow()

export async function loadTheme(tx: Tx, resellerId: number): Promise<unknown> {
  const row = await tx
    .selectFrom('resellers')
    .select('theme')
    .where('reseller_id', '=', resellerId)
    .executeTakeFirstOrThrow()
  return row.theme
}

/** The schedule that created a report. */
export async function nameSchedule(
  tx: Tx,
  of: { readonly accountId: number; readonly reportId: number; readonly reportScheduleId: number },
): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ report_schedule_id: of.reportScheduleId })
    .where('organisation_id', '=', of.accountId)
    .where('report_id', '=', of.reportId)
    .execute()
}
