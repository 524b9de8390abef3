import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'
import type { Slice } from './rules.ts'

interface Key {
  readonly accountId: number
  readonly userId: number
}

const at = (ms: number | null): string | null => (ms === null ? null : toDateTime(ms))

export async function loadProfile(tx: Tx, { accountId, userId }: Key) {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    userId: row.user_id,
    accountId: row.account_id,
    isOwner: row.user_id === row.account_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    secondaryPhone: row.secondary_phone,
    companyName: row.company_name,
    address: row.address,
    city: row.city,
    region: row.region,
    postalCode: row.postal_code,
    country: row.country,
    language: row.language,
    twoFactor: row.mfa_enabled,
    createdAt: at(row.created_at),
    lastSignInAt: at(row.last_login_at),
    deletionRequestedAt: at(row.deletion_requested_at),
    deletesAt: at(row.deletes_at),
  }
}

/** The whole account for its owner; name and time zone for other users. */
export async function loadAccount(tx: Tx, { accountId, userId }: Key) {
  const row = await tx.selectFrom('accounts').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow()
  const known = { accountId: row.account_id, name: row.name, timeZone: row.time_zone }
  if (userId !== accountId) return known
  return {
    ...known,
    resellerId: row.reseller_id,
    status: row.status,
    userType: row.user_type,
    language: row.language,
    contactDetails: row.contact_details,
    supportAccess: { until: at(row.helpdesk_expires_at), withVideo: row.helpdesk_show_video },
    createdAt: at(row.created_at),
  }
}

export async function loadSubscription(tx: Tx, accountId: number) {
  const row = await tx
    .selectFrom('subscriptions as s')
    .innerJoin('subscription_packages as p', (on) =>
      on
        .onRef('p.reseller_id', '=', 's.reseller_id')
        .onRef('p.subscription_package_id', '=', 's.subscription_package_id'),
    )
    .select(['p.name', 's.start_date', 's.end_date', 's.next_subscription_package_id'])
    .where('s.account_id', '=', accountId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    name: row.name,
    startDate: row.start_date,
    endDate: row.end_date,
    goesOn: row.next_subscription_package_id !== -1,
  }
}

export async function loadUsers(tx: Tx, accountId: number) {
  const rows = await tx
    .selectFrom('users')
    .select(['user_id', 'email', 'first_name', 'last_name', 'blocked', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    blocked: row.blocked,
    createdAt: at(row.created_at),
  }))
}

