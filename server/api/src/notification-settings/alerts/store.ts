import type { ScopedCamera } from '@sightline/contract/rights'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { buildMember } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import type { AlertCamera } from './email.ts'
import type { AlertRecipient } from './rules.ts'

export interface AlertUser {
  readonly accountId: number
  readonly userId: number
}

/**
 * A status that hasn't been confirmed for longer is ignored: the media plane itself is down, or no worker has the
 * camera. Compared with the database's clock, which wrote the rows.
 */
const FRESH_SECONDS = 60

/** An offline camera, and the delay before the first or next notification. */
const dueOf = (now: number) => sql`
  from camera_status s
  join cameras c on c.account_id = s.account_id and c.camera_id = s.camera_id
  join notification_settings n on n.account_id = s.account_id and n.type = 'cameraDown' and n.enabled
   and (n.alert_by_email or n.alert_by_push)
  left join camera_maintenance m on m.account_id = s.account_id and m.camera_id = s.camera_id
  left join camera_alerts a on a.account_id = s.account_id and a.user_id = n.user_id and a.camera_id = s.camera_id
   and a.offline_since = s.offline_since
 where s.offline_since is not null and not s.online and c.mode not in ('disarmed', 'private')
   and s.changed_at > now() - make_interval(secs => ${FRESH_SECONDS})
   and (m.camera_id is null or m.until <= ${instant(now)})
   and case when a.camera_id is null
     then greatest(s.offline_since, m.until) + make_interval(mins => n.alert_delay_minutes) <= ${instant(now)}
     else n.alert_repeat_minutes > 0
      and a.told_at + make_interval(mins => n.alert_repeat_minutes) <= ${instant(now)} end`

/** A camera that is back and whose offline period was notified. */
const backOf = (now: number) => sql`
  from camera_alerts a
  join cameras c on c.account_id = a.account_id and c.camera_id = a.camera_id
  join camera_status s on s.account_id = a.account_id and s.camera_id = a.camera_id and s.online
  left join camera_maintenance m on m.account_id = a.account_id and m.camera_id = a.camera_id
 where (m.camera_id is null or m.until <= ${instant(now)})`

/**
 * Users who may have to be notified, some hundreds of them. Users who clearly have no access to any of the cameras are
 * excluded, so that they aren't checked repeatedly; authorization decides about the others.
 */
export async function loadUsersToNotify(db: Db, now: number): Promise<readonly AlertUser[]> {
  const { rows } = await sql<{ account_id: number; user_id: number }>`
    select n.account_id, n.user_id ${dueOf(now)}
       and exists (select from users u join accounts x on x.account_id = u.account_id
         where u.account_id = n.account_id and u.user_id = n.user_id and not u.blocked and x.status <> 'suspended'
           and (u.user_id = u.account_id or u.all_cameras
             or exists (select from user_cameras y where y.account_id = u.account_id and y.user_id = u.user_id
               and y.camera_id = c.camera_id)
             or exists (select from user_zones z where z.account_id = u.account_id and z.user_id = u.user_id
               and z.zone_id = c.zone_id)))
    union
    select a.account_id, a.user_id ${backOf(now)}
    limit 500`.execute(db.plain)
  return rows.map((row) => ({ accountId: row.account_id, userId: row.user_id }))
}

/** False if another process is notifying that user now; otherwise locked until the transaction ends. */
export async function isOurs(tx: Tx, { userId }: AlertUser): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`camera alerts of ${userId}`}, 0)) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/** The recipient as authorization sees them. */
export async function loadReader(tx: Tx, { accountId, userId }: AlertUser): Promise<AlertRecipient | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .innerJoin('resellers as r', 'r.reseller_id', 'u.reseller_id')
    .select(['u.user_id', 'u.account_id', 'u.reseller_id', 'u.rights as grants', 'r.modules', 'u.all_cameras'])
    .select(['a.status as account_status', 'a.user_type', 'a.sub_users_barred', 'a.time_zone'])
    .select(['u.blocked', 'u.email', 'u.language'])
    .where('u.account_id', '=', accountId)
    .where('u.user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const mine = { account_id: accountId, user_id: userId }
  const cameras = await tx.selectFrom('user_cameras').select('camera_id').where(ofRow(mine)).execute()
  const zones = await tx.selectFrom('user_zones').select('zone_id').where(ofRow(mine)).execute()
  const member = buildMember(
    {
      ...row,
      barred: row.sub_users_barred && userId !== accountId,
      camera_ids: cameras.map(({ camera_id }) => camera_id),
      zone_ids: zones.map(({ zone_id }) => zone_id),
    },
    { scopes: ['read', 'write'], support: undefined, apiKeyId: undefined, provisioning: false, isGuest: false },
  )
  const { blocked, email, language, time_zone: timeZone, reseller_id: resellerId } = row
  return { member, isBlocked: blocked, email, language, timeZone, resellerId, ways: await loadWays(tx, mine) }
}

