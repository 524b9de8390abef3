import { cameraAbilities } from '@sightline/contract/camera-capabilities'
import type { SyncJob } from '@sightline/contract/cloud-sync'
import { toDateTime } from '@sightline/contract/wire'
import type { Tx } from '@sightline/platform/db'
import type { SyncSettings } from './rules.ts'

interface Key {
  readonly accountId: number
  readonly cameraId: number
}

export async function loadSyncSettings(tx: Tx, { accountId, cameraId }: Key): Promise<SyncSettings> {
  const row = await tx
    .selectFrom('cameras as c')
    .leftJoin('camera_capabilities as can', (join) =>
      join.onRef('can.account_id', '=', 'c.account_id').onRef('can.camera_id', '=', 'c.camera_id'),
    )
    .select(['c.cloud_sync', 'c.mode', 'c.recording_mode', 'c.onvif_port'])
    .select('can.abilities')
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  const known = row.abilities === null ? undefined : cameraAbilities.parse(row.abilities)
  return {
    enabled: row.cloud_sync,
    mode: row.mode,
    recordingMode: row.recording_mode,
    isOnvif: row.onvif_port !== null,
    card: known?.abilities.edgeStorage?.state ?? 'unknown',
  }
}

export async function saveSync(tx: Tx, { accountId, cameraId }: Key, enabled: boolean): Promise<void> {
  const cameras = tx.updateTable('cameras').set({ cloud_sync: enabled }).where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', cameraId).execute()
}

const MAX_JOBS = 500
const MS_PER_SECOND = 1000

/** Newest first. */
export async function listSyncJobs(tx: Tx, { accountId, cameraId }: Key): Promise<SyncJob[]> {
  const rows = await tx
    .selectFrom('sync_jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .orderBy('gap_start', 'desc')
    .limit(MAX_JOBS)
    .execute()
  return rows.map((row) => ({
    syncJobId: row.sync_job_id,
    status: row.status,
    duration: (row.gap_end - row.gap_start) / MS_PER_SECOND,
    syncedDuration: row.synced_ms / MS_PER_SECOND,
    recordingStart: toDateTime(row.gap_start),
    recordingEnd: toDateTime(row.gap_end),
    note: row.note,
  }))
}
