import { instant } from '@sightline/platform/db'
import type { Arranger, TreeIds } from './arrange.ts'

export interface WorldEvent {
  readonly id: number
  readonly cameraId: number
  readonly zoneId: number
}

async function addEvent(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  of: Omit<WorldEvent, 'id'>,
): Promise<WorldEvent> {
  const id = await ids.next()
  const note = canaries.mark({ kind: 'event', id, ...at, ...of })
  const source = { source_kind: 'camera', source_id: of.cameraId, source_name: note, camera_id: of.cameraId } as const
  const event = { account_id: at.accountId, event_id: id, type: 'cameraOffline', once_key: note }
  await owner
    .insertInto('events')
    .values({ ...event, ...source, at: instant(Date.now()), note })
    .execute()
  return { id, ...of }
}

interface Pair {
  readonly first: number
  readonly second: number
}

/** One of each camera. */
export const addEvents = async (
  arranger: Arranger,
  at: TreeIds,
  { cameras, zones }: { readonly cameras: Pair; readonly zones: Pair },
): Promise<readonly [WorldEvent, WorldEvent]> => [
  await addEvent(arranger, at, { cameraId: cameras.first, zoneId: zones.first }),
  await addEvent(arranger, at, { cameraId: cameras.second, zoneId: zones.second }),
]

export async function addZone({ owner, ids, canaries }: Arranger, at: TreeIds): Promise<number> {
  const id = await ids.next()
  const name = canaries.mark({ kind: 'zone', id, ...at, zoneId: id })
  await owner.insertInto('zones').values({ account_id: at.accountId, zone_id: id, name }).execute()
  return id
}

export interface SavedViewIds {
  readonly cameraGroup: number
  readonly sequence: number
  readonly layout: number
}

/** One of each kind with that camera, which all users of the account have. */
export async function addSavedViews(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  of: { readonly cameraId: number; readonly zoneId: number },
): Promise<SavedViewIds> {
  const add = async (kind: keyof SavedViewIds, content: object): Promise<number> => {
    const id = await ids.next()
    const name = canaries.mark({ kind, id, ...at, ...of })
    const row = { account_id: at.accountId, saved_view_id: id, kind, name, content: JSON.stringify(content) }
    await owner.insertInto('saved_views').values(row).execute()
    return id
  }
  const { cameraId } = of
  return {
    cameraGroup: await add('cameraGroup', { cameraIds: [cameraId] }),
    sequence: await add('sequence', { steps: [{ cameraIds: [cameraId], seconds: 10 }] }),
    layout: await add('layout', { grid: 1, tiles: [{ x: 0, y: 0, w: 1, h: 1, cameraId }] }),
  }
}

/** A set-up code that nobody redeemed; the mark is the name of its camera. */
export async function addSetupCode({ owner, ids, canaries }: Arranger, at: TreeIds, zoneId: number): Promise<number> {
  const id = await ids.next()
  const camera_name = canaries.mark({ kind: 'setupCode', id, ...at, zoneId })
  await owner
    .insertInto('body_camera_setup_codes')
    .values({
      account_id: at.accountId,
      setup_code_id: id,
      code_sha256: Buffer.from(camera_name),
      zone_id: zoneId,
      camera_name,
      created_by: at.accountId,
      expires_at: instant(Date.now() + 86_400_000),
    })
    .execute()
  return id
}

/** An offer of a camera that the account made to nobody, or got from a sender without cameras. */
export async function addTransfer(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  kind: 'cameraTransfer' | 'cameraOffer',
): Promise<number> {
  const id = await ids.next()
  const sender_name = canaries.mark({ kind, id, ...at })
  const isOwn = kind === 'cameraTransfer'
  await owner
    .insertInto('camera_transfers')
    .values({
      account_id: isOwn ? at.accountId : await addSender(owner, ids),
      camera_transfer_id: id,
      receiver_account_id: isOwn ? null : at.accountId,
      receiver_email: 'receiver@tenancy.example',
      sender_name,
      sender_email: 'sender@tenancy.example',
      cameras: '[]',
      camera_ids: [1],
      created_at: instant(Date.now()),
      expires_at: instant(Date.now() + 86_400_000),
    })
    .execute()
  return id
}

/** An account of a reseller that nobody of the world belongs to. */
async function addSender(owner: Arranger['owner'], ids: Arranger['ids']): Promise<number> {
  const [distributor_id, reseller_id, account_id] = [await ids.next(), await ids.next(), await ids.next()]
  await owner
    .insertInto('distributors')
    .values({ distributor_id, name: `Sender ${account_id}` })
    .execute()
  await owner
    .insertInto('resellers')
    .values({ reseller_id, distributor_id, name: `Sender ${account_id}` })
    .execute()
  await owner
    .insertInto('accounts')
    .values({ account_id, reseller_id, name: `Sender ${account_id}` })
    .execute()
  return account_id
}

export async function addPackage(
  { owner, ids, canaries }: Arranger,
  place: { readonly resellerId: number; readonly distributorId: number },
): Promise<number> {
  const id = await ids.next()
  const name = canaries.mark({ kind: 'package', id, ...place })
  const sort = { sku: name, quality: 'SD1', retention_hours: 168, max_cameras: 10, max_devices: 10 } as const
  await owner
    .insertInto('subscription_packages')
    .values({ reseller_id: place.resellerId, subscription_package_id: id, name, ...sort })
    .execute()
  return id
}

/** Firmware that a reseller offers. */
export async function addFirmware(
  { owner, ids, canaries }: Arranger,
  place: { readonly resellerId: number; readonly distributorId: number },
): Promise<number> {
  const id = await ids.next()
  const brand = canaries.mark({ kind: 'firmwareImage', id, ...place })
  const image = { model: 'Dome', version: '1', size_bytes: 3, sha256: Buffer.alloc(32, 1) }
  await owner
    .insertInto('firmware_images')
    .values({ reseller_id: place.resellerId, image_id: id, brand, ...image })
    .execute()
  return id
}

/** A recorder that responds, with two inputs, and a job that waits. */
export async function addDevice(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  zoneId: number,
): Promise<{ deviceId: number; deviceJobId: number }> {
  const deviceId = await ids.next()
  const deviceJobId = await ids.next()
  const name = canaries.mark({ kind: 'device', id: deviceId, ...at, zoneId })
  canaries.mark({ kind: 'deviceJob', id: deviceJobId, ...at, zoneId })
  const key = { account_id: at.accountId, device_id: deviceId }
  const reached = { address: '192.0.2.60', eth_mac_address: '02:00:00:00:00:02' }
  await owner
    .insertInto('devices')
    .values({ ...key, zone_id: zoneId, name, ...reached })
    .execute()
  const stream = { online: true, rtsp_port: 554, main_path: '/main', stream_secure: false, snapshot_profile: 'sub' }
  await owner
    .insertInto('device_channels')
    .values([1, 2].map((channel) => ({ ...key, channel, name: `${name} ${channel}`, ...stream })))
    .execute()
  const now = instant(Date.now())
  await owner
    .insertInto('device_status')
    .values({ ...key, online: true, last_connection_result: 'ok', last_seen: now, changed_at: now })
    .execute()
  await owner
    .insertInto('device_jobs')
    .values({ ...key, job_id: deviceJobId, type: 'reboot', state: 'done', created_at: now })
    .execute()
  await owner
    .insertInto('device_log')
    .values({ ...key, at: now, level: 'info', event: 'connected', detail: name })
    .execute()
  return { deviceId, deviceJobId }
}
