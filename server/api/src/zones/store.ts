import { toDateTime } from '@sightline/contract/wire'
import { holdsZone, type Zone } from '@sightline/contract/zones'
import { isUniqueViolation, matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'

type Reach = Pick<MemberCaller, 'accountId' | 'isSuperUser' | 'access'>

export interface ZoneFields {
  readonly name: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timeZone: string | null
}

export const toFields = ({ name, latitude, longitude, timeZone }: ZoneFields): ZoneFields => ({
  name,
  latitude,
  longitude,
  timeZone,
})

const toRow = ({ name, latitude, longitude, timeZone }: ZoneFields) => ({
  name,
  latitude,
  longitude,
  time_zone: timeZone,
})

interface Placed {
  readonly camera_id: number
  readonly zone_id: number
  readonly retention_hours: number
}

/** The cameras in the caller's scope, by zone, in the order of their names. */
async function camerasByZone(tx: Tx, caller: Reach, zoneId: number | undefined): Promise<Map<number, Placed[]>> {
  let query = accessibleCameras(tx, caller).select(['cameras.camera_id', 'cameras.zone_id', 'cameras.retention_hours'])
  if (zoneId !== undefined) query = query.where('cameras.zone_id', '=', zoneId)
  return Map.groupBy(await query.orderBy('cameras.name').orderBy('cameras.camera_id').execute(), (row) => row.zone_id)
}

async function devicesByZone(tx: Tx, { accountId }: Reach): Promise<Map<number, { device_id: number }[]>> {
  const query = tx.selectFrom('devices').select(['device_id', 'zone_id']).where('account_id', '=', accountId)
  return Map.groupBy(await query.orderBy('name').orderBy('device_id').execute(), (row) => row.zone_id)
}

/**
 * The zones that the caller sees, by name: as `seesZone` of contract/src/zones decides it for one. `namePattern` is for
 * SQL `ilike`.
 */
export async function listZones(
  tx: Tx,
  caller: Reach,
  of: { readonly zoneId?: number; readonly namePattern?: string | undefined } = {},
): Promise<Zone[]> {
  const cameras = await camerasByZone(tx, caller, of.zoneId)
  const devices = await devicesByZone(tx, caller)
  let query = tx.selectFrom('zones').selectAll().where('account_id', '=', caller.accountId)
  if (caller.access.kind === 'some')
    query = query.where('zone_id', '=', matchAny([...caller.access.zoneIds, ...cameras.keys()]))
  if (of.zoneId !== undefined) query = query.where('zone_id', '=', of.zoneId)
  if (of.namePattern !== undefined) query = query.where('name', 'ilike', of.namePattern)
  const rows = await query.orderBy(sql`lower(name)`).orderBy('zone_id').execute()
  return rows.map((row): Zone => {
    const held = cameras.get(row.zone_id) ?? []
    const whole = holdsZone(caller, { accountId: row.account_id, zoneId: row.zone_id })
    return {
      zoneId: row.zone_id,
      accountId: row.account_id,
      name: row.name,
      mode: row.mode,
      recordingMode: row.recording_mode,
      retention: sameFor(held.map((camera) => camera.retention_hours)),
      latitude: row.latitude,
      longitude: row.longitude,
      timeZone: row.time_zone,
      cameraIds: held.map((camera) => camera.camera_id),
      deviceIds: whole ? (devices.get(row.zone_id) ?? []).map((device) => device.device_id) : [],
      whole,
      createdAt: toDateTime(row.created_at),
    }
  })
}

const sameFor = (values: readonly number[]): number | null => {
  const [first, ...others] = new Set(values)
  return first === undefined || others.length > 0 ? null : first
}

/** Undefined if it doesn't exist or is out of the caller's scope: callers can't tell which. */
export async function findZone(tx: Tx, caller: Reach, zoneId: number): Promise<Zone | undefined> {
  const [found] = await listZones(tx, caller, { zoneId })
  return found
}

/** Locks the zone against changes and deletion until the transaction ends. False if it no longer exists. */
export async function lockZone(tx: Tx, { accountId, zoneId }: { accountId: number; zoneId: number }): Promise<boolean> {
  const zone = tx
    .selectFrom('zones')
    .select('zone_id')
    .where('account_id', '=', accountId)
    .where('zone_id', '=', zoneId)
  return (await zone.forUpdate().executeTakeFirst()) !== undefined
}

/**
 * Locks an account's zones, and access to them, until the transaction ends, so that two zones aren't deleted at once
 * because each saw the other.
 */
export async function lockZones(tx: Tx, accountId: number): Promise<void> {
  const account = tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId)
  await account.forNoKeyUpdate().execute()
}

/** The content of a zone, regardless of access, and the number of other zones. */
export async function loadZoneContents(
  tx: Tx,
  { accountId, zoneId }: { accountId: number; zoneId: number },
): Promise<{ readonly cameras: number; readonly devices: number; readonly otherZones: number }> {
  const { rows } = await sql<{ cameras: number; devices: number; other_zones: number }>`
    select (select count(*) from cameras where account_id = ${accountId} and zone_id = ${zoneId}) as cameras,
           (select count(*) from devices where account_id = ${accountId} and zone_id = ${zoneId}) as devices,
           (select count(*) from zones where account_id = ${accountId} and zone_id <> ${zoneId}) as other_zones`.execute(
    tx,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a query without a table has one row')
  return { cameras: row.cameras, devices: row.devices, otherZones: row.other_zones }
}

/** Adds a zone; a user without access to all cameras gets access to it. */
export async function insertZone(tx: Tx, caller: MemberCaller, zone: ZoneFields & { zoneId: number }): Promise<void> {
  const key = { account_id: caller.accountId, zone_id: zone.zoneId }
  await tx
    .insertInto('zones')
    .values({ ...key, ...toRow(zone) })
    .execute()
  if (caller.access.kind === 'all') return
  await tx
    .insertInto('user_zones')
    .values({ ...key, user_id: caller.userId })
    .execute()
}

/** Whether `error` says that another zone of the account has that name, in any case. */
export const isNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'zones_by_name')

export async function saveZone(tx: Tx, accountId: number, zone: ZoneFields & { zoneId: number }): Promise<void> {
  const zones = tx.updateTable('zones').set(toRow(zone))
  await zones.where('account_id', '=', accountId).where('zone_id', '=', zone.zoneId).execute()
}

export async function removeZone(tx: Tx, { accountId, zoneId }: { accountId: number; zoneId: number }): Promise<void> {
  await tx.deleteFrom('zones').where('account_id', '=', accountId).where('zone_id', '=', zoneId).execute()
}
