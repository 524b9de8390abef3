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

interface OfDevice {
  readonly accountId: number
  readonly deviceId: number
}

/** The same of a recorder. */
export async function loadDeviceMaintenance(
  tx: Tx,
  { accountId, deviceId }: OfDevice,
  now: number,
): Promise<CameraMaintenance> {
  const row = await tx
    .selectFrom('device_maintenance')
    .select('until')
    .where('account_id', '=', accountId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  const enabled = row !== undefined && (row.until === null || row.until > now)
  return { enabled, until: enabled && row.until !== null ? toDateTime(row.until) : null }
}

/** The same of a recorder and of all cameras at its inputs, which are away while it is. */
export async function saveDeviceMaintenance(
  tx: Tx,
  { accountId, deviceId }: OfDevice,
  until: number | null,
): Promise<void> {
  const values = { until: until === null ? null : instant(until) }
  await tx
    .insertInto('device_maintenance')
    .values({ account_id: accountId, device_id: deviceId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'device_id']).doUpdateSet(values))
    .execute()
  const cameras = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  for (const { camera_id: cameraId } of await cameras.where('device_id', '=', deviceId).execute())
    await saveMaintenance(tx, { accountId, cameraId }, until)
}
