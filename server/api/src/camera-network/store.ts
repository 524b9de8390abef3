import type { Tx } from '@sightline/platform/db'
import { connectionKey, sharesMachines } from '../camera-additions/index.ts'
import type { StoredConnection } from '../camera-connection/index.ts'
import type { CameraEndpoint } from './rules.ts'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

const keyAt = ({ address, namedPort }: CameraEndpoint, { input }: StoredConnection): string =>
  connectionKey({ address, port: namedPort ?? undefined, channel: input ?? undefined })

/** Whether another camera of the account is there. */
export async function isEndpointTaken(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  { endpoint, stored }: { readonly endpoint: CameraEndpoint; readonly stored: StoredConnection },
): Promise<boolean> {
  const found = await tx
    .selectFrom('cameras')
    .select('camera_id')
    .where('account_id', '=', accountId)
    .where('connection_key', '=', keyAt(endpoint, stored))
    .where(sharesMachines('cameras', stored.machines))
    .where('camera_id', '!=', cameraId)
    .executeTakeFirst()
  return found !== undefined
}

/** The certificates that are trusted are the camera's and stay. */
export async function saveEndpoint(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  { endpoint, stored }: { readonly endpoint: CameraEndpoint; readonly stored: StoredConnection },
): Promise<void> {
  const { address, onvifPort, rtspPort, namedPort } = endpoint
  await tx
    .updateTable('cameras')
    .set({
      address,
      onvif_port: onvifPort,
      rtsp_port: rtspPort,
      named_port: namedPort,
      connection_key: keyAt(endpoint, stored),
    })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .execute()
}
