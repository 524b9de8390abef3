import type { ScopedCamera } from '@sightline/contract/rights'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type AlertUser, type DueTime, isAwake, isChosenCamera, mayConcern } from '../recipients/index.ts'
import type { AlertCamera } from './email.ts'

/**
 * A status that hasn't been confirmed for longer is ignored: the media plane itself is down, or no worker has the
 * camera. Compared with the database's clock, which wrote the rows.
 */
const FRESH_SECONDS = 60

/** An offline camera, and the delay before the first or next notification. */
const dueOf = ({ now, clocks }: DueTime) => sql`
  from camera_status s
  join cameras c on c.account_id = s.account_id and c.camera_id = s.camera_id
  join notification_settings n on n.account_id = s.account_id and n.type = 'cameraDown' and n.enabled
   and (n.alert_by_email or n.alert_by_push) and ${isChosenCamera} and ${isAwake(clocks)}
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
const backOf = ({ now, clocks }: DueTime) => sql`
  from camera_alerts a
  join cameras c on c.account_id = a.account_id and c.camera_id = a.camera_id
  join camera_status s on s.account_id = a.account_id and s.camera_id = a.camera_id and s.online
  left join notification_settings n on n.account_id = a.account_id and n.user_id = a.user_id and n.type = 'cameraDown'
  left join camera_maintenance m on m.account_id = a.account_id and m.camera_id = a.camera_id
 where (m.camera_id is null or m.until <= ${instant(now)}) and ${isAwake(clocks)}`

/**
 * Users who may have to be notified, some hundreds of them. Users who clearly have no access to any of the cameras are
 * excluded, so that they aren't checked repeatedly; authorization decides about the others.
 */
export async function loadUsersToNotify(db: Db, due: DueTime): Promise<readonly AlertUser[]> {
  const { rows } = await sql<{ account_id: number; user_id: number }>`
    select n.account_id, n.user_id ${dueOf(due)} and ${mayConcern}
    union
    select a.account_id, a.user_id ${backOf(due)}
    limit 500`.execute(db.plain)
  return rows.map((row) => ({ accountId: row.account_id, userId: row.user_id }))
}

export interface DueCamera extends AlertCamera, ScopedCamera {
  /** Of this offline period already. */
  readonly wasTold: boolean
  readonly mode: string
}

interface CameraRow {
  readonly account_id: number
  readonly camera_id: number
  readonly zone_id: number
  readonly name: string
  readonly mode: string
  readonly offline_since: number
}

const toDue = (row: CameraRow & { was_told: boolean }): DueCamera => ({
  accountId: row.account_id,
  cameraId: row.camera_id,
  zoneId: row.zone_id,
  name: row.name,
  mode: row.mode,
  offlineSince: row.offline_since,
  wasTold: row.was_told,
})

/** The offline cameras for that user's notification, by name. */
export async function dueCameras(
  tx: Tx,
  { accountId, userId }: AlertUser,
  due: DueTime,
): Promise<readonly DueCamera[]> {
  const { rows } = await sql<CameraRow & { was_told: boolean }>`
    select c.account_id, c.camera_id, c.zone_id, c.name, c.mode, s.offline_since, a.camera_id is not null as was_told
    ${dueOf(due)} and n.account_id = ${accountId} and n.user_id = ${userId}
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
export async function takeBack(tx: Tx, { accountId, userId }: AlertUser, due: DueTime): Promise<readonly DueCamera[]> {
  const { rows } = await sql<CameraRow & { was_told: boolean }>`
    select c.account_id, c.camera_id, c.zone_id, c.name, c.mode, a.offline_since, true as was_told
    ${backOf(due)} and a.account_id = ${accountId} and a.user_id = ${userId}
    order by c.name, c.camera_id`.execute(tx)
  for (const { camera_id } of rows) {
    const alerts = tx.deleteFrom('camera_alerts').where('account_id', '=', accountId).where('user_id', '=', userId)
    await alerts.where('camera_id', '=', camera_id).execute()
  }
  return rows.map(toDue)
}