const ofRow = ({ account_id, user_id }: { account_id: number; user_id: number }) =>
  sql<boolean>`account_id = ${account_id} and user_id = ${user_id}`

async function loadWays(tx: Tx, mine: { account_id: number; user_id: number }): Promise<AlertRecipient['ways']> {
  const setting = await tx
    .selectFrom('notification_settings')
    .select(['enabled', 'alert_by_email', 'alert_by_push'])
    .where(ofRow(mine))
    .where('type', '=', 'cameraDown')
    .executeTakeFirst()
  return {
    byEmail: setting?.alert_by_email === true,
    byPush: setting?.alert_by_push === true,
    isOn: setting?.enabled === true,
  }
}

export interface DueCamera extends AlertCamera, ScopedCamera {
  /** Of this offline period already. */
  readonly wasTold: boolean
}

interface CameraRow {
  readonly account_id: number
  readonly camera_id: number
  readonly zone_id: number
  readonly name: string
  readonly offline_since: number
}

const toDue = (row: CameraRow & { was_told: boolean }): DueCamera => ({
  accountId: row.account_id,
  cameraId: row.camera_id,
  zoneId: row.zone_id,
  name: row.name,
  offlineSince: row.offline_since,
  wasTold: row.was_told,
})

/** The offline cameras for that user's notification, by name. */
export async function dueCameras(tx: Tx, { accountId, userId }: AlertUser, now: number): Promise<readonly DueCamera[]> {
  const { rows } = await sql<CameraRow & { was_told: boolean }>`
    select c.account_id, c.camera_id, c.zone_id, c.name, s.offline_since, a.camera_id is not null as was_told
    ${dueOf(now)} and n.account_id = ${accountId} and n.user_id = ${userId}
    order by c.name, c.camera_id`.execute(tx)
  return rows.map(toDue)
}

/** Records that the user was notified about that offline period of the camera. */
export async function markNotified(
  tx: Tx,
  { accountId, userId }: AlertUser,
  cameras: readonly DueCamera[],
  now: number,
) {
  for (const { cameraId, offlineSince } of cameras) {
    const values = { offline_since: instant(offlineSince), told_at: instant(now) }
    await tx
      .insertInto('camera_alerts')
      .values({ account_id: accountId, user_id: userId, camera_id: cameraId, ...values })
      .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'camera_id']).doUpdateSet(values))
      .execute()
  }
}

/** The cameras that are back and about which that user was notified; removes these records. */
export async function takeBack(tx: Tx, { accountId, userId }: AlertUser, now: number): Promise<readonly DueCamera[]> {
  const { rows } = await sql<CameraRow & { was_told: boolean }>`
    select c.account_id, c.camera_id, c.zone_id, c.name, a.offline_since, true as was_told
    ${backOf(now)} and a.account_id = ${accountId} and a.user_id = ${userId}
    order by c.name, c.camera_id`.execute(tx)
  for (const { camera_id } of rows) {
    const alerts = tx.deleteFrom('camera_alerts').where('account_id', '=', accountId).where('user_id', '=', userId)
    await alerts.where('camera_id', '=', camera_id).execute()
  }
  return rows.map(toDue)
}

/** The user's browsers. */
export async function deviceIds(tx: Tx, { accountId, userId }: AlertUser): Promise<readonly number[]> {
  const devices = tx.selectFrom('push_devices').select('push_device_id').where('account_id', '=', accountId)
  const rows = await devices.where('user_id', '=', userId).orderBy('push_device_id').execute()
  return rows.map((row) => row.push_device_id)
}

/** A host of that reseller's brand; undefined if it has only the provider's. */
export async function findSignInHost(tx: Tx, resellerId: number): Promise<string | undefined> {
  const hosts = tx.selectFrom('brand_hosts').select('host').where('reseller_id', '=', resellerId)
  return (await hosts.orderBy('host').limit(1).executeTakeFirst())?.host
}
