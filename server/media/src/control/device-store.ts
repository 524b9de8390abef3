import type { AdditionStatus, AdditionSubStatus, ConnectionResult } from '@sightline/contract/cameras'
import type { DeviceLogEvent } from '@sightline/contract/device-logs'
import { type Db, instant, isForeignKeyViolation, matchAny, type Tx } from '@sightline/platform/db'
import { type ClaimDenyReason, claimMacAddress } from './addition-store.ts'
import type { DeviceInput } from './device-inputs.ts'
import type { OnvifEndpoint } from './store.ts'

/** A recorder as the media plane needs it. */
export interface DeviceToServe {
  readonly accountId: number
  readonly deviceId: number
  readonly address: string
  /** The machines that reach it; empty: all of them. */
  readonly machines: readonly string[]
  /** What the customer named it by; null for an address. */
  readonly namedMacAddress: string | null
  /** The port that the customer named; null: the usual ones. */
  readonly namedPort: number | null
  /** Where it answered ONVIF; null until it did. */
  readonly onvif: OnvifEndpoint | null
  readonly username: string | null
  readonly passwordSealed: Buffer | null
  readonly allowBasic: boolean
  readonly additionStatus: AdditionStatus
  /** Milliseconds since 1970. */
  readonly additionStartedAt: number
}

type DeviceKey = Pick<DeviceToServe, 'accountId' | 'deviceId'>

/** Recorders that were added, and those that are being added. */
export async function loadDevices(db: Db): Promise<DeviceToServe[]> {
  const rows = await db.plain
    .selectFrom('devices')
    .select(['account_id', 'device_id', 'address', 'named_port', 'username', 'password_sealed', 'allow_basic'])
    .select(['named_mac_address', 'machines'])
    .select(['onvif_port', 'onvif_secure', 'onvif_certificate_sha256', 'addition_status', 'addition_started_at'])
    .where('addition_status', '<>', 'failure')
    .where(({ or, eb }) => or([eb('address', '<>', ''), eb('named_mac_address', 'is not', null)]))
    .orderBy('device_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    deviceId: row.device_id,
    address: row.address,
    machines: row.machines,
    namedMacAddress: row.named_mac_address,
    namedPort: row.named_port,
    onvif:
      row.onvif_port === null
        ? null
        : { port: row.onvif_port, isSecure: row.onvif_secure, certificate: row.onvif_certificate_sha256 ?? undefined },
    username: row.username,
    passwordSealed: row.password_sealed,
    allowBasic: row.allow_basic,
    additionStatus: row.addition_status,
    additionStartedAt: row.addition_started_at,
  }))
}

/** What a recorder said about itself. */
export interface IdentifiedDevice {
  readonly address: string
  readonly onvif: OnvifEndpoint
  readonly brand: string
  readonly model: string
  readonly firmwareVersion: string
  readonly serial: string
  /** Empty if it doesn't say. */
  readonly macAddress: string
  readonly inputs: readonly (DeviceInput & { readonly online: boolean })[]
}

const orNull = (text: string): string | null => (text === '' ? null : text)

const ofDevice = (tx: Pick<Tx, 'updateTable'>, { accountId, deviceId }: DeviceKey) =>
  tx.updateTable('devices').where('account_id', '=', accountId).where('device_id', '=', deviceId)

/** Writes down what a recorder is and has. One that was being added is added now. */
export async function saveIdentified(
  db: Db,
  device: DeviceToServe,
  found: IdentifiedDevice,
): Promise<ClaimDenyReason | undefined> {
  const { accountId, deviceId } = device
  return await db.transaction(async (tx) => {
    // Locked before the claim: of a device that was removed meanwhile, nothing would release it.
    const begun = tx.selectFrom('devices').select('device_id').where('account_id', '=', accountId)
    const row = await begun
      .where('device_id', '=', deviceId)
      .where('addition_started_at', '=', instant(device.additionStartedAt))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (row === undefined) return undefined
    const refusal =
      device.additionStatus === 'added' ? undefined : await claimMacAddress(tx, accountId, found.macAddress)
    if (refusal !== undefined) return refusal
    const saved = await ofDevice(tx, device)
      .set({
        addition_status: 'added',
        addition_sub_status: 'none',
        addition_step: 'streams',
        address: found.address,
        onvif_port: found.onvif.port,
        onvif_secure: found.onvif.isSecure,
        onvif_certificate_sha256: found.onvif.certificate ?? null,
        brand: orNull(found.brand),
        model: orNull(found.model),
        firmware_version: orNull(found.firmwareVersion),
        serial: orNull(found.serial),
        ...(found.macAddress === '' ? {} : { eth_mac_address: found.macAddress }),
      })
      .where('addition_started_at', '=', instant(device.additionStartedAt))
      .executeTakeFirst()
    if (saved.numUpdatedRows === 0n) return undefined
    const channels = tx.deleteFrom('device_channels').where('account_id', '=', accountId)
    await channels.where('device_id', '=', deviceId).execute()
    if (found.inputs.length === 0) return undefined
    await tx
      .insertInto('device_channels')
      .values(
        found.inputs.map((input) => ({
          account_id: accountId,
          device_id: deviceId,
          channel: input.channel,
          name: input.name,
          online: input.online,
          rtsp_port: input.rtspPort,
          main_path: input.mainPath,
          sub_path: input.subPath,
          stream_secure: input.isSecure,
          motion_sources: input.motionSources === null ? null : [...input.motionSources],
          snapshot_profile: input.snapshotProfile,
        })),
      )
      .execute()
    return undefined
  })
}

