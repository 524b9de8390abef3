/** Cameras, recorders and their events for the calls that write. For tests. */
import { MS_PER_DAY } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import type { TestApi } from '../api-testing.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { offerFirmware } from '../firmware-testing-store.ts'

interface Account {
  readonly accountId: number
  readonly token: string
  readonly zoneId: number
}

export async function addDevice(api: TestApi, { accountId, token, zoneId }: Account, address: string): Promise<number> {
  const { deviceId } = (await api.call(token, 'POST devices', { name: 'Cellar', zoneId, address })).body
  await reportDevice(api, { accountId, deviceId })
  return deviceId
}

export async function addBusyDevice(api: TestApi, account: Account) {
  const deviceId = await addDevice(api, account, '192.0.2.61')
  const { jobId } = (await api.call(account.token, `POST devices/${deviceId}/reboot`)).body
  return { deviceId, jobId }
}

export async function addOnvifCamera(api: TestApi, { accountId, zoneId }: Account, name: string): Promise<number> {
  const cameraId = await api.addCamera(accountId, zoneId, name)
  const onvif = { onvif_port: 80, username: 'viewer' }
  await api.owner.plain.updateTable('cameras').set(onvif).where('camera_id', '=', cameraId).execute()
  const status = { account_id: accountId, camera_id: cameraId, online: true }
  await api.owner.plain.insertInto('camera_status').values(status).execute()
  return cameraId
}

export async function addBodyCamera(api: TestApi, { accountId, zoneId }: Account): Promise<number> {
  const cameraId = await api.addCamera(accountId, zoneId, 'Patrol')
  const secret = { token_sha256: tokenSha256(`body camera ${cameraId}`), serial_number: 'BW-7' }
  const row = { account_id: accountId, camera_id: cameraId, ...secret }
  await api.owner.plain.insertInto('body_cameras').values(row).execute()
  return cameraId
}

export async function addBusyCamera(api: TestApi, account: Account) {
  const cameraId = await addOnvifCamera(api, account, 'Gate')
  const { jobId } = (await api.call(account.token, `POST cameras/${cameraId}/reboot`)).body
  return { cameraId, jobId }
}

export async function addEvent({ owner }: TestApi, accountId: number, cameraId: number): Promise<number> {
  const source = { source_kind: 'camera', source_id: cameraId, source_name: 'Door', camera_id: cameraId } as const
  const event = { account_id: accountId, at: instant(Date.now()), type: 'cameraOffline', once_key: 'offline' }
  const inserted = owner.plain
    .insertInto('events')
    .values({ ...event, ...source })
    .returning('event_id')
  return (await inserted.executeTakeFirstOrThrow()).event_id
}

export async function addLock({ owner }: TestApi, accountId: number, cameraId: number): Promise<number> {
  const [started_at, ended_at] = [instant(Date.UTC(2026, 1, 1)), instant(Date.UTC(2026, 1, 2))]
  const lock = { account_id: accountId, footage_lock_id: 1, camera_id: cameraId, started_at, ended_at }
  await owner.plain
    .insertInto('footage_locks')
    .values({ ...lock, locked_by: accountId, locked_at: instant(Date.now()) })
    .execute()
  return 1
}

/** An export with a file, and footage of the first hour of 2026. It is the owner's. */
export async function addDoneExport({ owner }: TestApi, accountId: number, cameraId: number): Promise<number> {
  const [started_at, ended_at] = [instant(Date.UTC(2026, 0, 1)), instant(Date.UTC(2026, 0, 1, 1))]
  const of = { account_id: accountId, started_at, ended_at }
  await owner.plain
    .insertInto('recording_runs')
    .values({ ...of, camera_id: cameraId, stream: 'main', run_id: 'e'.repeat(32), bytes: 1000 })
    .execute()
  const now = Date.now()
  const file = {
    exported_at: instant(now),
    expires_at: instant(now + MS_PER_DAY),
    size_bytes: 1000,
    sha256: Buffer.alloc(32, 1),
  }
  const wanted = { camera_ids: [cameraId], format: 'mp4', has_password: false, estimated_bytes: 1000 } as const
  await owner.plain
    .insertInto('exports')
    .values({
      ...of,
      ...file,
      ...wanted,
      export_id: cameraId,
      user_id: accountId,
      created_at: instant(now),
      status: 'Done',
      has_sound: false,
    })
    .execute()
  return cameraId
}

/** A share of the owner's, of the same footage, whose copy is done. */
export async function addDoneShare({ owner }: TestApi, accountId: number, cameraId: number) {
  const [started_at, ended_at] = [instant(Date.UTC(2026, 0, 1)), instant(Date.UTC(2026, 0, 1, 1))]
  const [now, until] = [instant(Date.now()), instant(Date.now() + MS_PER_DAY)]
  const of = { account_id: accountId, user_id: accountId, created_at: now, expires_at: until }
  const exportId = cameraId + 1_000_000_000
  const copied = { is_shared: true, kept_until: until, exported_at: now, size_bytes: 1000, sha256: Buffer.alloc(32, 2) }
  const wanted = { camera_ids: [cameraId], format: 'mp4', has_password: false, estimated_bytes: 1000 } as const
  await owner.plain
    .insertInto('exports')
    .values({
      ...of,
      ...copied,
      ...wanted,
      started_at,
      ended_at,
      export_id: exportId,
      status: 'Done',
      has_sound: false,
    })
    .execute()
  const secret = String(cameraId).padStart(22, 'W')
  const opened = { secret_sha256: tokenSha256(secret), is_public: false }
  await owner.plain
    .insertInto('shares')
    .values({ ...of, ...opened, share_id: cameraId, export_id: exportId })
    .execute()
  return { shareId: cameraId, shareSecret: secret }
}

