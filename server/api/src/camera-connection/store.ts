import type { FoundConnection, TriedConnection } from '@sightline/contract/media-plane'
import { isUniqueViolation, type Tx } from '@sightline/platform/db'
import type { EncryptionContext } from '@sightline/platform/envelope-encryption'
import { sql } from 'kysely'
import { connectionKey } from '../camera-additions/index.ts'
import { forgetNewPassword } from './password-store.ts'
import type { StoredConnection } from './rules.ts'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** Where the password of a camera is stored. */
export const cameraPasswordContext = ({ accountId, cameraId }: CameraKey): EncryptionContext => ({
  accountId,
  table: 'cameras',
  row: cameraId,
  column: 'password_sealed',
})

/** Whether the account already has this stream of this camera. */
export const isTakenConnection = (error: unknown): boolean => isUniqueViolation(error, 'cameras_by_connection')

/** The serial number of the last time that the camera was asked what it can do. */
const saidSerial = sql<string | null>`(
  select nullif(a.abilities->'information'->>'serial', '') from camera_capabilities a
   where a.account_id = cameras.account_id and a.camera_id = cameras.camera_id)`

/** Of a camera that the caller has been found to see. */
export async function loadConnection(tx: Tx, { accountId, cameraId }: CameraKey): Promise<StoredConnection> {
  const row = await tx
    .selectFrom('cameras')
    .select(['address', 'named_port', 'rtsp_port', 'main_path', 'stream_secure', 'onvif_port', 'onvif_secure'])
    .select(['username', 'password_sealed', 'allow_basic', 'input', 'device_id', 'machines'])
    .select((eb) => eb.fn.coalesce(saidSerial, 'serial').as('serial'))
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  return {
    cameraId,
    address: row.address,
    namedPort: row.named_port,
    rtspPort: row.rtsp_port,
    mainPath: row.main_path,
    isSecure: row.stream_secure,
    onvif: row.onvif_port === null ? null : { port: row.onvif_port, isSecure: row.onvif_secure },
    username: row.username,
    passwordSealed: row.password_sealed,
    allowBasic: row.allow_basic,
    serial: row.serial,
    input: row.input,
    deviceId: row.device_id,
    machines: row.machines,
  }
}

/** @param given accepted by the camera. */
export async function saveCameraCredentials(tx: Tx, key: CameraKey, given: TriedConnection): Promise<void> {
  const { username, passwordSealed, allowBasic } = given
  const password_sealed = passwordSealed === null ? null : Buffer.from(passwordSealed, 'base64')
  await update(tx, key, { username, password_sealed, allow_basic: allowBasic })
  await forgetNewPassword(tx, key)
}

interface FoundPlace {
  /** The port that the caller named; null: the usual ones. */
  readonly namedPort: number | null
  readonly given: TriedConnection
  readonly found: FoundConnection
}

/** Writes down where a camera was found. Its next certificate is trusted like that of a new camera. */
export async function saveConnection(
  tx: Tx,
  { accountId, stored }: { readonly accountId: number; readonly stored: StoredConnection },
  { namedPort, given, found }: FoundPlace,
): Promise<void> {
  const { rtspPort, mainPath, subPath, isSecure, onvif } = found
  const isMoved = given.address !== stored.address || isSecure !== stored.isSecure
  const key = connectionKey({
    address: given.address,
    port: namedPort ?? undefined,
    streamPath: onvif === null ? mainPath : undefined,
    channel: stored.input ?? undefined,
  })
  await update(
    tx,
    { accountId, cameraId: stored.cameraId },
    {
      address: given.address,
      named_port: namedPort,
      rtsp_port: rtspPort,
      main_path: mainPath,
      sub_path: subPath,
      stream_secure: isSecure,
      ...(isMoved ? { certificate_sha256: null } : {}),
      onvif_port: onvif?.port ?? null,
      onvif_secure: onvif?.isSecure ?? false,
      onvif_certificate_sha256: onvif?.certificate ? Buffer.from(onvif.certificate, 'hex') : null,
      connection_key: key,
    },
  )
}

interface ConnectionColumns {
  readonly username?: string | null
  readonly password_sealed?: Buffer | null
  readonly allow_basic?: boolean
  readonly address?: string
  readonly named_port?: number | null
  readonly rtsp_port?: number
  readonly main_path?: string
  readonly sub_path?: string | null
  readonly stream_secure?: boolean
  readonly certificate_sha256?: null
  readonly onvif_port?: number | null
  readonly onvif_secure?: boolean
  readonly onvif_certificate_sha256?: Buffer | null
  readonly connection_key?: string
}

async function update(tx: Tx, { accountId, cameraId }: CameraKey, values: ConnectionColumns): Promise<void> {
  const cameras = tx.updateTable('cameras').set(values).where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', cameraId).execute()
}
