import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'

export const ACCOUNTS = 100
const CAMERAS_OF_EACH = 50
const FIRST_ACCOUNT = 10_000
const FIRST_CAMERA = 1_000_000
const STEPS = 50

export interface EventsOfAccount {
  readonly accountId: number
  readonly cameraIds: readonly number[]
  /** Of an event in the middle of the year. */
  readonly middleId: number
  /** Half a year ago, in milliseconds since 1970. */
  readonly middle: number
}

/** A year of events, in the order of their time, accounts and cameras mixed. */
export async function fillEvents({ plain }: Db, count: number): Promise<void> {
  await sql`insert into distributors (distributor_id, name) values (9000, 'Bench')`.execute(plain)
  await sql`insert into resellers (reseller_id, distributor_id, name) values (9001, 9000, 'Bench')`.execute(plain)
  await sql`insert into accounts (account_id, reseller_id, name)
    select ${FIRST_ACCOUNT}::bigint + n, 9001, 'Account ' || n from generate_series(0, ${ACCOUNTS - 1}::integer) n`.execute(
    plain,
  )
  await sql`insert into zones (account_id, zone_id, name)
    select account_id, account_id + 100000, 'Zone' from accounts where reseller_id = 9001`.execute(plain)
  await sql`alter table cameras disable trigger limit_of_cameras`.execute(plain)
  await sql`insert into cameras (account_id, camera_id, zone_id, name, eth_mac_address, address, rtsp_port, main_path)
    select a.account_id, ${FIRST_CAMERA}::bigint + (a.account_id - ${FIRST_ACCOUNT}::bigint) * ${CAMERAS_OF_EACH}::bigint + n, a.account_id + 100000, 'Camera ' || n, '', '192.0.2.1', 554, '/'
      from accounts a, generate_series(0, ${CAMERAS_OF_EACH - 1}::integer) n where a.reseller_id = 9001`.execute(plain)
  await sql`alter table cameras enable trigger limit_of_cameras`.execute(plain)
  await sql`select keep_event_partitions(now() - make_interval(months => n), now() - interval '400 days')
    from generate_series(0, 12) n`.execute(plain)
  // The trigger takes a lock and sends a notice for each of the ten million.
  await sql`alter table events disable trigger set_event_position`.execute(plain)
  const each = Math.round(count / STEPS)
  for (let step = 0; step < STEPS; step += 1) await fillSome(plain, { first: step * each, each, count })
  await sql`alter table events enable trigger set_event_position`.execute(plain)
  await sql`vacuum (analyze) events`.execute(plain)
  await sql`vacuum (analyze) cameras`.execute(plain)
}

const fillSome = (plain: Db['plain'], of: { first: number; each: number; count: number }) =>
  sql`insert into events (account_id, at, ended_at, type, source_kind, source_id, source_name, camera_id, is_bookmarked, once_key, position)
    select ${FIRST_ACCOUNT}::bigint + n % ${ACCOUNTS}::integer, t.at, t.at,
           (array['motion', 'motion', 'motion', 'motion', 'motion', 'cameraOffline', 'cameraOnline', 'recordingStopped', 'recordingStarted', 'custom'])[1 + (n / 7) % 10],
           'camera', c.id, 'Camera', c.id, n % 100000 < 100, n::text, n
      from generate_series(${of.first}::bigint, ${of.first + of.each - 1}::bigint) n
      cross join lateral (select now() - interval '364 days' * (1 - n::double precision / ${of.count}) as at) t
      cross join lateral (select ${FIRST_CAMERA}::bigint + n % ${ACCOUNTS}::integer * ${CAMERAS_OF_EACH}::integer + (n / ${ACCOUNTS}::integer) % ${CAMERAS_OF_EACH}::integer as id) c`.execute(
    plain,
  )

export async function toAccount({ plain }: Db, index: number): Promise<EventsOfAccount> {
  const accountId = FIRST_ACCOUNT + index
  const middle = Date.now() - 182 * 86_400_000
  const { rows } = await sql<{ id: number }>`select event_id as id from events
    where account_id = ${accountId} and at > ${new Date(middle).toISOString()} order by event_id limit 1`.execute(plain)
  const cameraIds = Array.from(
    { length: CAMERAS_OF_EACH },
    (_, camera) => FIRST_CAMERA + index * CAMERAS_OF_EACH + camera,
  )
  return { accountId, cameraIds, middle, middleId: rows[0]?.id ?? 0 }
}
