import type { Tx } from '@sightline/platform/db'
import type { FormatJob } from './rules.ts'

/** The last job that formatted a card of the camera. */
export async function findFormatJob(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<FormatJob | undefined> {
  const row = await tx
    .selectFrom('device_jobs')
    .select(['state', 'storage_id', 'ended_at'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('type', '=', 'formatStorage')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { state: row.state, storageId: row.storage_id ?? 0, endedAt: row.ended_at }
}
