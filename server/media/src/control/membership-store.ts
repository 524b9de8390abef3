import { type Db, instant, matchAny } from '@sightline/platform/db'
import { sql } from 'kysely'
import { UNSEEN_AFTER_MS } from './membership.ts'

/** Tells that a worker lives, and returns all that do. */
export async function beatWorker(
  db: Db,
  { workerId, now }: { readonly workerId: string; readonly now: number },
): Promise<readonly string[]> {
  await db.plain
    .insertInto('media_workers')
    .values({ worker_id: workerId, seen_at: instant(now) })
    .onConflict((conflict) => conflict.column('worker_id').doUpdateSet({ seen_at: instant(now) }))
    .execute()
  const rows = await db.plain
    .selectFrom('media_workers')
    .select('worker_id')
    .where('seen_at', '>', instant(now - UNSEEN_AFTER_MS))
    .execute()
  return rows.map((row) => row.worker_id)
}

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

/** A worker begins to serve cameras: what another one wrote about them is no longer true. */
export async function claimStatuses(
  db: Db,
  {
    workerId,
    cameraIds,
    now,
  }: { readonly workerId: string; readonly cameraIds: readonly number[]; readonly now: number },
): Promise<void> {
  if (cameraIds.length === 0) return
  await db.plain
    .updateTable('camera_status')
    .set({ ...nothingOnline, worker_id: workerId, changed_at: instant(now) })
    .where('camera_id', '=', matchAny(cameraIds))
    .where('worker_id', 'is distinct from', workerId)
    .execute()
}

/** After a crash nothing of this worker is online until its camera says so again. */
export async function markOffline(db: Db, workerId: string): Promise<void> {
  await db.plain
    .updateTable('camera_status')
    .set(nothingOnline)
    .where(({ eb, or }) => or([eb('worker_id', '=', workerId), eb('worker_id', 'is', null)]))
    .execute()
}
