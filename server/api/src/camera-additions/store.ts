import {
  additionSubStatus,
  DEFAULT_RTSP_PORT,
  DEFAULT_RTSPS_PORT,
  type NewCamera,
} from '@sightline/contract/camera-additions'
import { type Db, instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { fail, ok, type Result } from '@sightline/platform/result'
import { sql } from 'kysely'
import { type AdditionState, connectionKey, type NamedConnection } from './rules.ts'

/** Whether the account already has this stream of this camera. */
export const isAlreadyAdded = (error: unknown): boolean => isUniqueViolation(error, 'cameras_by_connection')

/** Whether one machine may reach what has these machines and a row of that table, so that the same address is the same device. */
export const sharesMachines = (table: string, machines: readonly string[]) =>
  sql<boolean>`share_machines(${sql.ref(`${table}.machines`)}, ${[...machines]}::text[])`

/** The camera of the account with that connection whose addition failed, locked: it is tried again under its id. */
export async function lockFailedAddition(
  tx: Tx,
  { accountId, key, machines }: NamedConnection & { readonly accountId: number },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('cameras')
    .select('camera_id')
    .where('account_id', '=', accountId)
    .where('connection_key', '=', key)
    .where(sharesMachines('cameras', machines))
    .where('addition_status', '=', 'failure')
    .forUpdate()
    .executeTakeFirst()
  return row?.camera_id
}

/** Whether the account has a camera with that connection, other than `but`, whose addition didn't fail. */
export async function hasConnection(
  tx: Tx,
  { accountId, key, machines, but = 0 }: NamedConnection & { readonly accountId: number; readonly but?: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('cameras')
    .select('camera_id')
    .where('account_id', '=', accountId)
    .where('connection_key', '=', key)
    .where(sharesMachines('cameras', machines))
    .where('addition_status', '<>', 'failure')
    .where('camera_id', '<>', but)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether the account removed what is named that way less than two minutes ago. Times are the database's, which stamps removals.
 */
export async function wasJustRemoved(
  tx: Tx,
  {
    accountId,
    key,
    machines,
    ethMacAddress,
  }: NamedConnection & { readonly accountId: number; readonly ethMacAddress?: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    select from removed_connections
     where account_id = ${accountId} and connection_key = ${key} and removed_at > now() - interval '2 minutes'
       and ${sharesMachines('removed_connections', machines)}
    union all
    select from mac_claims
     where account_id = ${accountId} and mac_address = ${ethMacAddress ?? ''}
       and released_at > now() - interval '2 minutes'`.execute(tx)
  return rows.length > 0
}

/** Whether a camera of the account that was added, or is being added, has that MAC address; of a recorder, the same input. */
export async function hasMacAddress(
  tx: Tx,
  { accountId, ethMacAddress, channel }: { accountId: number; ethMacAddress: string; channel: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('cameras')
    .select('camera_id')
    .where('account_id', '=', accountId)
    .where('eth_mac_address', '=', ethMacAddress)
    .where(({ fn, val }) => fn.coalesce('input', val(1)), '=', channel)
    .where('addition_status', '<>', 'failure')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

interface Addition {
  readonly accountId: number
  readonly cameraId: number
  readonly given: NewCamera
  readonly encryption: EnvelopeEncryption
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Writes a camera whose addition begins: a new one, or with `isRetry` one that failed before under the same id. */
export async function saveAddition(tx: Tx, addition: Addition, isRetry: boolean): Promise<void> {
  const { accountId, cameraId } = addition
  const values = toColumns(addition)
  if (isRetry) {
    // Not an insertion with a conflict: it takes no further slot.
    const same = tx.updateTable('cameras').set(values).where('account_id', '=', accountId)
    await same.where('camera_id', '=', cameraId).execute()
    return
  }
  const ofZone = startSettings(accountId, values.zone_id)
  const row = { account_id: accountId, camera_id: cameraId, ...values, ...ofZone }
  await tx.insertInto('cameras').values(row).execute()
}

function toColumns(addition: Addition) {
  const { given } = addition
  return {
    zone_id: given.zoneId,
    name: given.name,
    ...connectionColumns(addition),
    addition_status: 'inProgress' as const,
    addition_sub_status: 'none',
    addition_step: null,
    addition_started_at: instant(addition.now),
  }
}

type NamedDevice = Omit<NewCamera, 'name' | 'zoneId'>

/** How a camera is reached, as the caller named it. */
export function connectionColumns(device: Omit<Addition, 'given' | 'now'> & { readonly given: NamedDevice }) {
  const { given } = device
  return {
    eth_mac_address: '',
    named_mac_address: given.ethMacAddress ?? null,
    brand: given.brand === '' ? null : (given.brand ?? null),
    model: given.model === '' ? null : (given.model ?? null),
    // Empty until the worker has found it.
    address: given.address ?? '',
    // Port 0: the worker asks the camera where its streams are.
    rtsp_port: given.streamPath === undefined ? 0 : (given.port ?? defaultPort(given)),
    main_path: given.streamPath ?? '',
    sub_path: given.subStreamPath ?? null,
    stream_secure: given.https === true,
    certificate_sha256: null,
    username: given.username === undefined || given.username === '' ? null : given.username,
    password_sealed: sealPassword(device),
    allow_basic: given.allowBasic === true,
    named_port: given.port ?? null,
    input: given.channel ?? null,
    machines: given.machines ?? [],
    device_inputs: 0,
    motion_sources: null,
    connection_key: connectionKey(given),
  }
}

const defaultPort = ({ https }: NamedDevice): number => (https === true ? DEFAULT_RTSPS_PORT : DEFAULT_RTSP_PORT)

/** What a new camera of an account and zone begins with. */
export const startSettings = (accountId: number, zoneId: number) => ({
  retention_hours: packageRetention(accountId),
  mode: zoneMode(accountId, zoneId),
})

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

function sealPassword({ accountId, cameraId, given, encryption }: Omit<Retry, 'now'>): Buffer | null {
  if (given.username === undefined || given.username === '') return null
  const context = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
  return encryption.seal(context, given.password ?? '')
}

export async function loadAddition(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<AdditionState | undefined> {
  const row = await tx
    .selectFrom('cameras')
    .select(['addition_status', 'addition_sub_status', 'addition_step', 'device_inputs', 'username'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const subStatus = additionSubStatus.parse(row.addition_sub_status)
  return {
    status: row.addition_status,
    subStatus,
    lastStep: row.addition_step,
    channels: row.device_inputs,
    hasCredentials: row.username !== null,
  }
}

/** Whether the addition of a camera of the account failed; undefined for one that doesn't exist. Locked. */
export async function lockFailure(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<{ readonly isFailed: boolean } | undefined> {
  const row = await tx
    .selectFrom('cameras')
    .select('addition_status')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { isFailed: row.addition_status === 'failure' }
}

interface Retry extends Pick<Addition, 'accountId' | 'cameraId' | 'encryption' | 'now'> {
  readonly given: Pick<NewCamera, 'username' | 'password' | 'allowBasic'>
}

/** Begins a failed addition again; credentials that aren't given stay. A camera that ONVIF found is asked again. */
export async function restartAddition(tx: Tx, retry: Retry): Promise<void> {
  const { accountId, cameraId, given } = retry
  await tx
    .updateTable('cameras')
    .set(({ eb, ref }) => ({
      addition_status: 'inProgress' as const,
      addition_sub_status: 'none',
      addition_step: null,
      addition_started_at: instant(retry.now),
      // It may have got another address since.
      address: eb.case().when('named_mac_address', 'is', null).then(ref('address')).else('').end(),
      rtsp_port: eb.case().when('onvif_port', 'is', null).then(ref('rtsp_port')).else(0).end(),
      // A camera that was found over TLS isn't asked without it.
      stream_secure: eb
        .case()
        .when('onvif_port', 'is', null)
        .then(ref('stream_secure'))
        .else(ref('onvif_secure'))
        .end(),
      ...(given.username === undefined
        ? {}
        : { username: given.username === '' ? null : given.username, password_sealed: sealPassword(retry) }),
      ...(given.allowBasic === undefined ? {} : { allow_basic: given.allowBasic }),
    }))
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .execute()
}

/** The oldest additions that failed and began before that moment; milliseconds since 1970. */
export async function listFailedAdditions(
  db: Db,
  moment: number,
): Promise<readonly { readonly accountId: number; readonly cameraId: number }[]> {
  const { rows } = await sql<{ account_id: number; camera_id: number }>`
    select account_id, camera_id from failed_additions_before(${instant(moment)})`.execute(db.plain)
  return rows.map((row) => ({ accountId: row.account_id, cameraId: row.camera_id }))
}

/** Runs a write that the database may refuse: without it, the transaction continues. */
export async function untilRefused(tx: Tx, write: () => Promise<void>): Promise<Result<undefined, unknown>> {
  await sql`savepoint addition`.execute(tx)
  try {
    await write()
  } catch (error) {
    await sql`rollback to savepoint addition`.execute(tx)
    return fail(error)
  }
  await sql`release savepoint addition`.execute(tx)
  return ok(undefined)
}
