import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'

export const DAY_MS = 86_400_000
/** The end of the footage: midnight. */
export const END = Date.UTC(2026, 10, 1)
export const CAMERAS_OF_EACH = 9
const DAYS = 365
const FIRST_ACCOUNT = 10_000

export interface FilledAccount {
  readonly accountId: number
  readonly cameraIds: readonly number[]
  readonly flaky: number
}

/** A year of footage up to {@link END} for each camera; every third camera has a break every 15 minutes. */
export async function fillFootage(
  { plain }: Db,
  count: number,
): Promise<{ readonly accounts: readonly FilledAccount[]; readonly runs: number; readonly sums: number }> {
  const end = new Date(END).toISOString()
  // Day by day, all cameras together, as workers write.
  for (let day = DAYS; day > 0; day -= 1) {
    await sql`
      insert into recording_runs (account_id, camera_id, stream, run_id, started_at, ended_at, is_open, bytes, end_reason)
      select ${FIRST_ACCOUNT}::bigint + c / ${CAMERAS_OF_EACH}::integer, 1000000 + c, 'main', md5(c || '/' || at), at,
             at + case when f.flaky then interval '14 minutes' else interval '1 hour' end, false, 900000000,
             case when f.flaky then (array['network', 'cameraOffline', 'restart'])[1 + extract(hour from at)::integer % 3] end
        from generate_series(0, ${count * CAMERAS_OF_EACH}::integer - 1) as c
        cross join lateral (select c % 3 = 0 as flaky) f
        cross join lateral generate_series(
          ${end}::timestamptz - make_interval(days => ${day}), ${end}::timestamptz - make_interval(days => ${day}) + interval '23:59',
          case when f.flaky then interval '15 minutes' else interval '1 hour' end) as at
       order by at, c`.execute(plain)
  }
  await sql`vacuum (analyze) recording_runs`.execute(plain)
  const accounts = Array.from({ length: count }, (_, index) => toAccount(index))
  for (const { accountId, cameraIds } of accounts) {
    for (const cameraId of cameraIds) {
      await sql`select sum_recording_days(${accountId}, ${cameraId}, 'main', ${end}::timestamptz - interval '366 days', ${end}::timestamptz)`.execute(
        plain,
      )
    }
  }
  // The function wrote camera after camera; in life all cameras write every day.
  await sql`create temporary table mixed as select * from recording_days order by day, camera_id`.execute(plain)
  await sql`truncate recording_days`.execute(plain)
  await sql`insert into recording_days select * from mixed order by day, camera_id`.execute(plain)
  await sql`drop table mixed`.execute(plain)
  await sql`vacuum (analyze) recording_days`.execute(plain)
  const { rows } = await sql<{ runs: number; sums: number }>`
    select (select count(*) from recording_runs) as runs, (select count(*) from recording_days) as sums`.execute(plain)
  return { accounts, runs: rows[0]?.runs ?? 0, sums: rows[0]?.sums ?? 0 }
}

function toAccount(index: number): FilledAccount {
  const first = 1_000_000 + index * CAMERAS_OF_EACH
  const cameraIds = Array.from({ length: CAMERAS_OF_EACH }, (_, number) => first + number)
  // The first of nine is one of the third.
  return { accountId: FIRST_ACCOUNT + index, cameraIds, flaky: first }
}
