import type { NotificationType } from '@sightline/contract/notification-settings'
import type { Db, Tx } from '@sightline/platform/db'
import { buildMember } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { loadSetting } from '../store.ts'
import type { AlertRecipient } from './rules.ts'

export interface AlertUser {
  readonly accountId: number
  readonly userId: number
}

/** When alerts are due. */
export interface DueTime {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Of quiet hours. */
  readonly clocks: string
}

/** False if another process is notifying that user now; otherwise locked until the transaction ends. */
export async function isOurs(tx: Tx, { userId }: AlertUser): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`camera alerts of ${userId}`}, 0)) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/** The recipient as authorization sees them; undefined if the user is gone. */
export async function loadRecipient(
  tx: Tx,
  { accountId, userId }: AlertUser,
  type: NotificationType,
): Promise<AlertRecipient | undefined> {
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
  const setting = await loadSetting(tx, { accountId, userId }, type)
  return { member, isBlocked: blocked, email, language, timeZone, resellerId, setting }
}

const ofRow = ({ account_id, user_id }: { account_id: number; user_id: number }) =>
  sql<boolean>`account_id = ${account_id} and user_id = ${user_id}`

/** Undefined if the camera was removed. */
export async function findCameraZone(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<number | undefined> {
  const cameras = tx.selectFrom('cameras').select('zone_id').where('account_id', '=', accountId)
  return (await cameras.where('camera_id', '=', cameraId).executeTakeFirst())?.zone_id
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

/** The time of day, as `HH:mm`, in each time zone in which someone has quiet hours: the database may know others. */
export async function loadQuietClocks(db: Db, now: number): Promise<string> {
  const { rows } = await sql<{ time_zone: string }>`
    select distinct a.time_zone from notification_settings n join accounts a on a.account_id = n.account_id
     where n.enabled and n.quiet_from is not null`.execute(db.plain)
  return JSON.stringify(Object.fromEntries(rows.map(({ time_zone }) => [time_zone, timeOfDay(now, time_zone)])))
}

const timeOfDay = (now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now)

/** SQL: whether setting `n` may be acted on now, and its user can be notified of anything at all. */
export const isAwake = (clocks: string) => sql<boolean>`(n.quiet_from is null or not exists (
  select from accounts q, lateral (select ${clocks}::jsonb ->> q.time_zone as t) clock
   where q.account_id = n.account_id and case when n.quiet_from < n.quiet_to
     then clock.t >= n.quiet_from and clock.t < n.quiet_to else clock.t >= n.quiet_from or clock.t < n.quiet_to end))`

/** SQL: whether setting `n` is about camera `c`. */
export const isChosenCamera = sql<boolean>`(n.all_cameras or c.camera_id = any (n.camera_ids) or c.zone_id = any (n.zone_ids))`

/** SQL: whether camera `c` is clearly nothing to the user of setting `n`; authorization decides about the others. */
export const mayConcern = sql<boolean>`exists (select from users u join accounts x on x.account_id = u.account_id
  where u.account_id = n.account_id and u.user_id = n.user_id and not u.blocked and x.status <> 'suspended'
    and (u.user_id = u.account_id or u.all_cameras
      or exists (select from user_cameras y where y.account_id = u.account_id and y.user_id = u.user_id
        and y.camera_id = c.camera_id)
      or exists (select from user_zones z where z.account_id = u.account_id and z.user_id = u.user_id
        and z.zone_id = c.zone_id)))`
