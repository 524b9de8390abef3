import type { AccountUsage, StorageUsage } from '@sightline/contract/storage-usage'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_HOUR } from '@sightline/platform/clock'
import { limitTime, matchAny, type Tx } from '@sightline/platform/db'
import { type RawBuilder, sql } from 'kysely'
import type { Days } from './days.ts'

/** Maximum time of a query: footage of hundreds of cameras over years is millions of rows. */
const SUM_MS = 5000

export interface NamedCamera {
  readonly cameraId: number
  readonly name: string
}

interface SumRow {
  camera_id: number | null
  /** From 1. */
  day: number | null
  bytes: number
  ms: number
}

export interface UsageQuery {
  readonly accountId: number
  readonly cameras: readonly NamedCamera[]
  readonly days: Days
}

/**
 * The storage of some cameras' footage on some days. A slice across midnight is divided between its days by time. Hours
 * count only main streams, because a sub stream shows the same.
 */
const sumsBy = async (
  tx: Tx,
  { accountId, cameras, days }: UsageQuery,
  groups: RawBuilder<unknown>,
): Promise<SumRow[]> => {
  await limitTime(tx, SUM_MS)
  const { rows } = await sql<SumRow>`
    with bounds as (select ${days.bounds.map((at) => new Date(at).toISOString())}::timestamptz[] as list),
    part as (
      select r.camera_id, d.day, r.stream, r.bytes,
             extract(epoch from r.ended_at - r.started_at) * 1000 as length,
             extract(epoch from least(r.ended_at, list[d.day + 1]) - greatest(r.started_at, list[d.day])) * 1000 as ms
        from bounds
        join recording_runs r
          on r.started_at < list[cardinality(list)] and r.ended_at > list[1] and r.ended_at > r.started_at
        cross join lateral generate_series(
          greatest(width_bucket(r.started_at, list), 1),
          least(width_bucket(r.ended_at - interval '1 millisecond', list), cardinality(list) - 1)) as d (day)
       where r.account_id = ${accountId} and r.camera_id = ${matchAny(cameras.map(({ cameraId }) => cameraId))})
    select camera_id, day, round(sum(bytes * ms / length))::bigint as bytes,
           coalesce(sum(ms) filter (where stream = 'main'), 0)::bigint as ms
      from part group by ${groups}`.execute(tx)
  return rows
}

/** In all, by camera and by day. */
export async function sumStorage(
  tx: Tx,
  of: UsageQuery,
): Promise<Pick<StorageUsage, 'bytes' | 'hours' | 'cameras' | 'days'>> {
  const rows = await sumsBy(tx, of, sql`grouping sets ((camera_id), (day), ())`)
  const cameras = new Map(rows.flatMap((row) => (row.camera_id === null ? [] : [[row.camera_id, row]])))
  const days = new Map(rows.flatMap((row) => (row.day === null ? [] : [[row.day, row]])))
  const oldest = await oldestByCamera(tx, of)
  return {
    ...taken(rows.find((row) => row.camera_id === null && row.day === null)),
    cameras: of.cameras.map(({ cameraId, name }) => ({
      cameraId,
      name,
      ...taken(cameras.get(cameraId)),
      oldestRecording: oldest.get(cameraId) ?? null,
    })),
    days: of.days.names.map((day, index) => ({ day, ...taken(days.get(index + 1)) })),
  }
}

/** The start of each camera's footage, regardless of the days. */
async function oldestByCamera(
  tx: Tx,
  { accountId, cameras }: Pick<UsageQuery, 'accountId' | 'cameras'>,
): Promise<ReadonlyMap<number, string>> {
  // Each is the first entry of an index; the minimum over all runs would read millions of rows.
  const { rows } = await sql<{ camera_id: number; oldest: number }>`
    select c.camera_id, min(run.started_at) as oldest
      from cameras c
      cross join (values ('main'), ('sub')) as streams (stream)
      cross join lateral (
        select r.started_at from recording_runs r
         where r.account_id = ${accountId} and r.camera_id = c.camera_id and r.stream = streams.stream
           and r.ended_at > r.started_at
         order by r.started_at limit 1) run
     where c.account_id = ${accountId} and c.camera_id = ${matchAny(cameras.map(({ cameraId }) => cameraId))}
     group by c.camera_id`.execute(tx)
  return new Map(rows.map(({ camera_id, oldest }) => [camera_id, toDateTime(oldest)]))
}

/** By camera and the number of the day among the days, from 0. */
export async function sumCameraDays(tx: Tx, of: UsageQuery) {
  const rows = await sumsBy(tx, of, sql`camera_id, day`)
  const sums = new Map(rows.map((row) => [`${row.camera_id} ${row.day}`, row]))
  return (cameraId: number, day: number) => taken(sums.get(`${cameraId} ${day + 1}`))
}

const taken = (row: SumRow | undefined) => ({
  bytes: row?.bytes ?? 0,
  hours: Math.round(((row?.ms ?? 0) * 1000) / MS_PER_HOUR) / 1000,
})

interface UsageRow {
  cameras: number
  camera_slots: number | null
  devices: number
  device_slots: number | null
  users: number
  max_users: number
  storage_bytes: number
  max_storage_bytes: number | null
  oldest_recording: number | null
}

/** The usage and limits of the transaction's account. */
export async function loadUsage(tx: Tx, accountId: number): Promise<AccountUsage> {
  await limitTime(tx, SUM_MS)
  const { rows } = await sql<UsageRow>`
    select (select count(*) from cameras c where c.account_id = a.account_id and c.transferred_at is null
             and c.addition_status <> 'failure') as cameras,
           coalesce(a.max_cameras, p.max_cameras) as camera_slots,
           (select count(*) from devices d where d.account_id = a.account_id) as devices,
           coalesce(a.max_devices, p.max_devices) as device_slots,
           (select count(*) from users u where u.account_id = a.account_id and u.user_id <> u.account_id) as users,
           coalesce(a.max_sub_users, r.max_sub_users) as max_users,
           f.bytes as storage_bytes, p.max_storage_bytes, f.oldest as oldest_recording
      from accounts a
      join resellers r on r.reseller_id = a.reseller_id
      left join subscriptions s on s.account_id = a.account_id
      left join subscription_packages p
        on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
      cross join lateral (
        select coalesce(sum(x.bytes), 0)::bigint as bytes, min(x.started_at) as oldest
          from recording_runs x where x.account_id = a.account_id and x.ended_at > x.started_at) f
     where a.account_id = ${accountId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`account ${accountId} not found for its own token`)
  return {
    cameras: row.cameras,
    cameraSlots: row.camera_slots,
    devices: row.devices,
    deviceSlots: row.device_slots,
    users: row.users,
    maxUsers: row.max_users,
    storageBytes: row.storage_bytes,
    maxStorageBytes: row.max_storage_bytes,
    oldestRecording: row.oldest_recording === null ? null : toDateTime(row.oldest_recording),
  }
}
