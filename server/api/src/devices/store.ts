import { additionSubStatus, connectionResult } from '@sightline/contract/cameras'
import type { DeviceChannel } from '@sightline/contract/device-channels'
import type { DeviceJob } from '@sightline/contract/device-jobs'
import type {
  DeviceCredentials,
  DeviceStatus,
  deviceConnection,
  deviceInfo,
  RecorderDevice,
} from '@sightline/contract/devices'
import { toDateTime } from '@sightline/contract/wire'
import { type Database, matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import { accessibleCameras, firmwareColumns, rememberRemoval, toFirmwareStatus } from '../cameras/index.ts'

export type DeviceScope = Pick<MemberCaller, 'accountId' | 'access'>

/** A device of the account. */
export interface DeviceKey {
  readonly accountId: number
  readonly deviceId: number
}

/** The devices that a caller has access to: those in zones that are theirs as a whole. All queries about devices start here. */
const accessibleDevices = (tx: Tx, { accountId, access }: DeviceScope) => {
  const query = tx.selectFrom('devices').where('devices.account_id', '=', accountId)
  return access.kind === 'all' ? query : query.where('devices.zone_id', '=', matchAny([...access.zoneIds]))
}

const withStatus = (tx: Tx, scope: DeviceScope) =>
  accessibleDevices(tx, scope).leftJoin('device_status', (join) =>
    join
      .onRef('device_status.account_id', '=', 'devices.account_id')
      .onRef('device_status.device_id', '=', 'devices.device_id'),
  )

/** A device without what belongs to its inputs and jobs. */
export type BareDevice = Omit<RecorderDevice, 'channels' | 'jobs'>

/** @param which only this one. */
export async function listDevices(
  tx: Tx,
  scope: DeviceScope,
  which: { readonly deviceId?: number; readonly online?: boolean | undefined } = {},
): Promise<BareDevice[]> {
  let query = withStatus(tx, scope)
  if (which.deviceId !== undefined) query = query.where('devices.device_id', '=', which.deviceId)
  if (which.online !== undefined) {
    const { online } = which
    query = query.where(({ eb, fn, val }) => eb(fn.coalesce('device_status.online', val(false)), '=', online))
  }
  const rows = await query
    .select(['devices.device_id', 'name', 'zone_id', 'devices.account_id', 'eth_mac_address', 'device_type_id'])
    .select(['brand', 'model', 'firmware_version', 'addition_status', 'addition_sub_status', 'created_at'])
    .select('device_status.online')
    .orderBy('name')
    .orderBy('devices.device_id')
    .execute()
  return rows.map((row) => ({
    deviceId: row.device_id,
    name: row.name,
    zoneId: row.zone_id,
    accountId: row.account_id,
    ethMacAddress: row.eth_mac_address,
    deviceTypeId: row.device_type_id,
    brand: row.brand,
    model: row.model,
    firmware: row.firmware_version,
    status: row.online === true ? 'online' : 'offline',
    additionStatus: row.addition_status,
    additionSubStatus: additionSubStatus.parse(row.addition_sub_status),
    createdAt: toDateTime(row.created_at),
  }))
}

/** The inputs of devices of the account, in their order. `scope` decides whose cameras are named. */
export async function listChannels(
  tx: Tx,
  scope: DeviceScope,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, DeviceChannel[]>> {
  const rows = await tx
    .selectFrom('device_channels as h')
    .leftJoin('cameras as c', (join) =>
      join
        .onRef('c.account_id', '=', 'h.account_id')
        .onRef('c.device_id', '=', 'h.device_id')
        .on(({ eb, fn, val }) => eb(fn.coalesce('c.input', val(1)), '=', eb.ref('h.channel'))),
    )
    .select(['h.device_id', 'h.channel', 'h.name', 'h.online', 'c.camera_id'])
    .where('h.account_id', '=', scope.accountId)
    .where('h.device_id', '=', matchAny(deviceIds))
    .orderBy('h.channel')
    .execute()
  const attached = rows.flatMap(({ camera_id }) => (camera_id === null ? [] : [camera_id]))
  const seen = await accessibleCameras(tx, scope)
    .select('cameras.camera_id')
    .where('cameras.camera_id', '=', matchAny(attached))
    .execute()
  const inSight = new Set(seen.map(({ camera_id }) => camera_id))
  const found = new Map<number, DeviceChannel[]>(deviceIds.map((deviceId) => [deviceId, []]))
  for (const row of rows) {
    found.get(row.device_id)?.push({
      channelId: row.channel,
      channel: row.channel,
      name: row.name,
      online: row.online,
      attached: row.camera_id !== null,
      cameraId: row.camera_id !== null && inSight.has(row.camera_id) ? row.camera_id : null,
    })
  }
  return found
}

/** A row of table device_jobs as it is shown. */
export const toDeviceJob = (row: Selectable<Database['device_jobs']>): DeviceJob => ({
  jobId: row.job_id,
  type: row.type,
  state: row.state,
  progress: row.progress,
  phase: row.phase,
  createdAt: toDateTime(row.created_at),
  endedAt: row.ended_at === null ? null : toDateTime(row.ended_at),
  ...(row.error === null ? {} : { error: row.error }),
})

/** The jobs of devices of the account from then on, newest first; milliseconds since 1970. */
export async function listJobs(
  tx: Tx,
  { accountId }: Pick<DeviceScope, 'accountId'>,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, DeviceJob[]>> {
  const rows = await tx
    .selectFrom('device_jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('device_id', '=', matchAny(deviceIds))
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .execute()
  const found = new Map<number, DeviceJob[]>(deviceIds.map((deviceId) => [deviceId, []]))
  for (const row of rows) {
    found.get(row.device_id ?? 0)?.push(toDeviceJob(row))
  }
  return found
}

/** Locked until the transaction ends; undefined if it doesn't exist or is out of the caller's scope. */
export async function lockDevice(tx: Tx, scope: DeviceScope, deviceId: number): Promise<BareDevice | undefined> {
  const row = await accessibleDevices(tx, scope)
    .select('devices.device_id')
    .where('devices.device_id', '=', deviceId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return (await listDevices(tx, scope, { deviceId }))[0]
}

export async function saveDevice(tx: Tx, { accountId, deviceId, name, zoneId }: BareDevice): Promise<void> {
  const devices = tx.updateTable('devices').set({ name, zone_id: zoneId }).where('account_id', '=', accountId)
  await devices.where('device_id', '=', deviceId).execute()
}

/** The inputs of a device that are cameras of the account, also those out of the caller's scope. */
export async function listAttached(tx: Tx, { accountId, deviceId }: DeviceKey): Promise<readonly number[]> {
  const cameras = tx.selectFrom('cameras').select('input').where('account_id', '=', accountId)
  const rows = await cameras.where('device_id', '=', deviceId).orderBy('input').execute()
  return rows.map(({ input }) => input ?? 1)
}

export async function removeDevice(tx: Tx, { accountId, deviceId }: DeviceKey): Promise<void> {
  await rememberRemoval(tx, 'devices', { accountId, id: deviceId })
  const devices = tx.deleteFrom('devices').where('account_id', '=', accountId)
  await devices.where('device_id', '=', deviceId).execute()
}

/** Of one device, or of all in the scope. */
export async function listDeviceStatuses(
  tx: Tx,
  scope: DeviceScope,
  deviceId?: number,
): Promise<ReadonlyMap<number, DeviceStatus>> {
  const rows = await withStatus(tx, scope)
    .select('devices.device_id')
    .select(['online', 'last_connection_result', 'last_seen', 'storage_total_bytes', 'storage_used_bytes'])
    .select(firmwareColumns('devices'))
    .$if(deviceId !== undefined, (query) => query.where('devices.device_id', '=', deviceId ?? 0))
    .execute()
  return new Map(
    rows.map((row) => {
      const { storage_total_bytes: totalBytes, storage_used_bytes: usedBytes } = row
      const status = {
        deviceId: row.device_id,
        online: row.online ?? false,
        firmwareStatus: toFirmwareStatus(row),
        storage: totalBytes === null || usedBytes === null ? null : { totalBytes, usedBytes },
        lastConnectionResult: connectionResult.parse(row.last_connection_result ?? 'neverConnected'),
        lastSeen: row.last_seen === null ? null : toDateTime(row.last_seen),
      }
      return [row.device_id, status]
    }),
  )
}

/** How the server reaches a device, and what that said about itself. */
export interface DeviceDetails {
  readonly credentials: DeviceCredentials
  readonly connection: z.infer<typeof deviceConnection>
  readonly info: z.infer<typeof deviceInfo>
}

export async function loadDetails(tx: Tx, scope: DeviceScope, deviceId: number): Promise<DeviceDetails | undefined> {
  const row = await accessibleDevices(tx, scope)
    .select(['address', 'named_port', 'onvif_port', 'onvif_secure', 'username', 'password_sealed', 'eth_mac_address'])
    .select('allow_basic')
    .select(['brand', 'model', 'firmware_version', 'serial'])
    .select((eb) =>
      eb
        .selectFrom('device_channels')
        .select(({ fn }) => fn.countAll<number>().as('channels'))
        .whereRef('device_channels.account_id', '=', 'devices.account_id')
        .whereRef('device_channels.device_id', '=', 'devices.device_id')
        .as('channels'),
    )
    .where('devices.device_id', '=', deviceId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    credentials: { username: row.username, passwordKnown: row.password_sealed !== null, allowBasic: row.allow_basic },
    connection: {
      localIp: row.address === '' ? null : row.address,
      localPort: row.onvif_port ?? row.named_port,
      globalIp: null,
      globalPort: null,
      https: row.onvif_secure,
      streamType: 'rtsp',
      connectionType: 'Ethernet',
    },
    info: {
      brand: row.brand,
      model: row.model,
      firmwareVersion: row.firmware_version,
      serial: row.serial,
      type: 'recorder',
      ethMacAddress: row.eth_mac_address,
      channelCount: Number(row.channels ?? 0),
    },
  }
}
