import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { StatisticsBucket } from './camera-sampler.ts'

export interface StatisticsRecord extends StatisticsBucket {
  readonly accountId: number
  readonly cameraId: number
  /** When the minute began, in milliseconds since 1970. */
  readonly at: number
}

/** Writes minutes of many cameras at once; nothing for cameras that were removed meanwhile. */
export async function insertMinutes({ plain }: Db, records: readonly StatisticsRecord[]): Promise<void> {
  const rows = JSON.stringify(
    records.map(({ accountId, cameraId, at, bytes, dropped, latencyMs, maxLatencyMs, bufferBytes }) => ({
      account_id: accountId,
      camera_id: cameraId,
      at: new Date(at).toISOString(),
      bytes,
      dropped,
      latency_ms: latencyMs ?? null,
      latency_max_ms: maxLatencyMs ?? null,
      buffer_bytes: bufferBytes,
    })),
  )
  await sql`
    insert into camera_statistics
      (account_id, camera_id, seconds, at, bytes, dropped, latency_ms, latency_max_ms, buffer_bytes)
    select r.account_id, r.camera_id, 60, r.at, r.bytes, r.dropped, r.latency_ms, r.latency_max_ms, r.buffer_bytes
      from jsonb_to_recordset(${rows}::jsonb) as r (account_id bigint, camera_id bigint, at timestamptz, bytes bigint,
        dropped integer, latency_ms real, latency_max_ms real, buffer_bytes bigint)
      join cameras c on c.account_id = r.account_id and c.camera_id = r.camera_id
    on conflict do nothing`.execute(plain)
}

/** Sums the minutes of a quarter of an hour, for all cameras; again changes nothing. */
export async function sumQuarter({ plain }: Db, from: number, until: number): Promise<void> {
  await sql`
    insert into camera_statistics
      (account_id, camera_id, seconds, at, bytes, dropped, latency_ms, latency_max_ms, buffer_bytes)
    select account_id, camera_id, 900, ${instant(from)}, sum(bytes), sum(dropped), avg(latency_ms), max(latency_max_ms),
           max(buffer_bytes)
      from camera_statistics
     where seconds = 60 and at >= ${instant(from)} and at < ${instant(until)}
     group by account_id, camera_id
    on conflict do nothing`.execute(plain)
}

export interface StatisticsLimits {
  readonly minutesBefore: number
  readonly quartersBefore: number
}

export async function dropOldStatistics({ plain }: Db, limits: StatisticsLimits): Promise<void> {
  await sql`
    delete from camera_statistics
     where (seconds = 60 and at < ${instant(limits.minutesBefore)})
        or (seconds = 900 and at < ${instant(limits.quartersBefore)})`.execute(plain)
}