export async function loadZones(tx: Tx, accountId: number) {
  const rows = await tx
    .selectFrom('zones')
    .select(['zone_id', 'name', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('zone_id')
    .execute()
  return rows.map((row) => ({ zoneId: row.zone_id, name: row.name, createdAt: at(row.created_at) }))
}

export async function loadDevices(tx: Tx, accountId: number) {
  const rows = await tx
    .selectFrom('devices')
    .select(['device_id', 'name', 'zone_id', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('device_id')
    .execute()
  return rows.map((row) => ({
    deviceId: row.device_id,
    name: row.name,
    zoneId: row.zone_id,
    createdAt: at(row.created_at),
  }))
}

/** Those in scope; without how to sign in to them. */
export async function loadCameras(tx: Tx, caller: Pick<MemberCaller, 'accountId' | 'access'>) {
  const rows = await accessibleCameras(tx, caller)
    .select(['camera_id', 'name', 'zone_id', 'brand', 'model', 'eth_mac_address', 'retention_hours', 'created_at'])
    .orderBy('camera_id')
    .execute()
  return rows.map((row) => ({
    cameraId: row.camera_id,
    name: row.name,
    zoneId: row.zone_id,
    brand: row.brand,
    model: row.model,
    macAddress: row.eth_mac_address,
    keptHours: row.retention_hours,
    createdAt: at(row.created_at),
  }))
}

export async function loadPushDevices(tx: Tx, { accountId, userId }: Key) {
  const rows = await tx
    .selectFrom('push_devices')
    .select(['push_device_id', 'platform', 'app_version', 'locale', 'created_at', 'seen_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    pushDeviceId: row.push_device_id,
    platform: row.platform,
    appVersion: row.app_version,
    locale: row.locale,
    createdAt: at(row.created_at),
    seenAt: at(row.seen_at),
  }))
}

export async function loadReportSchedules(tx: Tx, { accountId, userId }: Key) {
  const rows = await tx
    .selectFrom('report_schedules')
    .select(['report_schedule_id', 'type', 'format', 'every', 'at_time', 'created_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    reportScheduleId: row.report_schedule_id,
    type: row.type,
    format: row.format,
    every: row.every,
    at: row.at_time,
    createdAt: at(row.created_at),
  }))
}

/** An entry of the log that the user caused, or that is about them. */
export interface PersonalLogEntry {
  readonly account_id: number
  readonly audit_log_id: number
  readonly at: number
  readonly user_id: number | null
  readonly staff_id: number | null
  readonly actor_name: string | null
  readonly client_id: string | null
  readonly action: string
  readonly target_kind: string | null
  readonly target_id: number | null
  readonly before: unknown
  readonly after: unknown
  readonly address: string | null
}

/** Where the next page starts. */
export type LogEntryCursor = Pick<PersonalLogEntry, 'at' | 'audit_log_id'>

/** Some entries of the account's log by or about the user, oldest first, after the given one. */
export async function loadLogEntries(
  tx: Tx,
  { accountId, userId }: Key,
  page: { readonly after: LogEntryCursor | undefined; readonly limit: number },
): Promise<readonly PersonalLogEntry[]> {
  const { after, limit } = page
  return tx
    .selectFrom('audit_log')
    .select(['account_id', 'audit_log_id', 'at', 'user_id', 'staff_id', 'actor_name', 'client_id', 'action'])
    .select(['target_kind', 'target_id', 'before', 'after', 'address'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(user_id = ${userId} or (target_kind in ('user', 'account') and target_id = ${userId}))`)
    .$if(after !== undefined, (lines) =>
      lines.where(sql<boolean>`(at, audit_log_id) > (${instant(after?.at ?? 0)}, ${after?.audit_log_id ?? 0})`),
    )
    .orderBy('at')
    .orderBy('audit_log_id')
    .limit(limit)
    .execute()
}

/** Some slices of a camera's footage, by stream and time, after the given one. */
export async function loadSlices(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  page: { readonly after: Slice | undefined; readonly limit: number },
): Promise<readonly Slice[]> {
  const { after, limit } = page
  const rows = await tx
    .selectFrom('recording_runs')
    .select(['stream', 'started_at', 'ended_at', 'bytes', 'run_id'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .$if(after !== undefined, (slices) =>
      slices.where(
        sql<boolean>`(stream, started_at, run_id) > (${after?.stream ?? ''}, ${instant(after?.start ?? 0)}, ${after?.runId ?? ''})`,
      ),
    )
    .orderBy('stream')
    .orderBy('started_at')
    .orderBy('run_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    cameraId,
    stream: row.stream,
    start: row.started_at,
    end: row.ended_at,
    bytes: row.bytes,
    runId: row.run_id,
  }))
}

/** How much there is in the caller's scope. */
export async function loadSummary(tx: Tx, caller: Pick<MemberCaller, 'accountId' | 'access'>) {
  const reach = accessibleCameras(tx, caller).select('cameras.camera_id')
  const { rows } = await sql<{
    cameras: number
    sub_users: number
    bytes: number
    oldest: number | null
    newest: number | null
  }>`
    with reach as (${reach})
    select (select count(*) from reach)::int as cameras,
           (select count(*) from users where account_id = ${caller.accountId} and user_id <> account_id)::int as sub_users,
           coalesce(sum(r.bytes), 0)::bigint as bytes,
           min(r.started_at) as oldest, max(r.ended_at) as newest
      from recording_runs r
     where r.account_id = ${caller.accountId} and r.camera_id in (select camera_id from reach) and r.bytes > 0`.execute(
    tx,
  )
  return rows[0]
}
