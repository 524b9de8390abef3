import { instant, type Tx } from '@sightline/platform/db'
import type { StoredRunSlice } from './rules.ts'

/** Slices of footage of a camera's main stream that touch the span, oldest first. Limits in milliseconds since 1970. */
export async function loadSlices(
  tx: Tx,
  of: { accountId: number; cameraId: number; from: number; till: number },
): Promise<StoredRunSlice[]> {
  const rows = await tx
    .selectFrom('recording_runs')
    .select(['started_at', 'ended_at', 'is_open', 'kind', 'store', 'locked', 'end_reason'])
    .where('account_id', '=', of.accountId)
    .where('camera_id', '=', of.cameraId)
    .where('stream', '=', 'main')
    .where('started_at', '<', instant(of.till))
    .where('ended_at', '>', instant(of.from))
    .orderBy('started_at')
    .execute()
  return rows.map((row) => ({
    start: row.started_at,
    end: row.ended_at,
    isOpen: row.is_open,
    type: row.kind,
    storage: row.store === 'edge' ? ('edge' as const) : ('cloud' as const),
    locked: row.locked,
    endReason: row.end_reason,
  }))
}

/** The last slice that ended at or before `at`: why the span begins with a gap, if it does. */
export async function loadPreviousSlice(
  tx: Tx,
  of: { accountId: number; cameraId: number; at: number },
): Promise<{ end: number; endReason: string | null } | undefined> {
  const row = await tx
    .selectFrom('recording_runs')
    .select(['ended_at', 'end_reason'])
    .where('account_id', '=', of.accountId)
    .where('camera_id', '=', of.cameraId)
    .where('stream', '=', 'main')
    .where('started_at', '<', instant(of.at))
    .where('ended_at', '<=', instant(of.at))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { end: row.ended_at, endReason: row.end_reason }
}