/** The steps of adding a recorder. */
export type DeviceStep = 'reachable' | 'identified' | 'signedIn' | 'streams'

const underWay = (db: Db, device: DeviceToServe) =>
  ofDevice(db.plain, device)
    .where('addition_started_at', '=', instant(device.additionStartedAt))
    .where('addition_status', '=', 'inProgress')

/** How far the addition of a recorder came. */
export async function saveStep(db: Db, device: DeviceToServe, step: DeviceStep | null): Promise<void> {
  await underWay(db, device).set({ addition_step: step }).execute()
}

export async function saveAdditionFailure(
  db: Db,
  device: DeviceToServe,
  why: { readonly subStatus: AdditionSubStatus; readonly lastStep: DeviceStep | null },
): Promise<void> {
  const { subStatus, lastStep } = why
  const values = { addition_status: 'failure' as const, addition_sub_status: subStatus, addition_step: lastStep }
  await underWay(db, device).set(values).execute()
}

/** The state of a recorder's connection. */
export interface DeviceStatusChange extends DeviceKey {
  readonly online: boolean
  readonly result: ConnectionResult
  /** Null if it doesn't say. */
  readonly storage: { readonly totalBytes: number; readonly usedBytes: number } | null
  readonly now: number
}

/** Writes the state of a recorder; what was seen stays seen while it is away. */
export async function saveDeviceStatus(db: Db, change: DeviceStatusChange): Promise<void> {
  const values = {
    online: change.online,
    last_connection_result: change.result,
    changed_at: instant(change.now),
    ...(change.online
      ? {
          last_seen: instant(change.now),
          storage_total_bytes: change.storage?.totalBytes ?? null,
          storage_used_bytes: change.storage?.usedBytes ?? null,
        }
      : {}),
  }
  const { accountId: account_id, deviceId: device_id } = change
  await db.plain
    .insertInto('device_status')
    .values({ account_id, device_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'device_id']).doUpdateSet(values))
    .execute()
    .catch(unlessRemoved)
}

/** A device that was removed meanwhile has no state and no log. */
function unlessRemoved(error: unknown): void {
  if (!isForeignKeyViolation(error)) throw error
}

export async function saveOnlineInputs(db: Db, device: DeviceKey, online: ReadonlySet<number>): Promise<void> {
  await db.plain
    .updateTable('device_channels')
    .set(({ eb }) => ({ online: eb('channel', '=', matchAny([...online])).$castTo<boolean>() }))
    .where('account_id', '=', device.accountId)
    .where('device_id', '=', device.deviceId)
    .execute()
}

const LONGEST_TEXT = 300

export interface DeviceLogRecord extends DeviceKey {
  readonly at: number
  readonly level: 'info' | 'warning' | 'error'
  readonly event: DeviceLogEvent
  readonly detail: string
}

/** Writes lines of the log of one device, in their order. */
export async function insertDeviceLog(db: Db, lines: readonly DeviceLogRecord[]): Promise<void> {
  if (lines.length === 0) return
  await db.plain
    .insertInto('device_log')
    .values(
      lines.map((line) => ({
        account_id: line.accountId,
        device_id: line.deviceId,
        at: instant(line.at),
        level: line.level,
        event: line.event,
        detail: line.detail.slice(0, LONGEST_TEXT),
      })),
    )
    .execute()
    .catch(unlessRemoved)
}

/** Entries and jobs from before that moment; milliseconds since 1970. */
export async function dropOldDeviceRows(db: Db, before: number): Promise<void> {
  await db.plain.deleteFrom('device_log').where('at', '<', instant(before)).execute()
  await db.plain.deleteFrom('device_jobs').where('created_at', '<', instant(before)).execute()
}
