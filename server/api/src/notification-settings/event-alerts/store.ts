import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type AlertUser, type DueTime, isAwake, isChosenCamera, mayConcern } from '../recipients/index.ts'
import type { AlertMessage } from './message-store.ts'

/** Handled by one statement. */
const MAX_EVENTS = 5000

/** What was worth an alert a while ago isn't any more: so long after the pause between two alerts. */
const STALE_MINUTES = 15

/**
 * Takes the events that wait and counts them for each user who chose to be told of them, in one statement, so that each
 * counts once. In quiet hours only tampering counts: it is told afterwards.
 *
 * @returns how many events were taken.
 */
export async function countEvents(db: Db, { now, clocks }: DueTime): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from alert_events where (account_id, alert_event_id) in (
        select account_id, alert_event_id from alert_events order by alert_event_id limit ${MAX_EVENTS}
           for update skip locked)
      returning account_id, camera_id, type, event_id, at),
    counted as (
      insert into event_alerts as w (account_id, user_id, camera_id, type, waiting, event_id, first_at, last_at)
      select n.account_id, n.user_id, c.camera_id, n.type, count(*), (array_agg(e.event_id order by e.at))[1],
             min(e.at), max(e.at)
        from taken e
        join cameras c on c.account_id = e.account_id and c.camera_id = e.camera_id
        join notification_settings n on n.account_id = e.account_id and n.type = e.type and n.enabled
         and (n.alert_by_email or n.alert_by_push) and ${isChosenCamera}
        left join camera_maintenance m on m.account_id = e.account_id and m.camera_id = e.camera_id
       where (m.camera_id is null or m.until <= ${instant(now)}) and ${mayConcern}
         and (n.type = 'deviceTampered' or ${isAwake(clocks)})
         and (n.type <> 'cameraUp' or n.alert_delay_minutes = 0 or e.at >= make_interval(mins => n.alert_delay_minutes) + (
           select max(o.at) from events o where o.account_id = e.account_id and o.camera_id = e.camera_id
              and o.type = 'cameraOffline' and o.ended_at = e.at))
       group by n.account_id, n.user_id, c.camera_id, n.type
      on conflict (account_id, user_id, camera_id, type) do update
        set waiting = w.waiting + excluded.waiting, event_id = coalesce(w.event_id, excluded.event_id),
            first_at = coalesce(w.first_at, excluded.first_at), last_at = greatest(w.last_at, excluded.last_at))
    select count(*)::int as taken from taken`.execute(db.plain)
  return rows[0]?.taken ?? 0
}

/** Forgets what is no news any more, or nobody's to know. */
export async function forgetStale(db: Db, now: number): Promise<void> {
  await sql`
    update event_alerts e set waiting = 0, event_id = null, first_at = null, last_at = null
     where e.waiting > 0 and not exists (
       select from notification_settings n
        where n.account_id = e.account_id and n.user_id = e.user_id and n.type = e.type and n.enabled
          and (n.alert_by_email or n.alert_by_push)
          and e.last_at > ${instant(now)} - case when e.type = 'deviceTampered' then interval '1 day'
            else make_interval(mins => n.cooldown_minutes + ${STALE_MINUTES}) end)`.execute(db.plain)
}

const dueOf = ({ now, clocks }: DueTime) => sql`
  from event_alerts e
  join notification_settings n on n.account_id = e.account_id and n.user_id = e.user_id and n.type = e.type and n.enabled
 where e.waiting > 0 and ${isAwake(clocks)}
   and (e.told_at is null or e.told_at + make_interval(mins => n.cooldown_minutes) <= ${instant(now)})`

/** Users with something to be told, some hundreds of them. */
export async function loadDueUsers(db: Db, due: DueTime): Promise<readonly AlertUser[]> {
  const { rows } = await sql<{ account_id: number; user_id: number }>`
    select distinct e.account_id, e.user_id ${dueOf(due)} limit 500`.execute(db.plain)
  return rows.map((row) => ({ accountId: row.account_id, userId: row.user_id }))
}

/** What happened at a camera since the user's last alert about it. */
export interface WaitingAlert {
  readonly type: AlertMessage['type']
  readonly cameraId: number
  readonly count: number
  /** Milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
}

export async function loadDueAlerts(tx: Tx, { accountId, userId }: AlertUser, due: DueTime): Promise<WaitingAlert[]> {
  const { rows } = await sql<{
    readonly type: AlertMessage['type']
    readonly camera_id: number
    readonly waiting: number
    readonly first_at: number
    readonly last_at: number
  }>`select e.type, e.camera_id, e.waiting, e.first_at, e.last_at
     ${dueOf(due)} and e.account_id = ${accountId} and e.user_id = ${userId}
     order by e.type, e.first_at`.execute(tx)
  return rows.map((row) => ({
    type: row.type,
    cameraId: row.camera_id,
    count: row.waiting,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }))
}

/** Nothing waits any more; `toldAt` starts the pause until the next alert, undefined if the user was told nothing. */
export async function settle(
  tx: Tx,
  { accountId, userId }: AlertUser,
  { type, cameraId }: Pick<WaitingAlert, 'type' | 'cameraId'>,
  toldAt: number | undefined,
): Promise<void> {
  await sql`
    update event_alerts set waiting = 0, event_id = null, first_at = null, last_at = null,
           told_at = coalesce(${toldAt === undefined ? null : instant(toldAt)}::timestamptz, told_at)
     where account_id = ${accountId} and user_id = ${userId} and camera_id = ${cameraId} and type = ${type}`.execute(tx)
}
