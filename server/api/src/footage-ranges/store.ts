import type { RecordingDeletion, RecordingLock } from '@sightline/contract/footage-ranges'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'

interface OfCamera {
  readonly accountId: number
  readonly cameraId: number
}

const locksOf = (tx: Tx, { accountId, cameraId }: OfCamera) =>
  tx.selectFrom('footage_locks').where('account_id', '=', accountId).where('camera_id', '=', cameraId)

type LockRow = Awaited<ReturnType<typeof loadLockRows>>[number]

const loadLockRows = (tx: Tx, of: OfCamera) =>
  locksOf(tx, of)
    .select(['footage_lock_id', 'camera_id', 'started_at', 'ended_at', 'locked_by', 'locked_at', 'reason'])
    .orderBy('started_at')
    .orderBy('footage_lock_id')
    .execute()

const toLock = (row: LockRow, { rights, userId }: Pick<MemberCaller, 'rights' | 'userId'>): RecordingLock => ({
  lockId: row.footage_lock_id,
  cameraId: row.camera_id,
  from: toDateTime(row.started_at),
  till: toDateTime(row.ended_at),
  reason: row.reason,
  lockedBy: rights.has('viewUserSettings') || row.locked_by === userId ? row.locked_by : null,
  lockedAt: toDateTime(row.locked_at),
})

/** Oldest footage first. */
export async function loadRecordingLocks(tx: Tx, caller: MemberCaller, cameraId: number): Promise<RecordingLock[]> {
  const rows = await loadLockRows(tx, { accountId: caller.accountId, cameraId })
  return rows.map((row) => toLock(row, caller))
}

export interface NewLock extends OfCamera {
  readonly lockId: number
  readonly from: number
  readonly till: number
  readonly reason: string
  readonly lockedBy: number
  readonly now: number
}

export async function insertLock(tx: Tx, lock: NewLock): Promise<void> {
  await tx
    .insertInto('footage_locks')
    .values({
      account_id: lock.accountId,
      footage_lock_id: lock.lockId,
      camera_id: lock.cameraId,
      started_at: instant(lock.from),
      ended_at: instant(lock.till),
      locked_by: lock.lockedBy,
      locked_at: instant(lock.now),
      reason: lock.reason,
    })
    .execute()
}

export async function removeLock(tx: Tx, { lockId, ...of }: OfCamera & { readonly lockId: number }): Promise<void> {
  await tx
    .deleteFrom('footage_locks')
    .where('account_id', '=', of.accountId)
    .where('camera_id', '=', of.cameraId)
    .where('footage_lock_id', '=', lockId)
    .execute()
}

export async function hasLockedPart(
  tx: Tx,
  { from, till, ...of }: OfCamera & { readonly from: number; readonly till: number },
): Promise<boolean> {
  const found = locksOf(tx, of).select('footage_lock_id')
  const row = await found
    .where('started_at', '<', instant(till))
    .where('ended_at', '>', instant(from))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an export that isn't done yet needs a part of the range. */
export async function isBeingExported(
  tx: Tx,
  { accountId, cameraId, from, till }: OfCamera & { readonly from: number; readonly till: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('exports')
    .select('export_id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${cameraId} = any (camera_ids)`)
    .where('removed_at', 'is', null)
    .where('status', 'in', ['Queued', 'Created', 'InProgress'])
    .where('started_at', '<', instant(till))
    .where('ended_at', '>', instant(from))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface NewDeletion extends OfCamera {
  readonly deletionId: number
  readonly from: number
  readonly till: number
  readonly requestedBy: number
  readonly now: number
}

export async function insertDeletion(tx: Tx, deletion: NewDeletion): Promise<void> {
  await tx
    .insertInto('footage_deletion_requests')
    .values({
      account_id: deletion.accountId,
      footage_deletion_request_id: deletion.deletionId,
      camera_id: deletion.cameraId,
      started_at: instant(deletion.from),
      ended_at: instant(deletion.till),
      requested_by: deletion.requestedBy,
      requested_at: instant(deletion.now),
    })
    .execute()
}

export async function findDeletion(
  tx: Tx,
  { deletionId, ...of }: OfCamera & { readonly deletionId: number },
): Promise<RecordingDeletion | undefined> {
  const row = await tx
    .selectFrom('footage_deletion_requests')
    .select(['camera_id', 'started_at', 'ended_at', 'status', 'requested_at', 'finished_at'])
    .where('account_id', '=', of.accountId)
    .where('camera_id', '=', of.cameraId)
    .where('footage_deletion_request_id', '=', deletionId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    deletionId,
    cameraId: row.camera_id,
    from: toDateTime(row.started_at),
    till: toDateTime(row.ended_at),
    state: row.status,
    requestedAt: toDateTime(row.requested_at),
    endedAt: row.finished_at === null ? null : toDateTime(row.finished_at),
  }
}
