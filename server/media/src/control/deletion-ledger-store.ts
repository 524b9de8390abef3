import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { DeletionRecord, DenyReason, LedgerEnd, StreamKey, TimeRange } from '../recording/index.ts'

export async function loadLedgerEnd(
  { plain }: Db,
  { accountId, cameraId, stream, disk }: StreamKey & { readonly disk: string },
): Promise<LedgerEnd | undefined> {
  const row = await plain
    .selectFrom('footage_deletions')
    .select(['chain_hash', 'deleted_at'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('stream', '=', stream)
    .where('store', '=', disk)
    .where('chain_hash', 'is not', null)
    .orderBy('footage_deletion_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.chain_hash == null ? undefined : { chainHash: row.chain_hash, at: row.deleted_at }
}

/** Adds rows; those that it has already are left alone. */
export async function insertDeletions(
  { plain }: Db,
  { accountId, cameraId, stream, disk }: StreamKey & { readonly disk: string },
  records: readonly DeletionRecord[],
): Promise<void> {
  if (records.length === 0) return
  await plain
    .insertInto('footage_deletions')
    .values(
      records.map((record) => ({
        account_id: accountId,
        camera_id: cameraId,
        stream,
        store: disk,
        started_at: instant(record.start),
        ended_at: instant(record.end),
        bytes: record.bytes,
        segments: record.segments,
        sha256: record.sha256,
        chain_hash: record.chainHash,
        reason: record.reason,
        deleted_by: record.by === 'system' ? null : Number(record.by),
        deleted_at: instant(record.at),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A row for each stream of an account whose footage was erased; its runs are removed in the same step. */
export async function recordErasure(db: Db, accountId: number, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await sql`
      insert into footage_deletions
             (account_id, camera_id, stream, started_at, ended_at, bytes, segments, reason, deleted_at)
      select account_id, camera_id, stream, min(started_at), max(ended_at), sum(bytes), 0, 'erasure', ${instant(now)}
        from recording_runs where account_id = ${accountId} and ended_at > started_at
       group by account_id, camera_id, stream`.execute(tx)
    await tx.deleteFrom('recording_runs').where('account_id', '=', accountId).execute()
  })
}

export interface DeletionRequest extends TimeRange {
  readonly accountId: number
  readonly requestId: number
  readonly cameraId: number
  readonly by: number
}

/** Those that a disk hasn't carried out, oldest first. */
export async function loadWaitingRequests({ plain }: Db, disk: string): Promise<readonly DeletionRequest[]> {
  const rows = await plain
    .selectFrom('footage_deletion_requests')
    .select(['account_id', 'footage_deletion_request_id', 'camera_id', 'started_at', 'ended_at', 'requested_by'])
    .where('status', '=', 'waiting')
    .where(sql<boolean>`not (${disk} = any (done_stores))`)
    .orderBy('footage_deletion_request_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    requestId: row.footage_deletion_request_id,
    cameraId: row.camera_id,
    start: row.started_at,
    end: row.ended_at,
    by: row.requested_by,
  }))
}

/** One disk has carried out a request, or refuses it. It is done when no disk is left with footage in its range. */
export async function finishRequest(
  db: Db,
  { accountId, requestId, cameraId, start, end }: DeletionRequest,
  {
    disk,
    denyReason,
    now,
  }: { readonly disk: string; readonly denyReason: DenyReason | undefined; readonly now: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const request = () =>
      tx
        .updateTable('footage_deletion_requests')
        .where('account_id', '=', accountId)
        .where('footage_deletion_request_id', '=', requestId)
        .where('status', '=', 'waiting')
    const done = await request()
      .set({ done_stores: sql<string[]>`array_append(done_stores, ${disk})` })
      .returning('done_stores')
      .executeTakeFirst()
    if (done === undefined) return
    const { rows } = await sql`
      select from recording_runs
       where account_id = ${accountId} and camera_id = ${cameraId} and store <> all (${done.done_stores})
         and started_at < ${instant(end)} and started_at > ${instant(start)}::timestamptz - interval '2 hours'
         and ended_at > ${instant(start)} limit 1`.execute(tx)
    if (denyReason === undefined && rows.length > 0) return
    await request()
      .set({
        status: denyReason === undefined ? 'done' : 'refused',
        deny_reason: denyReason ?? null,
        finished_at: instant(now),
      })
      .execute()
  })
}
