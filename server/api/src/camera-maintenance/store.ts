import type { CameraMaintenance } from '@sightline/contract/camera-maintenance'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'

interface OfCamera {
  readonly accountId: number
  readonly cameraId: number
}

/** The state at that time; a maintenance that has ended counts as none. */
export async function loadMaintenance(
  tx: Tx,
  { accountId, cameraId }: OfCamera,
  now: number,
): Promise<CameraMaintenance> {
  const row = await tx
    .selectFrom('camera_maintenance')
    .select('until')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  const enabled = row !== undefined && (row.until === null || row.until > now)
  return { enabled, until: enabled && row.until !== null ? toDateTime(row.until) : null }
}

/** @param until null means no end. A time in the past ends the maintenance, and offline periods count from then. */
export async function saveMaintenance(tx: Tx, { accountId, cameraId }: OfCamera, until: number | null): Promise<void> {
  const values = { until: until === null ? null : instant(until) }
  await tx
    .insertInto('camera_maintenance')
    .values({ account_id: accountId, camera_id: cameraId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id']).doUpdateSet(values))
    .execute()
}
