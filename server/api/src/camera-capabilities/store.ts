import { type CameraAbilities, cameraAbilities, type DeviceInfo } from '@sightline/contract/camera-capabilities'
import type { Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { accessibleCameras } from '../cameras/index.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

export interface KnownAbilities {
  readonly abilities: CameraAbilities
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

const withAbilities = (tx: Tx, caller: CameraScope, cameraId: number) =>
  accessibleCameras(tx, caller)
    .leftJoin('camera_capabilities as can', (join) =>
      join.onRef('can.account_id', '=', 'cameras.account_id').onRef('can.camera_id', '=', 'cameras.camera_id'),
    )
    .select(['can.abilities', 'can.asked_at'])
    .where('cameras.camera_id', '=', cameraId)

/** Of a camera that was never asked, `known` is undefined; undefined for a camera out of the caller's scope. */
export async function findAbilities(
  tx: Tx,
  caller: CameraScope,
  cameraId: number,
): Promise<{ readonly known: KnownAbilities | undefined } | undefined> {
  const row = await withAbilities(tx, caller, cameraId).executeTakeFirst()
  if (row === undefined) return undefined
  if (row.abilities === null || row.asked_at === null) return { known: undefined }
  return { known: { abilities: cameraAbilities.parse(row.abilities), askedAt: row.asked_at } }
}

/** What the camera said about itself; undefined if it is out of the caller's scope. */
export async function findDeviceInfo(tx: Tx, caller: CameraScope, cameraId: number): Promise<DeviceInfo | undefined> {
  const row = await withAbilities(tx, caller, cameraId)
    .select(['brand', 'model', 'firmware_version', 'serial', 'eth_mac_address', 'device_inputs'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  // What it said today counts more than what it said when it was added.
  const said = row.abilities === null ? undefined : cameraAbilities.parse(row.abilities).information
  return {
    brand: row.brand,
    model: row.model,
    firmwareVersion: said?.firmwareVersion || row.firmware_version,
    serial: said?.serial || row.serial,
    type: row.device_inputs > 1 ? 'channel' : 'camera',
    ethMacAddress: row.eth_mac_address,
  }
}