/** A camera whose former device can be put back. */
export async function addReplacedCamera(
  api: TestApi,
  { accountId, zoneId }: { readonly accountId: number; readonly zoneId: number },
): Promise<number> {
  const cameraId = await api.addCamera(accountId, zoneId, 'Attic')
  await setOwnMac(api, cameraId)
  const { rows } = await sql<{ connection: object }>`
    select camera_connection(c) as connection from cameras c where camera_id = ${cameraId}`.execute(api.owner.plain)
  const connection = JSON.stringify(rows[0]?.connection)
  const times = { replaced_at: instant(Date.now()), undo_until: instant(Date.now() + MS_PER_DAY) }
  await api.owner.plain
    .insertInto('former_cameras')
    .values({ account_id: accountId, camera_id: cameraId, connection, ...times })
    .execute()
  return cameraId
}

/** A MAC address that no other camera has: it belongs to one account. */
async function setOwnMac(api: TestApi, cameraId: number): Promise<void> {
  const digits = (cameraId % 100_000_000).toString(10).padStart(8, '0').match(/../g)
  const values = { eth_mac_address: `02:01:${digits?.join(':')}` }
  await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
}

async function addOfferable(api: TestApi, { accountId, zoneId }: Omit<Account, 'token'>): Promise<number> {
  const cameraId = await api.addCamera(accountId, zoneId, 'Offered')
  await setOwnMac(api, cameraId)
  return cameraId
}

/** A camera that can be offered, an offer that the account made, and one that it got. */
export async function addTransfers(api: TestApi, account: Account) {
  const sender = await api.addAccount()
  const offer = async (from: Account, to: number) => {
    const body = { cameraIds: [await addOfferable(api, from)], targetAccountId: to }
    const { body: made } = await api.call(from.token, 'POST cameras/transfer', body)
    return made.cameraTransferId as number
  }
  const cameraId = await addOfferable(api, account)
  return { cameraId, made: await offer(account, sender.accountId), got: await offer(sender, account.accountId) }
}

/** A camera and a recorder for which there is newer firmware. */
export async function addUpgradable(api: TestApi, account: Account) {
  const cameraId = await addOnvifCamera(api, account, 'Roof')
  const deviceId = await addDevice(api, account, '192.0.2.63')
  // Accounts of other tests have other models: a version of a model is there once.
  const model = `Offered ${account.accountId}`
  const values = { brand: 'Acme', model, firmware_version: '1.0' }
  await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
  await api.owner.plain.updateTable('devices').set(values).where('device_id', '=', deviceId).execute()
  await offerFirmware(api, { model, version: '1.1' })
  return { cameraId, deviceId }
}

/** Firmware of a dealer of which nothing was uploaded yet: 3 bytes. */
export async function addFirmwareToUpload({ owner }: TestApi, accountId: number): Promise<number> {
  const id = accountId + 2_000_000_000
  const image = { brand: `Acme ${accountId}`, model: 'Dome', version: '1', size_bytes: 3 }
  // Each test arranges a world under the same reseller, which may have a hundred images.
  await owner.plain.deleteFrom('firmware_images').where('reseller_id', '=', 255).execute()
  await owner.plain
    .insertInto('firmware_images')
    .values({ image_id: id, reseller_id: 255, ...image })
    .execute()
  return id
}

interface FirmwareTargets {
  readonly upgradable: { readonly cameraId: number; readonly deviceId: number }
  readonly firmwareImageId: number
}

/** The calls about firmware. */
export const firmwareCalls = {
  checkCamera: ({ upgradable: { cameraId } }: FirmwareTargets) => [`POST cameras/${cameraId}/checkUp`] as const,
  upgradeCameraFirmware: ({ upgradable: { cameraId } }: FirmwareTargets) =>
    [`POST cameras/${cameraId}/firmware`, {}] as const,
  upgradeCamerasFirmware: ({ upgradable: { cameraId } }: FirmwareTargets) =>
    ['POST cameras/firmware', { cameraIds: [cameraId] }] as const,
  upgradeDeviceFirmware: ({ upgradable: { deviceId } }: FirmwareTargets) =>
    [`POST devices/${deviceId}/firmware`, {}] as const,
}

/** Those of dealers. */
export const dealerFirmwareCalls = {
  addFirmwareImage: ({ firmwareImageId }: FirmwareTargets) => {
    const version = String(firmwareImageId)
    return ['POST resellers/255/firmwareImages', { brand: 'Acme', model: 'Dome', version, sizeBytes: 3 }] as const
  },
  putFirmwarePart: ({ firmwareImageId }: FirmwareTargets) =>
    [`PUT resellers/255/firmwareImages/${firmwareImageId}/parts/0`, { data: 'YWJj' }] as const,
  deleteFirmwareImage: ({ firmwareImageId }: FirmwareTargets) =>
    [`DELETE resellers/255/firmwareImages/${firmwareImageId}`] as const,
}
