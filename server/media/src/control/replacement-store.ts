import type { AdditionStep, AdditionSubStatus } from '@sightline/contract/camera-additions'
import { type ComparedDevice, UNDO_HOURS } from '@sightline/contract/camera-replacements'
import { MS_PER_HOUR } from '@sightline/platform/clock'
import { type Db, instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import { addCameraEvent } from '@sightline/platform/events'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type ClaimDenyReason, claimMacAddress, hasSameInput } from './addition-store.ts'
import type { Candidate, ExaminedDevice } from './device-examination.ts'

/** A device that is to take the place of a camera's own. */
export interface OpenReplacement {
  readonly accountId: number
  readonly cameraId: number
  readonly name: string
  /** The machines that reach the camera; empty: all of them. */
  readonly machines: readonly string[]
  readonly dryRun: boolean
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly candidate: Candidate
  readonly username: string | null
  readonly passwordSealed: Buffer | null
  /** As it was written down, in columns of `cameras`. */
  readonly connection: Readonly<Record<string, unknown>>
}

const HEX = '\\x'
const bytes = z.nullable(
  z.pipe(
    z.string(),
    z.transform((text: string) => Buffer.from(text.slice(HEX.length), 'hex')),
  ),
)
const connectionShape = z.object({
  address: z.string(),
  named_port: z.nullable(z.int()),
  rtsp_port: z.int(),
  main_path: z.string(),
  sub_path: z.nullable(z.string()),
  stream_secure: z.boolean(),
  allow_basic: z.boolean(),
  input: z.nullable(z.int()),
  username: z.nullable(z.string()),
  password_sealed: bytes,
})

const toHex = (value: Uint8Array | undefined): string | null =>
  value === undefined ? null : `${HEX}${Buffer.from(value).toString('hex')}`

/** Those of private cameras wait until the mode ends: a device that is tried sends a picture. */
export async function loadOpenReplacements(db: Db): Promise<readonly OpenReplacement[]> {
  const rows = await db.plain
    .selectFrom('camera_replacements as r')
    .innerJoin('cameras as c', (join) =>
      join.onRef('c.account_id', '=', 'r.account_id').onRef('c.camera_id', '=', 'r.camera_id'),
    )
    .select(['r.account_id', 'r.camera_id', 'r.dry_run', 'r.started_at', 'r.connection', 'c.name', 'c.machines'])
    .where('r.status', '=', 'inProgress')
    .where('c.mode', '<>', 'private')
    .execute()
  return rows.map((row) => {
    const given = connectionShape.parse(row.connection)
    return {
      accountId: row.account_id,
      cameraId: row.camera_id,
      name: row.name,
      machines: row.machines,
      dryRun: row.dry_run,
      startedAt: row.started_at,
      candidate: {
        address: given.address,
        namedPort: given.named_port,
        rtspPort: given.rtsp_port,
        mainPath: given.main_path,
        subPath: given.sub_path,
        isSecure: given.stream_secure,
        allowBasic: given.allow_basic,
        input: given.input ?? 1,
      },
      username: given.username,
      passwordSealed: given.password_sealed,
      connection: row.connection,
    }
  })
}

type Key = Pick<OpenReplacement, 'accountId' | 'cameraId' | 'startedAt'>

/** Of that attempt, and no later one of the same camera. */
const ofAttempt = (db: Db, { accountId, cameraId, startedAt }: Key) =>
  db.plain
    .updateTable('camera_replacements')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('started_at', '=', instant(startedAt))
    .where('status', '=', 'inProgress')

/** The last step is made by recording the camera, after it was connected to the new device. */
export async function saveReplacementStep(db: Db, key: Key, step: AdditionStep): Promise<void> {
  if (step === 'recording') return
  await ofAttempt(db, key).set({ step }).execute()
}

export async function failReplacement(
  db: Db,
  key: Key,
  { subStatus, at }: { readonly subStatus: AdditionSubStatus; readonly at: number },
): Promise<void> {
  const over = { status: 'failure' as const, ended_at: instant(at), connection: '{}' }
  await ofAttempt(db, key)
    .set({ ...over, sub_status: subStatus })
    .execute()
}

interface Passed {
  readonly examined: ExaminedDevice
  readonly at: number
  /** Empty if it isn't known. */
  readonly macAddress: string
}

