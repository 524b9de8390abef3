import type { NewCamera } from '@sightline/contract/camera-additions'
import type { Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { lockFailedAddition, namedConnection, saveAddition } from '../camera-additions/index.ts'
import { type DeviceKey, MAX_INPUTS, passwordContext } from '../devices/index.ts'

/** An input of a recorder as a camera needs it: where its streams are, and how the recorder is reached. */
export interface ChannelSource extends DeviceKey {
  readonly channel: number
  readonly zoneId: number
  readonly online: boolean
  /** The camera of the account at the input, also one out of the caller's scope. */
  readonly camera: { readonly cameraId: number; readonly isPrivate: boolean } | undefined
  readonly snapshotProfile: string
}

/** Undefined if the device has no such input. The caller's scope was checked before. */
export async function findChannel(
  tx: Tx,
  { accountId, deviceId }: DeviceKey,
  channel: number,
): Promise<ChannelSource | undefined> {
  // The database takes no larger number.
  if (channel > MAX_INPUTS) return undefined
  const row = await tx
    .selectFrom('device_channels as h')
    .innerJoin('devices as d', (join) =>
      join.onRef('d.account_id', '=', 'h.account_id').onRef('d.device_id', '=', 'h.device_id'),
    )
    .leftJoin('cameras as c', (join) =>
      join
        .onRef('c.account_id', '=', 'h.account_id')
        .onRef('c.device_id', '=', 'h.device_id')
        .on(({ eb, fn, val }) => eb(fn.coalesce('c.input', val(1)), '=', eb.ref('h.channel'))),
    )
    .select(['h.online', 'h.rtsp_port', 'h.snapshot_profile', 'd.zone_id', 'c.camera_id', 'c.mode'])
    .where('h.account_id', '=', accountId)
    .where('h.device_id', '=', deviceId)
    .where('h.channel', '=', channel)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    accountId,
    deviceId,
    channel,
    zoneId: row.zone_id,
    online: row.online && row.rtsp_port > 0,
    camera: row.camera_id === null ? undefined : { cameraId: row.camera_id, isPrivate: row.mode === 'private' },
    snapshotProfile: row.snapshot_profile,
  }
}

interface Attachment {
  readonly source: Pick<ChannelSource, 'accountId' | 'deviceId' | 'channel'>
  readonly cameraId: number
  readonly name: string
  readonly zoneId: number
  readonly encryption: EnvelopeEncryption
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Makes an input a camera of the account; returns its id. The recorder said before where its streams are, so the camera is
 * connected at once.
 */
export async function attachChannel(tx: Tx, attachment: Attachment): Promise<number> {
  const { source, name, zoneId, encryption, now } = attachment
  const { accountId, deviceId, channel } = source
  const row = await tx
    .selectFrom('device_channels as h')
    .innerJoin('devices as d', (join) =>
      join.onRef('d.account_id', '=', 'h.account_id').onRef('d.device_id', '=', 'h.device_id'),
    )
    .select(['h.rtsp_port', 'h.main_path', 'h.sub_path', 'h.stream_secure', 'h.motion_sources', 'd.machines'])
    .select(['d.address', 'd.named_port', 'd.username', 'd.password_sealed', 'd.allow_basic', 'd.brand', 'd.model'])
    .select(['d.onvif_port', 'd.onvif_secure', 'd.onvif_certificate_sha256', 'd.firmware_version', 'd.serial'])
    .select((eb) =>
      eb
        .selectFrom('device_channels as all')
        .select(({ fn }) => fn.countAll<number>().as('inputs'))
        .whereRef('all.account_id', '=', 'h.account_id')
        .whereRef('all.device_id', '=', 'h.device_id')
        .as('inputs'),
    )
    .where('h.account_id', '=', accountId)
    .where('h.device_id', '=', deviceId)
    .where('h.channel', '=', channel)
    .executeTakeFirstOrThrow()
  const context = passwordContext({ accountId, deviceId })
  const given: NewCamera = {
    name,
    zoneId,
    address: row.address,
    ...(row.named_port === null ? {} : { port: row.named_port }),
    channel,
    ...(row.username === null ? {} : { username: row.username }),
    ...(row.password_sealed === null ? {} : { password: encryption.open(context, row.password_sealed) }),
    allowBasic: row.allow_basic,
    machines: row.machines,
  }
  const failedId = await lockFailedAddition(tx, { accountId, ...namedConnection(given) })
  const cameraId = failedId ?? attachment.cameraId
  await saveAddition(tx, { accountId, cameraId, given, encryption, now }, failedId !== undefined)
  await tx
    .updateTable('cameras')
    .set({
      device_id: deviceId,
      addition_status: 'validated',
      addition_step: 'streams',
      rtsp_port: row.rtsp_port,
      main_path: row.main_path,
      sub_path: row.sub_path,
      stream_secure: row.stream_secure,
      motion_sources: row.motion_sources,
      onvif_port: row.onvif_port,
      onvif_secure: row.onvif_secure,
      onvif_certificate_sha256: row.onvif_certificate_sha256,
      brand: row.brand,
      model: row.model,
      firmware_version: row.firmware_version,
      serial: row.serial,
      device_inputs: Number(row.inputs ?? 0),
    })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .execute()
  return cameraId
}
