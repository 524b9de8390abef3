import { type Db, matchAny } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { TimeRange } from '../recording/index.ts'

/** What decides which footage stays. */
export interface StorageRules {
  /** By camera, milliseconds. */
  readonly maxAges: ReadonlyMap<number, number>
  /** By account, bytes; accounts without a quota are missing. */
  readonly quotas: ReadonlyMap<number, number>
  /** By camera. */
  readonly locks: ReadonlyMap<number, readonly TimeRange[]>
}

/** @param now milliseconds since 1970; undefined if the clock isn't trusted, so that nothing is forgotten. */
export async function loadStorageRules(db: Db, now: number | undefined): Promise<StorageRules> {
  return { maxAges: await loadRetention(db, now), quotas: await loadQuotas(db), locks: await loadLocks(db) }
}

async function loadQuotas(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ account_id: number; max_bytes: number }>`select * from storage_quotas()`.execute(
    db.plain,
  )
  return new Map(rows.map((row) => [row.account_id, row.max_bytes]))
}

/** Of a segment that an export begins in the middle of, the keyframe before it is needed too. */
const BEFORE_EXPORT_MS = 2 * 60_000

/** What people locked, and what is being exported: until its file is made, its footage stays. */
async function loadLocks(db: Db): Promise<Map<number, readonly TimeRange[]>> {
  const locked = await db.plain.selectFrom('footage_locks').select(['camera_id', 'started_at', 'ended_at']).execute()
  const exporting = await db.plain
    .selectFrom('exports')
    .select(['camera_ids', 'started_at', 'ended_at'])
    .where('removed_at', 'is', null)
    .where('status', 'in', ['Queued', 'Created', 'InProgress'])
    .execute()
  const pinned = exporting.flatMap(({ camera_ids, started_at, ended_at }) =>
    camera_ids.map((camera_id) => ({ camera_id, started_at: started_at - BEFORE_EXPORT_MS, ended_at })),
  )
  const cameras = Map.groupBy([...locked, ...pinned], (row) => row.camera_id)
  return new Map(
    [...cameras].map(([id, locks]) => [id, locks.map((row) => ({ start: row.started_at, end: row.ended_at }))]),
  )
}

/**
 * For how long footage of each camera is kept, in milliseconds; removed ones are among them until all of it has aged
 * out.
 */
async function loadRetention(db: Db, now: number | undefined): Promise<Map<number, number>> {
  const present = await db.plain.selectFrom('cameras').select(['camera_id', 'retention_hours']).execute()
  const removed = await db.plain
    .selectFrom('removed_cameras')
    .select(['account_id', 'camera_id', 'retention_hours', 'removed_at'])
    .execute()
  const isGone = (row: (typeof removed)[number]): boolean =>
    now !== undefined && row.removed_at + row.retention_hours * HOUR_MS + AGED_OUT_MS < now
  const gone = removed.filter(isGone)
  if (gone.length > 0) {
    const ids = gone.map((row) => row.camera_id)
    await db.plain.deleteFrom('removed_cameras').where('camera_id', '=', matchAny(ids)).execute()
  }
  // Those of the last time too: the server may have been off for long.
  return new Map([...removed, ...present].map((row) => [row.camera_id, row.retention_hours * HOUR_MS]))
}

const HOUR_MS = 3_600_000
/** Long after the last of it was deleted; a sweep that was late, or a clock that was set, has caught up by then. */
const AGED_OUT_MS = 7 * 24 * HOUR_MS
