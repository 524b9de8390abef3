import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { AlertMessage } from '../event-alerts/index.ts'
import { type AlertUser, type DueTime, isAwake, isChosenCamera, mayConcern } from '../recipients/index.ts'

/** A status that hasn't been confirmed for longer is ignored: our own outage isn't the camera's. */
const FRESH_SECONDS = 60

/**
 * What is wrong with cameras besides being offline. A camera that is offline can't be asked about its clock and events, so
 * those count while it is online.
 */
const troubles = (now: number) => sql`(
  select s.account_id, s.camera_id, case s.last_connection_result when 'credentialsIncorrect' then 'credentialsRefused'
         else s.last_connection_result end as trouble, s.offline_since as since
    from camera_status s
   where not s.online and s.offline_since is not null and s.changed_at > now() - make_interval(secs => ${FRESH_SECONDS})
     and s.last_connection_result in ('credentialsIncorrect', 'certificateChanged')
  union all
  select w.account_id, w.camera_id, w.warning, w.since
    from camera_warnings w
    join camera_status s on s.account_id = w.account_id and s.camera_id = w.camera_id
   where case when w.warning = 'storageFull' then w.last_at > ${instant(now)} - interval '1 day'
     else s.online and s.changed_at > now() - make_interval(secs => ${FRESH_SECONDS}) end)`

const dueOf = ({ now, clocks }: DueTime) => sql`
  from ${troubles(now)} t
  join cameras c on c.account_id = t.account_id and c.camera_id = t.camera_id
  join notification_settings n on n.account_id = t.account_id and n.enabled and (n.alert_by_email or n.alert_by_push)
   and n.type = case t.trouble when 'storageFull' then 'storageFull' else 'deviceTrouble' end
   and ${isChosenCamera} and ${isAwake(clocks)}
  left join camera_maintenance m on m.account_id = t.account_id and m.camera_id = t.camera_id
  left join trouble_alerts a on a.account_id = t.account_id and a.user_id = n.user_id and a.camera_id = t.camera_id
   and a.trouble = t.trouble and a.since = t.since
 where c.mode in ('armed', 'scheduled') and (m.camera_id is null or m.until <= ${instant(now)})
   and not exists (select from dismissed_warnings d where d.account_id = t.account_id and d.user_id = n.user_id
     and d.camera_id = t.camera_id and d.warning = t.trouble)
   and case when a.camera_id is null
     then greatest(t.since, m.until) + make_interval(mins => n.alert_delay_minutes) <= ${instant(now)}
     else n.alert_repeat_minutes > 0
      and a.told_at + make_interval(mins => n.alert_repeat_minutes) <= ${instant(now)} end
   and ${mayConcern}`

/** Users who may have to be told, some hundreds of them. */
export async function loadDueUsers(db: Db, due: DueTime): Promise<readonly AlertUser[]> {
  const { rows } = await sql<{ account_id: number; user_id: number }>`
    select distinct n.account_id, n.user_id ${dueOf(due)} limit 500`.execute(db.plain)
  return rows.map((row) => ({ accountId: row.account_id, userId: row.user_id }))
}

export interface DueTrouble {
  readonly type: AlertMessage['type']
  readonly cameraId: number
  readonly trouble: string
  /** Milliseconds since 1970. */
  readonly since: number
}

export async function loadDueTroubles(tx: Tx, { accountId, userId }: AlertUser, due: DueTime): Promise<DueTrouble[]> {
  const { rows } = await sql<{
    readonly type: AlertMessage['type']
    readonly camera_id: number
    readonly trouble: string
    readonly since: number
  }>`select n.type, c.camera_id, t.trouble, t.since
     ${dueOf(due)} and n.account_id = ${accountId} and n.user_id = ${userId}
     order by n.type, c.name, c.camera_id, t.trouble`.execute(tx)
  return rows.map(({ type, camera_id: cameraId, trouble, since }) => ({ type, cameraId, trouble, since }))
}

/** Records that the user was told of it. */
export async function markNotified(
  tx: Tx,
  { accountId, userId }: AlertUser,
  { cameraId, trouble, since }: DueTrouble,
  now: number,
): Promise<void> {
  const values = { since: instant(since), told_at: instant(now) }
  await tx
    .insertInto('trouble_alerts')
    .values({ account_id: accountId, user_id: userId, camera_id: cameraId, trouble, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'camera_id', 'trouble']).doUpdateSet(values))
    .execute()
}
