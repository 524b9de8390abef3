import { type Db, instant, matchAny } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type LivingWorker, UNSEEN_AFTER_MS } from './membership.ts'

export interface Beat {
  /** All workers that live. */
  readonly living: readonly LivingWorker[]
  /** The clock of the database, milliseconds since 1970: the same for workers on machines whose clocks differ. */
  readonly databaseNow: number
}

/** Tells that a worker lives, and returns all that do. */
export async function beatWorker(db: Db, { workerId, disk }: LivingWorker): Promise<Beat> {
  const seen = { store: disk, seen_at: sql<number>`now()` }
  const beat = await db.plain
    .insertInto('media_workers')
    .values({ worker_id: workerId, ...seen })
    .onConflict((conflict) => conflict.column('worker_id').doUpdateSet(seen))
    .returning('seen_at')
    .executeTakeFirstOrThrow()
  const rows = await db.plain
    .selectFrom('media_workers')
    .select(['worker_id', 'store'])
    .where('seen_at', '>', instant(beat.seen_at - UNSEEN_AFTER_MS))
    .execute()
  return {
    living: rows.map((row) => ({ workerId: row.worker_id, disk: row.store })),
    databaseNow: beat.seen_at,
  }
}

/**
 * The workers of a machine that the front has lost don't live if they have missed two beats too: others may have their
 * cameras at once. Returns their names. One that lives after all says so again, and its fence keeps it from writing what
 * another one writes.
 */
export async function evictSilentWorkers(db: Db, disk: string): Promise<readonly string[]> {
  return await db.transaction(async (tx) => {
    const gone = await tx
      .deleteFrom('media_workers')
      .where('store', '=', disk)
      .where('seen_at', '<', sql<number>`now() - ${`${SILENT_AFTER_MS} milliseconds`}::interval`)
      .returning('worker_id')
      .execute()
    const names = gone.map((row) => row.worker_id)
    if (names.length > 0)
      await tx
        .updateTable('camera_leases')
        .set({ expires_at: instant(0) })
        .where('worker_id', 'in', names)
        .execute()
    return names
  })
}

/** Two beats, plus the longest time that one may take. */
const SILENT_AFTER_MS = 1200

/** A worker stops in order: the others share out its cameras at once. */
export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await db.plain.deleteFrom('media_workers').where('worker_id', '=', workerId).execute()
}

/** Null stays null, for a camera without a sub-stream. */
const nothingOnline = {
  online: false,
  recording: false,
  sub_online: sql<boolean | null>`sub_online and false`,
  sub_recording: sql<boolean | null>`sub_recording and false`,
}

interface Claim {
  readonly workerId: string
  readonly cameraIds: readonly number[]
  readonly now: number
}

/** A worker begins to serve cameras: what another one wrote about them is no longer true. */
export async function claimStatuses(db: Db, claim: Claim): Promise<void> {
  if (claim.cameraIds.length > 0) await selectClaimed(db, claim).execute()
}

/** The same without those that another worker that lives still records, by their leases. */
export async function claimFreeStatuses(db: Db, claim: Claim): Promise<void> {
  if (claim.cameraIds.length === 0) return
  await selectClaimed(db, claim)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('camera_leases')
            .innerJoin('media_workers', 'media_workers.worker_id', 'camera_leases.worker_id')
            .select('camera_leases.camera_id')
            .whereRef('camera_leases.camera_id', '=', 'camera_status.camera_id')
            .where('camera_leases.worker_id', '!=', claim.workerId)
            .where('camera_leases.expires_at', '>', sql<number>`now()`)
            .where('media_workers.seen_at', '>', sql<number>`now() - ${`${UNSEEN_AFTER_MS} milliseconds`}::interval`),
        ),
      ),
    )
    .execute()
}

const selectClaimed = (db: Db, { workerId, cameraIds, now }: Claim) =>
  db.plain
    .updateTable('camera_status')
    .set({ ...nothingOnline, worker_id: workerId, changed_at: instant(now) })
    .where('camera_status.camera_id', '=', matchAny(cameraIds))
    .where('camera_status.worker_id', 'is distinct from', workerId)

/** After a crash nothing of this worker is online until its camera says so again. */
export async function markOffline(db: Db, workerId: string): Promise<void> {
  await db.plain
    .updateTable('camera_status')
    .set(nothingOnline)
    .where(({ eb, or }) => or([eb('worker_id', '=', workerId), eb('worker_id', 'is', null)]))
    .execute()
}