const foundOf = ({ compared, identified }: ExaminedDevice) => ({
  found: JSON.stringify(compared satisfies ComparedDevice),
  ...(identified === undefined ? {} : { brand: identified.brand || null, model: identified.model || null }),
})

/** Ends a trial run. */
export async function finishTrial(db: Db, key: Key, { examined, at }: Omit<Passed, 'macAddress'>): Promise<void> {
  const over = { status: 'ready' as const, ended_at: instant(at), connection: '{}' }
  await ofAttempt(db, key)
    .set({ ...over, ...foundOf(examined) })
    .execute()
}

/** The device belongs to another camera or account, so nothing is changed. */
class DeviceTaken extends Error {
  readonly reason: ClaimDenyReason
  constructor(reason: ClaimDenyReason) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Connects the camera to the device that passed, whose MAC address is claimed for the account. `alreadyAttached`: another camera or
 * account has it. `recentlyRemoved`: it was removed less than two minutes ago.
 */
export async function replaceCamera(
  db: Db,
  replacement: OpenReplacement,
  { examined, at, macAddress }: Passed,
): Promise<'replaced' | 'gone' | ClaimDenyReason> {
  const { accountId, cameraId, startedAt } = replacement
  const connection = JSON.stringify({
    ...replacement.connection,
    ...columnsOf(replacement, examined),
    eth_mac_address: macAddress,
  })
  const { abilities } = examined.compared
  const stored = abilities === null ? null : JSON.stringify(abilities)
  const until = instant(at + UNDO_HOURS * MS_PER_HOUR)
  try {
    return await db.transaction(async (tx) => {
      await tx
        .updateTable('camera_replacements')
        .set(foundOf(examined))
        .where('account_id', '=', accountId)
        .where('camera_id', '=', cameraId)
        .where('started_at', '=', instant(startedAt))
        .execute()
      const { rows } = await sql<{ done: boolean }>`select replace_camera(${accountId}::bigint, ${cameraId}::bigint,
        ${instant(startedAt)}, ${connection}::jsonb, ${stored}::jsonb, ${instant(at)}, ${until}) as done`.execute(tx)
      if (rows[0]?.done !== true) return 'gone'
      // The new device can have the address and the password of the old one.
      const learned = tx.deleteFrom('camera_habits').where('account_id', '=', accountId)
      await learned.where('camera_id', '=', cameraId).execute()
      const refusal = await claimDevice(tx, replacement, macAddress)
      if (refusal !== undefined) throw new DeviceTaken(refusal)
      await addCameraEvent(tx, {
        camera: replacement,
        type: 'cameraReplaced',
        at,
        endsAt: at,
        once: `${cameraId} cameraReplaced ${at}`,
      })
      return 'replaced'
    })
  } catch (error) {
    if (isUniqueViolation(error, 'cameras_by_connection')) return 'alreadyAttached'
    if (error instanceof DeviceTaken) return error.reason
    throw error
  }
}

async function claimDevice(
  tx: Tx,
  { accountId, cameraId, candidate: { input } }: OpenReplacement,
  macAddress: string,
): Promise<ClaimDenyReason | undefined> {
  const refusal = await claimMacAddress(tx, accountId, macAddress)
  if (refusal !== undefined) return refusal
  return (await hasSameInput(tx, { accountId, cameraId, input }, macAddress)) ? 'alreadyAttached' : undefined
}

/** What was found out of the device; names that the owner gave stay. */
function columnsOf({ connection }: OpenReplacement, { identified, certificate }: ExaminedDevice) {
  const pinned = { certificate_sha256: toHex(certificate) }
  if (identified === undefined) return pinned
  return {
    ...pinned,
    rtsp_port: identified.rtspPort,
    main_path: identified.mainPath,
    sub_path: identified.subPath,
    stream_secure: identified.isSecure,
    onvif_port: identified.onvif.port,
    onvif_secure: identified.onvif.isSecure,
    onvif_certificate_sha256: toHex(identified.onvif.certificate),
    brand: connection.brand ?? (identified.brand || null),
    model: connection.model ?? (identified.model || null),
    firmware_version: identified.firmwareVersion || null,
    serial: identified.serial || null,
    device_inputs: identified.inputs,
    motion_sources: identified.motionSources,
  }
}
