import type { Db, Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { loadWithoutIndexes, vacuum } from './bulk-load.ts'

export const DAY_MS = 86_400_000
/** The end of the footage: midnight. */
export const END = Date.UTC(2026, 10, 1)
export const CAMERAS_OF_EACH = 9
const DAYS = 365
const FIRST_ACCOUNT = 10_000
const FIRST_CAMERA = 1_000_000

export interface FilledAccount {
  readonly accountId: number
  readonly cameraIds: readonly number[]
  readonly flaky: number
}

export interface FillResult {
  readonly accounts: readonly FilledAccount[]
  readonly runs: number
  readonly sums: number
  readonly seconds: number
}

/** A year of footage up to {@link END} for each camera; every third camera has a break every 15 minutes. */
export async function fillFootage(db: Db, count: number): Promise<FillResult> {
  const begun = performance.now()
  const cameras = count * CAMERAS_OF_EACH
  await db.transaction((tx) => loadWithoutIndexes(tx, 'recording_runs', () => fillRuns(tx, cameras)))
  await vacuum(db, 'recording_runs')
  await db.transaction((tx) => fillSums(tx, cameras))
  await vacuum(db, 'recording_days')
  const { rows } = await sql<{ runs: number; sums: number }>`
    select (select count(*) from recording_runs) as runs, (select count(*) from recording_days) as sums`.execute(
    db.plain,
  )
  return {
    accounts: Array.from({ length: count }, (_, index) => toAccount(index)),
    runs: rows[0]?.runs ?? 0,
    sums: rows[0]?.sums ?? 0,
    seconds: (performance.now() - begun) / 1000,
  }
}

/** In the order of time, all cameras together, as workers write. */
async function fillRuns(tx: Tx, cameras: number): Promise<void> {
  const end = new Date(END).toISOString()
  for (let day = DAYS; day > 0; day -= 1) {
    await sql`
      insert into recording_runs (account_id, camera_id, stream, run_id, started_at, ended_at, is_open, bytes, end_reason)
      select ${FIRST_ACCOUNT}::bigint + c / ${CAMERAS_OF_EACH}::integer, ${FIRST_CAMERA}::bigint + c, 'main',
             md5(case when f.flaky then c || '/' || at else c::text end), at,
             at + case when f.flaky then interval '14 minutes' else interval '1 hour' end, false,
             case when f.flaky then 210000000 else 900000000 end,
             case when f.flaky then (array['network', 'cameraOffline', 'restart'])[1 + extract(hour from at at time zone 'UTC')::integer % 3] end
        from generate_series(${end}::timestamptz - make_interval(days => ${day}),
               ${end}::timestamptz - make_interval(days => ${day - 1}) - interval '1 minute', interval '15 minutes') as at
        cross join generate_series(0, ${cameras}::integer - 1) as c
        cross join lateral (select c % 3 = 0 as flaky) f
       where f.flaky or extract(minute from at) = 0`.execute(tx)
  }
}

/**
 * The database's own function computes the sums of one camera of each kind; the other cameras have the same footage, so
 * they get copies of these rows.
 */
async function fillSums(tx: Tx, cameras: number): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  const end = new Date(END).toISOString()
  for (const camera of [FIRST_CAMERA, FIRST_CAMERA + 1]) {
    await sql`select sum_recording_days(${FIRST_ACCOUNT}, ${camera}, 'main', ${end}::timestamptz - make_interval(days => ${DAYS}), ${end}::timestamptz)`.execute(
      tx,
    )
  }
  await sql`create temporary table computed on commit drop as select * from recording_days`.execute(tx)
  await sql`truncate recording_days`.execute(tx)
  await loadWithoutIndexes(tx, 'recording_days', () =>
    sql`insert into recording_days (account_id, camera_id, stream, day, layer, reason, ms, hours)
      select ${FIRST_ACCOUNT}::bigint + c / ${CAMERAS_OF_EACH}::integer, ${FIRST_CAMERA}::bigint + c, s.stream, s.day, s.layer, s.reason, s.ms, s.hours
        from generate_series(0, ${cameras}::integer - 1) as c
        join computed s on s.camera_id = ${FIRST_CAMERA}::bigint + case when c % 3 = 0 then 0 else 1 end
       order by s.day, c`.execute(tx),
  )
}

function toAccount(index: number): FilledAccount {
  const first = FIRST_CAMERA + index * CAMERAS_OF_EACH
  const cameraIds = Array.from({ length: CAMERAS_OF_EACH }, (_, number) => first + number)
  // The first of nine is one of the third.
  return { accountId: FIRST_ACCOUNT + index, cameraIds, flaky: first }
}
