import type { CameraMobileNetwork } from '@sightline/contract/mobile-networks'
import type { MobileNetworkJson, Tx } from '@sightline/platform/db'

interface OfCamera {
  readonly accountId: number
  readonly cameraId: number
}

const noNetwork = {
  name: null,
  accessPointName: null,
  userName: null,
  needsPassword: false,
  mobileCountryCode: null,
  mobileNetworkCode: null,
} as const

/** The mobile network of the camera; undefined if it isn't body-worn. */
export async function loadMobileNetwork(
  tx: Tx,
  { accountId, cameraId }: OfCamera,
): Promise<CameraMobileNetwork | undefined> {
  const row = await tx
    .selectFrom('body_cameras')
    .select('mobile_network')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  return row && { cameraId, ...(row.mobile_network ?? noNetwork) }
}

export async function saveMobileNetwork(
  tx: Tx,
  { accountId, cameraId }: OfCamera,
  network: MobileNetworkJson,
): Promise<void> {
  await tx
    .updateTable('body_cameras')
    .set({ mobile_network: JSON.stringify(network) })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .execute()
}
