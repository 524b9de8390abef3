import { checkUpFinding } from '@sightline/contract/camera-check-ups'
import type { Tx } from '@sightline/platform/db'
import * as z from 'zod/mini'
import type { CheckedDevice, StoredCheckUp } from './rules.ts'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

const findingsShape = z.array(checkUpFinding)

/** Undefined if the device that the camera is now was never checked. */
export async function loadCheckUp(tx: Tx, { accountId, cameraId }: CameraKey): Promise<StoredCheckUp | undefined> {
  const row = await tx
    .selectFrom('camera_check_ups as u')
    .innerJoin('cameras as c', (join) =>
      join.onRef('c.account_id', '=', 'u.account_id').onRef('c.camera_id', '=', 'u.camera_id'),
    )
    .select(['u.checked_at', 'u.findings'])
    .where('u.account_id', '=', accountId)
    .where('u.camera_id', '=', cameraId)
    .whereRef('u.checked_at', '>=', 'c.addition_started_at')
    .executeTakeFirst()
  return row === undefined ? undefined : { checkedAt: row.checked_at, findings: findingsShape.parse(row.findings) }
}

export async function loadDevice(tx: Tx, { accountId, cameraId }: CameraKey): Promise<CheckedDevice> {
  const row = await tx
    .selectFrom('cameras as c')
    .leftJoin('camera_status as s', (join) =>
      join.onRef('s.account_id', '=', 'c.account_id').onRef('s.camera_id', '=', 'c.camera_id'),
    )
    .select(['c.name', 'c.brand', 'c.model', 'c.firmware_version', 's.codec', 's.width', 's.height'])
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  const { name, brand, model, codec, width, height } = row
  return { name, cameraId, brand, model, firmwareVersion: row.firmware_version, codec, width, height }
}
