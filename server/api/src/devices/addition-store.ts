import { additionSubStatus } from '@sightline/contract/cameras'
import type { NewDevice } from '@sightline/contract/devices'
import { instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import type { EncryptionContext, EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { connectionKey, sharesMachines } from '../camera-additions/index.ts'
import { type DeviceAdditionState, deviceKey, MAX_INPUTS } from './rules.ts'
import type { DeviceKey } from './store.ts'

/** Whether the account already has this device. */
export const isAlreadyAdded = (error: unknown): boolean => isUniqueViolation(error, 'devices_by_connection')

/** The device of the account at that address whose addition failed, locked: it is tried again under its id. */
export async function lockFailedAddition(
  tx: Tx,
  { accountId, given }: { readonly accountId: number; readonly given: NewDevice },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('devices')
    .select('device_id')
    .where('account_id', '=', accountId)
    .where('connection_key', '=', deviceKey(given))
    .where(sharesMachines('devices', given.machines ?? []))
    .where('addition_status', '=', 'failure')
    .forUpdate()
    .executeTakeFirst()
  return row?.device_id
}

interface Addition extends DeviceKey {
  readonly given: NewDevice
  readonly encryption: EnvelopeEncryption
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Where the password of a device is stored. */
export const passwordContext = ({ accountId, deviceId }: DeviceKey): EncryptionContext => ({
  accountId,
  table: 'devices',
  row: deviceId,
  column: 'password_sealed',
})

/** Writes a device whose addition begins: a new one, or with `isRetry` one that failed before, which takes no further slot. */
export async function saveAddition(tx: Tx, addition: Addition, isRetry: boolean): Promise<void> {
  const { accountId, deviceId, given } = addition
  const values = toColumns(addition)
  if (!isRetry) {
    const row = { account_id: accountId, device_id: deviceId, ...values }
    await tx.insertInto('devices').values(row).execute()
  } else {
    const same = tx.updateTable('devices').set(values).where('account_id', '=', accountId)
    await same.where('device_id', '=', deviceId).execute()
  }
  await adoptCameras(tx, { accountId, deviceId }, given)
}

const toColumns = (addition: Addition) => {
  const { given, encryption, now } = addition
  const hasUser = given.username !== undefined && given.username !== ''
  return {
    zone_id: given.zoneId,
    name: given.name,
    // Empty until the worker has found it.
    address: given.address ?? '',
    named_mac_address: given.ethMacAddress ?? null,
    named_port: given.port ?? null,
    machines: given.machines ?? [],
    username: hasUser ? given.username : null,
    password_sealed: hasUser ? encryption.seal(passwordContext(addition), given.password ?? '') : null,
    allow_basic: given.allowBasic === true,
    addition_status: 'inProgress' as const,
    addition_sub_status: 'none',
    addition_step: null,
    addition_started_at: instant(now),
    onvif_port: null,
    onvif_certificate_sha256: null,
    connection_key: deviceKey(given),
  }
}

/** Cameras that were added as inputs of this recorder before are attached to it. */
async function adoptCameras(
  tx: Tx,
  { accountId, deviceId }: DeviceKey,
  { address, ethMacAddress, port, machines = [] }: NewDevice,
): Promise<void> {
  const keys = Array.from({ length: MAX_INPUTS }, (_, at) =>
    connectionKey({ address, ethMacAddress, port, channel: at + 1 }),
  )
  await tx
    .updateTable('cameras')
    .set({ device_id: deviceId })
    .where('account_id', '=', accountId)
    .where('connection_key', 'in', keys)
    .where(sharesMachines('cameras', machines))
    .where('device_id', 'is', null)
    .execute()
}

export async function loadAddition(
  tx: Tx,
  { accountId, deviceId }: DeviceKey,
): Promise<DeviceAdditionState | undefined> {
  const row = await tx
    .selectFrom('devices')
    .select(['addition_status', 'addition_sub_status', 'addition_step', 'username'])
    .select((eb) =>
      eb
        .selectFrom('device_channels as h')
        .select(({ fn }) => fn.countAll<number>().as('channels'))
        .whereRef('h.account_id', '=', 'devices.account_id')
        .whereRef('h.device_id', '=', 'devices.device_id')
        .as('channels'),
    )
    .where('account_id', '=', accountId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    status: row.addition_status,
    subStatus: additionSubStatus.parse(row.addition_sub_status),
    lastStep: row.addition_step,
    channels: Number(row.channels ?? 0),
    hasCredentials: row.username !== null,
  }
}

export interface DeviceSignIn {
  readonly username: string | null
  readonly passwordSealed: Buffer | null
  readonly allowBasic: boolean
  /** Over HTTPS. */
  readonly isSecure: boolean
}

/** How the server signs in to a device; the password is sealed. */
export async function loadSignIn(tx: Tx, { accountId, deviceId }: DeviceKey): Promise<DeviceSignIn> {
  const row = await tx
    .selectFrom('devices')
    .select(['username', 'password_sealed', 'allow_basic', 'onvif_secure'])
    .where('account_id', '=', accountId)
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow()
  const { username, password_sealed: passwordSealed, allow_basic: allowBasic, onvif_secure: isSecure } = row
  return { username, passwordSealed, allowBasic, isSecure }
}

interface Credentials extends DeviceKey {
  readonly given: { readonly username?: string | undefined; readonly password?: string | undefined }
  readonly encryption: EnvelopeEncryption
}

/** Changes how the server signs in to a device, and to the cameras at its inputs. */
export async function saveCredentials(tx: Tx, { accountId, deviceId, given, encryption }: Credentials): Promise<void> {
  const { username, password } = given
  if (username === undefined && password === undefined) return
  const sealedAt = (context: EncryptionContext) => ({
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password_sealed: encryption.seal(context, password) }),
  })
  await tx
    .updateTable('devices')
    .set(sealedAt(passwordContext({ accountId, deviceId })))
    .where('account_id', '=', accountId)
    .where('device_id', '=', deviceId)
    .execute()
  const cameras = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  for (const { camera_id: cameraId } of await cameras.where('device_id', '=', deviceId).execute()) {
    const context = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
    await tx
      .updateTable('cameras')
      .set(sealedAt(context))
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .execute()
  }
}

/** Cameras at the inputs of a device that could not be added stay, as cameras of their own. */
export async function detachCameras(tx: Tx, { accountId, deviceId }: DeviceKey): Promise<void> {
  const cameras = tx.updateTable('cameras').set({ device_id: null }).where('account_id', '=', accountId)
  await cameras.where('device_id', '=', deviceId).execute()
}
