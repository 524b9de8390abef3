import { type Db, instant, matchAny } from '@sightline/platform/db'
import type { Renewal, TakenLease } from './lease-keeper.ts'

/** The holder of a camera's lease. */
interface LeaseKey {
  readonly accountId: number
  readonly cameraId: number
  readonly workerId: string
}

export interface HeldLease {
  readonly cameraId: number
  readonly fence: number
}

interface Validity {
  /** The fence of the lease becomes larger than this one. */
  readonly above: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly expiresAt: number
}

/**
 * Takes the lease of a camera. The fence increases each time, even for a restarted worker that takes its own leases
 * again. Undefined while another worker has it.
 */
export async function takeLease(
  db: Db,
  { accountId, cameraId, workerId, above, now, expiresAt }: LeaseKey & Validity,
): Promise<TakenLease | undefined> {
  const row = await db.plain
    // A query in WITH sees the row as it was before.
    .with('before', (query) =>
      query
        .selectFrom('camera_leases')
        .select('worker_id')
        .where('account_id', '=', accountId)
        .where('camera_id', '=', cameraId),
    )
    .insertInto('camera_leases')
    .values({
      account_id: accountId,
      camera_id: cameraId,
      worker_id: workerId,
      fence: above + 1,
      expires_at: instant(expiresAt),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'camera_id'])
        .doUpdateSet((eb) => ({
          worker_id: workerId,
          fence: eb(eb.fn<number>('greatest', ['camera_leases.fence', eb.val(above)]), '+', 1),
          expires_at: instant(expiresAt),
          next_worker: null,
        }))
        .where((eb) =>
          eb.or([eb('camera_leases.worker_id', '=', workerId), eb('camera_leases.expires_at', '<', instant(now))]),
        ),
    )
    .returning((eb) => ['fence', eb.selectFrom('before').select('worker_id').as('before')])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { fence: row.fence, isTakeover: row.before !== null && row.before !== workerId }
}

/**
 * Renews one worker's leases in one statement, including expired ones: an unchanged fence proves that no one else had
 * them. Returns the results by camera.
 */
export async function renewLeases(
  db: Db,
  { workerId, leases, expiresAt }: { workerId: string; leases: readonly HeldLease[]; expiresAt: number },
): Promise<ReadonlyMap<number, Renewal>> {
  const rows = await db.plain
    .updateTable('camera_leases')
    .set({ expires_at: instant(expiresAt) })
    .where('worker_id', '=', workerId)
    .where('camera_id', '=', matchAny(leases.map(({ cameraId }) => cameraId)))
    .returning(['camera_id', 'fence'])
    .execute()
  const fences = new Map(rows.map((row) => [row.camera_id, row.fence]))
  return new Map(leases.map(({ cameraId, fence }) => [cameraId, fences.get(cameraId) === fence ? 'held' : 'takeover']))
}

/** Releases one lease, so that the next worker doesn't have to wait until it expires. */
export async function releaseLease(
  db: Db,
  { cameraId, workerId }: { readonly cameraId: number; readonly workerId: string },
): Promise<void> {
  await db.plain
    .updateTable('camera_leases')
    .set({ expires_at: instant(0) })
    .where('worker_id', '=', workerId)
    .where('camera_id', '=', cameraId)
    .execute()
}

/** Releases leases at an orderly stop, so that the next worker doesn't have to wait for them to expire. */
export async function releaseLeases(db: Db, workerId: string): Promise<void> {
  await db.plain
    .updateTable('camera_leases')
    .set({ expires_at: instant(0) })
    .where('worker_id', '=', workerId)
    .execute()
}

/** Tells the holder of a lease that another worker is ready for the camera, or can't be while the holder is connected. */
export async function announceSuccessor(
  db: Db,
  { accountId, cameraId, workerId }: Pick<LeaseKey, 'accountId' | 'cameraId' | 'workerId'>,
): Promise<void> {
  await db.plain
    .updateTable('camera_leases')
    .set({ next_worker: workerId })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('worker_id', '!=', workerId)
    .execute()
}

/** Which of a worker's cameras another one is ready for. */
export async function listAwaited(db: Db, workerId: string): Promise<ReadonlySet<number>> {
  const rows = await db.plain
    .selectFrom('camera_leases')
    .select('camera_id')
    .where('worker_id', '=', workerId)
    .where('next_worker', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.camera_id))
}

/** What was announced about these cameras earlier is no longer true. */
export async function forgetSuccessors(db: Db, workerId: string, cameraIds: readonly number[]): Promise<void> {
  await db.plain
    .updateTable('camera_leases')
    .set({ next_worker: null })
    .where('worker_id', '=', workerId)
    .where('camera_id', '=', matchAny(cameraIds))
    .execute()
}
