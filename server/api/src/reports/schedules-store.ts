import { type ReportSchedule, reportFormat, reportRecurrence, reportType } from '@sightline/contract/reports'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type SessionRow, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A schedule and its owner. */
export interface ScheduleKey {
  readonly accountId: number
  readonly reportScheduleId: number
  readonly userId: number
}

export interface StoredSchedule extends ReportSchedule {
  readonly host: string
  readonly untoldReportId: number | undefined
  readonly nextMs: number
}

export interface NewSchedule extends Pick<ReportSchedule, 'reportScheduleId' | 'type' | 'format' | 'every' | 'at'> {
  readonly accountId: number
  readonly userId: number
  readonly host: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly nextMs: number
}

export async function insertSchedule(tx: Tx, given: NewSchedule): Promise<void> {
  await tx
    .insertInto('report_schedules')
    .values({
      account_id: given.accountId,
      report_schedule_id: given.reportScheduleId,
      user_id: given.userId,
      type: given.type,
      format: given.format,
      every: given.every,
      at_time: given.at,
      host: given.host,
      created_at: instant(given.now),
      next_at: instant(given.nextMs),
    })
    .execute()
}

const ofAccount = (tx: Tx, accountId: number) =>
  tx.selectFrom('report_schedules').selectAll().where('account_id', '=', accountId)

type ScheduleRow = Awaited<ReturnType<ReturnType<typeof ofAccount>['executeTakeFirstOrThrow']>>

export async function listSchedules(tx: Tx, accountId: number): Promise<StoredSchedule[]> {
  return (await ofAccount(tx, accountId).orderBy('report_schedule_id').execute()).map(toSchedule)
}

/** Locked until the transaction ends. */
export async function lockSchedule(tx: Tx, of: Pick<ScheduleKey, 'accountId' | 'reportScheduleId'>) {
  const row = await ofAccount(tx, of.accountId)
    .where('report_schedule_id', '=', of.reportScheduleId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : toSchedule(row)
}

const toSchedule = (row: ScheduleRow): StoredSchedule => ({
  reportScheduleId: row.report_schedule_id,
  type: reportType.parse(row.type),
  format: reportFormat.parse(row.format),
  every: reportRecurrence.parse(row.every),
  at: row.at_time,
  nextAt: toDateTime(row.next_at),
  createdAt: toDateTime(row.created_at),
  host: row.host,
  untoldReportId: row.untold_report_id ?? undefined,
  nextMs: row.next_at,
})

export async function removeSchedule(tx: Tx, of: Pick<ScheduleKey, 'accountId' | 'reportScheduleId'>): Promise<void> {
  await tx
    .deleteFrom('report_schedules')
    .where('account_id', '=', of.accountId)
    .where('report_schedule_id', '=', of.reportScheduleId)
    .execute()
}

/** Due schedules, and those whose report was created but not announced; some hundreds of them. */
export async function dueSchedules(tx: Tx, now: number): Promise<readonly ScheduleKey[]> {
  const { rows } = await sql<{ account_id: number; report_schedule_id: number; user_id: number }>`
    select account_id, report_schedule_id, user_id from due_report_schedules(${instant(now)})`.execute(tx)
  return rows.map((row) => ({
    accountId: row.account_id,
    reportScheduleId: row.report_schedule_id,
    userId: row.user_id,
  }))
}

/** Moves a schedule that is still due at that time to its next run; false if another process did, or if it is gone. */
export async function setNext(
  tx: Tx,
  given: Pick<ScheduleKey, 'accountId' | 'reportScheduleId'> & {
    readonly dueMs: number
    readonly nextMs: number
    readonly untoldReportId?: number
  },
): Promise<boolean> {
  const result = await tx
    .updateTable('report_schedules')
    .set({ untold_report_id: given.untoldReportId ?? null, next_at: instant(given.nextMs) })
    .where('account_id', '=', given.accountId)
    .where('report_schedule_id', '=', given.reportScheduleId)
    .where('next_at', '=', instant(given.dueMs))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Records that the owner was notified about that report. */
export async function markNotified(
  tx: Tx,
  { accountId, reportScheduleId }: ScheduleKey,
  reportId: number,
): Promise<void> {
  await tx
    .updateTable('report_schedules')
    .set({ untold_report_id: null })
    .where('account_id', '=', accountId)
    .where('report_schedule_id', '=', reportScheduleId)
    .where('untold_report_id', '=', reportId)
    .execute()
}

/** A member as with a token, and their email address. */
export type ScheduleOwner = SessionRow & { readonly email: string; readonly reseller_id: number }

/** The owner of the schedule, in their current state. */
export async function loadWanting(
  tx: Tx,
  { accountId, userId }: ScheduleKey,
  now: number,
): Promise<ScheduleOwner | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .innerJoin('resellers as r', 'r.reseller_id', 'u.reseller_id')
    .select(['u.user_id', 'u.account_id', 'u.email', 'u.first_name', 'u.last_name', 'u.language', 'u.blocked'])
    .select(['u.rights as grants', 'u.reseller_id', 'u.all_cameras', 'r.distributor_id', 'r.modules'])
    .select(['a.status as account_status', 'a.user_type', 'a.prevent_edit_user_details'])
    .select(['a.user_self_service_management', 'a.sub_users_barred'])
    .where('u.account_id', '=', accountId)
    .where('u.user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { first_name, last_name, sub_users_barred, ...rest } = row
  return {
    ...rest,
    ...noToken,
    name: `${first_name} ${last_name}`,
    expires_at: now + 1,
    barred: sub_users_barred && row.user_id !== row.account_id,
  }
}

/** There is no sign-in behind a scheduled run. */
const noToken = {
  token_id: 0,
  client_id: 'reportSchedule',
  app_id: 'reportSchedule',
  scopes: ['read', 'write'],
  api_key_id: null,
  allowed_addresses: null,
  provisioning: false,
  visitor: false,
  camera_ids: null,
  zone_ids: null,
  support_staff_id: null,
  support_name: null,
  support_grants: null,
  support_reaches: null,
  helpdesk_expires_at: null,
  helpdesk_show_video: null,
  level: null,
  all_accounts: null,
  account_ids: null,
  accepted_agreements: null,
} as const
