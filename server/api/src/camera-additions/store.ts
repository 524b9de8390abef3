import {
  type AdditionStatus,
  type AdditionSubStatus,
  additionSubStatus,
  DEFAULT_RTSP_PORT,
  DEFAULT_RTSPS_PORT,
  type NewCamera,
} from '@sightline/contract/camera-additions'
import { instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { sql } from 'kysely'
import { connectionKey } from './rules.ts'

/** Whether the account already has this stream of this camera. */
export const isAlreadyAdded = (error: unknown): boolean => isUniqueViolation(error, 'cameras_by_connection')

/** The camera of the account with that connection whose addition failed, locked: it is tried again under its id. */
export async function lockFailedAddition(
  tx: Tx,
  { accountId, key }: { readonly accountId: number; readonly key: string },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('cameras')
    .select('camera_id')
    .where('account_id', '=', accountId)
    .where('connection_key', '=', key)
    .where('addition_status', '=', 'failure')
    .forUpdate()
    .executeTakeFirst()
  return row?.camera_id
}

interface Addition {
  readonly accountId: number
  readonly cameraId: number
  readonly given: NewCamera
  readonly encryption: EnvelopeEncryption
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Writes a camera whose addition begins: a new one, or one that failed before under the same id. */
export async function saveAddition(tx: Tx, addition: Addition): Promise<void> {
  const { accountId, cameraId, given } = addition
  const values = {
    account_id: accountId,
    camera_id: cameraId,
    zone_id: given.zoneId,
    name: given.name,
    eth_mac_address: '',
    brand: given.brand === '' ? null : (given.brand ?? null),
    model: given.model === '' ? null : (given.model ?? null),
    address: given.address,
    // Port 0: the worker asks the camera where its streams are.
    rtsp_port: given.streamPath === undefined ? 0 : (given.port ?? defaultPort(given)),
    main_path: given.streamPath ?? '',
    sub_path: given.subStreamPath ?? null,
    stream_secure: given.https === true,
    certificate_sha256: null,
    username: given.username === undefined || given.username === '' ? null : given.username,
    password_sealed: sealPassword(addition),
    allow_basic: given.allowBasic === true,
    addition_status: 'inProgress' as const,
    addition_sub_status: 'none',
    addition_started_at: instant(addition.now),
    named_port: given.port ?? null,
    input: given.channel ?? null,
    device_inputs: 0,
    motion_sources: null,
    connection_key: connectionKey(given),
  }
  await tx
    .insertInto('cameras')
    .values({ ...values, retention_hours: packageRetention(accountId), mode: zoneMode(accountId, values.zone_id) })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id']).doUpdateSet(values))
    .execute()
}

const defaultPort = ({ https }: NewCamera): number => (https === true ? DEFAULT_RTSPS_PORT : DEFAULT_RTSP_PORT)

/** As the package of the account says; the column's default where it says nothing. */
const packageRetention = (accountId: number) =>
  sql<number>`coalesce((
    select p.retention_hours from subscriptions s
    join subscription_packages p
      on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
    where s.account_id = ${accountId}
  ), 168)`

/**
 * The mode of the camera's zone. In a private zone it begins disarmed: a private camera isn't connected to, and then
 * nobody would know whether it works.
 */
const zoneMode = (accountId: number, zoneId: number) =>
  sql<'armed' | 'silent' | 'disarmed' | 'scheduled'>`(
    select case mode when 'private' then 'disarmed' else mode end from zones
    where account_id = ${accountId} and zone_id = ${zoneId}
  )`

function sealPassword({ accountId, cameraId, given, encryption }: Addition): Buffer | null {
  if (given.username === undefined || given.username === '') return null
  const context = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
  return encryption.seal(context, given.password ?? '')
}

export interface AdditionState {
  readonly status: AdditionStatus
  readonly subStatus: AdditionSubStatus
  /** Video inputs of the device; 0 if unknown. */
  readonly channels: number
}

export async function loadAddition(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<AdditionState | undefined> {
  const row = await tx
    .selectFrom('cameras')
    .select(['addition_status', 'addition_sub_status', 'device_inputs'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const subStatus = additionSubStatus.parse(row.addition_sub_status)
  return { status: row.addition_status, subStatus, channels: row.device_inputs }
}
