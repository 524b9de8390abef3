import type { SetupCode, TrackPoint } from '@sightline/contract/body-cameras'
import { BODY_WORN } from '@sightline/contract/cameras'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, instant, type MobileNetworkJson, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { startSettings } from '../camera-additions/index.ts'

interface SetupCodeRow {
  readonly setup_code_id: number
  readonly zone_id: number
  readonly expires_at: number
  readonly camera_id: number | null
}

const toSetupCode = (row: SetupCodeRow): SetupCode => ({
  setupCodeId: row.setup_code_id,
  zoneId: row.zone_id,
  expiresAt: toDateTime(row.expires_at),
  cameraId: row.camera_id,
})

/** How many codes of the account can still be redeemed; the account is locked, so that they are counted one by one. */
export async function countOpenCodes(tx: Tx, accountId: number, now: number): Promise<number> {
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forUpdate().execute()
  const { count } = await tx
    .selectFrom('body_camera_setup_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('camera_id', 'is', null)
    .where('expires_at', '>', instant(now))
    .executeTakeFirstOrThrow()
  return count
}

export interface NewCode {
  readonly accountId: number
  readonly setupCodeId: number
  readonly sha256: Buffer
  readonly zoneId: number
  readonly cameraName: string
  readonly createdBy: number
  readonly expiresAt: number
  /** Null: the camera is set up for Wi-Fi. */
  readonly mobileNetwork: MobileNetworkJson | null
}

export async function insertCode(tx: Tx, given: NewCode): Promise<SetupCode> {
  const row = await tx
    .insertInto('body_camera_setup_codes')
    .values({
      account_id: given.accountId,
      setup_code_id: given.setupCodeId,
      code_sha256: given.sha256,
      zone_id: given.zoneId,
      camera_name: given.cameraName,
      created_by: given.createdBy,
      expires_at: instant(given.expiresAt),
      mobile_network: given.mobileNetwork && JSON.stringify(given.mobileNetwork),
    })
    .returning(['setup_code_id', 'zone_id', 'expires_at', 'camera_id'])
    .executeTakeFirstOrThrow()
  return toSetupCode(row)
}

export async function findCode(
  tx: Tx,
  { accountId, setupCodeId }: { readonly accountId: number; readonly setupCodeId: number },
): Promise<SetupCode | undefined> {
  const row = await tx
    .selectFrom('body_camera_setup_codes')
    .select(['setup_code_id', 'zone_id', 'expires_at', 'camera_id'])
    .where('account_id', '=', accountId)
    .where('setup_code_id', '=', setupCodeId)
    .executeTakeFirst()
  return row === undefined ? undefined : toSetupCode(row)
}

/** Whose secret it is: of a set-up code that wasn't redeemed, or of a camera. */
export async function findSecretOwner(
  db: Db,
  sha256: Buffer,
): Promise<{ accountId: number; setupCodeId: number | null; cameraId: number | null } | undefined> {
  const { rows } = await sql<{ account_id: number; setup_code_id: number | null; camera_id: number | null }>`
    select account_id, setup_code_id, camera_id from find_body_camera_account(${sha256})`.execute(db.plain)
  const [row] = rows
  return row && { accountId: row.account_id, setupCodeId: row.setup_code_id, cameraId: row.camera_id }
}

/** The code, locked until the transaction ends; undefined once it is redeemed or expired. */
export async function lockOpenCode(
  tx: Tx,
  { accountId, setupCodeId, now }: { readonly accountId: number; readonly setupCodeId: number; readonly now: number },
): Promise<Pick<NewCode, 'zoneId' | 'cameraName' | 'mobileNetwork'> | undefined> {
  const row = await tx
    .selectFrom('body_camera_setup_codes')
    .select(['zone_id', 'camera_name', 'mobile_network'])
    .where('account_id', '=', accountId)
    .where('setup_code_id', '=', setupCodeId)
    .where('camera_id', 'is', null)
    .where('expires_at', '>', instant(now))
    .forUpdate()
    .executeTakeFirst()
  return row && { zoneId: row.zone_id, cameraName: row.camera_name, mobileNetwork: row.mobile_network }
}

export interface Registration {
  readonly accountId: number
  readonly setupCodeId: number
  readonly cameraId: number
  readonly zoneId: number
  readonly name: string
  readonly serialNumber: string
  readonly brand: string | undefined
  readonly model: string | undefined
  readonly tokenSha256: Buffer
  readonly mobileNetwork: MobileNetworkJson | null
}

/**
 * Adds the camera and redeems its code. Without an address and with port 0, no worker ever connects to it. Fails with
 * `slotFault` of the cameras.
 */
export async function insertBodyCamera(tx: Tx, given: Registration): Promise<void> {
  const { accountId, cameraId, zoneId, setupCodeId } = given
  const key = { account_id: accountId, camera_id: cameraId }
  await tx
    .insertInto('cameras')
    .values({
      ...key,
      zone_id: zoneId,
      name: given.name,
      device_type_id: BODY_WORN,
      eth_mac_address: '',
      brand: given.brand ?? null,
      model: given.model ?? null,
      serial: given.serialNumber,
      address: '',
      rtsp_port: 0,
      main_path: '',
      addition_status: 'added',
      ...startSettings(accountId, zoneId),
    })
    .execute()
  await tx
    .insertInto('body_cameras')
    .values({
      ...key,
      token_sha256: given.tokenSha256,
      serial_number: given.serialNumber,
      mobile_network: given.mobileNetwork && JSON.stringify(given.mobileNetwork),
    })
    .execute()
  await tx
    .updateTable('body_camera_setup_codes')
    .set({ camera_id: cameraId })
    .where('account_id', '=', accountId)
    .where('setup_code_id', '=', setupCodeId)
    .execute()
}

export interface Position {
  readonly time: number
  readonly latitude: number
  readonly longitude: number
  readonly heading?: number | undefined
  readonly speed?: number | undefined
}

/** Stores those of new times; how many. */
export async function insertPositions(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  positions: readonly Position[],
): Promise<number> {
  if (positions.length === 0) return 0
  const rows = positions.map(({ time, latitude, longitude, heading = null, speed = null }) => ({
    account_id: accountId,
    camera_id: cameraId,
    at: instant(time),
    latitude,
    longitude,
    heading,
    speed,
  }))
  const stored = await tx
    .insertInto('body_camera_positions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .execute()
  return stored.length
}

/** Hours of positions that the camera keeps; undefined once it is removed. It stays until the transaction ends. */
export async function keepCamera(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('cameras')
    .select('retention_hours')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .forKeyShare()
    .executeTakeFirst()
  return row?.retention_hours
}

export interface TrackRange {
  readonly accountId: number
  readonly cameraId: number
  readonly from: number
  readonly till: number
  /** The first position of each stretch of this length; of all, with 1. */
  readonly everyMs: number
}

export async function loadTrack(tx: Tx, range: TrackRange): Promise<TrackPoint[]> {
  const { rows } = await sql<{
    at: number
    latitude: number
    longitude: number
    heading: number | null
    speed: number | null
  }>`
    select distinct on (stretch) at, latitude, longitude, heading, speed
      from (
        select at, latitude, longitude, heading, speed,
               floor(extract(epoch from at) * 1000 / ${range.everyMs}::double precision) as stretch
          from body_camera_positions
         where account_id = ${range.accountId} and camera_id = ${range.cameraId}
           and at >= ${instant(range.from)} and at < ${instant(range.till)}
      ) position
     order by stretch, at`.execute(tx)
  return rows.map((row) => ({ ...row, time: toDateTime(row.at) })).map(toTrackPoint)
}

const toTrackPoint = ({ time, latitude, longitude, heading, speed }: TrackPoint): TrackPoint => ({
  time,
  latitude,
  longitude,
  heading,
  speed,
})

/** How many positions there are in a range. */
export async function countPositions(tx: Tx, range: Omit<TrackRange, 'everyMs'>): Promise<number> {
  const { count } = await tx
    .selectFrom('body_camera_positions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', range.accountId)
    .where('camera_id', '=', range.cameraId)
    .where('at', '>=', instant(range.from))
    .where('at', '<', instant(range.till))
    .executeTakeFirstOrThrow()
  return count
}

/** Removes positions older than the footage of their camera, and old codes. */
export async function pruneBodyCameras(db: Db, now: number): Promise<void> {
  await sql`select prune_body_cameras(${instant(now)})`.execute(db.plain)
}
