import { cameraAbilities } from '@sightline/contract/camera-capabilities'
import { type ComparedDevice, comparedDevice } from '@sightline/contract/camera-replacements'
import { additionSubStatus } from '@sightline/contract/cameras'
import { videoDetection } from '@sightline/contract/detectors'
import { type Db, instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'
import type { FormerDevice, ReplacementState } from './rules.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

interface Key {
  readonly accountId: number
  readonly cameraId: number
}

/** Undefined for a camera out of the caller's scope. */
export async function loadReplacement(
  tx: Tx,
  caller: CameraScope,
  cameraId: number,
): Promise<ReplacementState | undefined> {
  const camera = await accessibleCameras(tx, caller)
    .leftJoin('camera_status as s', (join) =>
      join.onRef('s.account_id', '=', 'cameras.account_id').onRef('s.camera_id', '=', 'cameras.camera_id'),
    )
    .select(['cameras.username', 'cameras.mode', 'cameras.recording_mode', 's.online', 's.recording'])
    .where('cameras.camera_id', '=', cameraId)
    .executeTakeFirst()
  if (camera === undefined) return undefined
  const { accountId } = caller
  return {
    attempt: await loadAttempt(tx, { accountId, cameraId }),
    former: await loadFormer(tx, { accountId, cameraId }),
    hasCredentials: camera.username !== null,
    online: camera.online ?? false,
    recording: camera.recording ?? false,
    mode: camera.mode,
    recordingMode: camera.recording_mode,
  }
}

async function loadAttempt(tx: Tx, { accountId, cameraId }: Key): Promise<ReplacementState['attempt']> {
  const row = await tx
    .selectFrom('camera_replacements')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    status: row.status,
    subStatus: additionSubStatus.parse(row.sub_status),
    dryRun: row.dry_run,
    step: row.step,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    brand: row.brand,
    model: row.model,
    found: row.found === null ? null : comparedDevice.parse(row.found),
    before: row.before === null ? null : toFormerDevice(row.before),
  }
}

function toFormerDevice(stored: Readonly<Record<string, unknown>>): FormerDevice {
  return { ...comparedDevice.parse(stored), areas: Number(stored.areas ?? 0) }
}

async function loadFormer(tx: Tx, { accountId, cameraId }: Key): Promise<ReplacementState['former']> {
  const row = await tx
    .selectFrom('former_cameras')
    .select(['replaced_at', 'undo_until'])
    .select(sql<string | null>`connection->>'brand'`.as('brand'))
    .select(sql<string | null>`connection->>'model'`.as('model'))
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { brand: row.brand, model: row.model, replacedAt: row.replaced_at, undoUntil: row.undo_until }
}

/** What decides whether a camera's device can be replaced; undefined for one that doesn't exist. */
export async function loadReplaceable(tx: Tx, { accountId, cameraId }: Key) {
  const row = await tx
    .selectFrom('cameras as c')
    .leftJoin('camera_status as s', (join) =>
      join.onRef('s.account_id', '=', 'c.account_id').onRef('s.camera_id', '=', 'c.camera_id'),
    )
    .leftJoin('camera_capabilities as can', (join) =>
      join.onRef('can.account_id', '=', 'c.account_id').onRef('can.camera_id', '=', 'c.camera_id'),
    )
    .select([
      'c.addition_status',
      'c.mode',
      'c.device_type_id',
      'c.sub_path',
      'c.onvif_port',
      'c.video_detection',
      'c.machines',
    ])
    .select(['s.codec', 's.width', 's.height', 's.audio_codec', 'can.abilities'])
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const device: FormerDevice = {
    codec: row.codec,
    width: row.width,
    height: row.height,
    audioCodec: row.audio_codec,
    hasSubStream: row.sub_path !== null,
    isOnvif: row.onvif_port !== null,
    abilities: row.abilities === null ? null : cameraAbilities.parse(row.abilities),
    areas: videoDetection.parse(row.video_detection).areas.filter(({ enabled }) => enabled).length,
  }
  const { addition_status: additionStatus, mode, device_type_id: deviceTypeId, machines } = row
  return { additionStatus, mode, deviceTypeId, machines, device }
}

interface NewAttempt extends Key {
  readonly dryRun: boolean
  /** Columns of `cameras`. */
  readonly connection: Readonly<Record<string, unknown>>
  readonly before: ComparedDevice
  /** Milliseconds since 1970. */
  readonly now: number
}

const asJson = (connection: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(connection).map(([name, value]) => [
        name,
        // As PostgreSQL reads bytes.
        Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
      ]),
    ),
  )

/** Begins an attempt; false if one is under way. */
export async function beginReplacement(tx: Tx, attempt: NewAttempt): Promise<boolean> {
  const values = {
    dry_run: attempt.dryRun,
    status: 'inProgress' as const,
    sub_status: 'none',
    step: null,
    started_at: instant(attempt.now),
    ended_at: null,
    connection: asJson({ ...attempt.connection, onvif_secure: false }),
    brand: null,
    model: null,
    found: null,
    before: JSON.stringify(attempt.before),
  }
  const begun = await tx
    .insertInto('camera_replacements')
    .values({ account_id: attempt.accountId, camera_id: attempt.cameraId, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'camera_id'])
        .doUpdateSet(values)
        .where('camera_replacements.status', '<>', 'inProgress'),
    )
    .returning('camera_id')
    .executeTakeFirst()
  return begun !== undefined
}

/** Connects a camera to its former device again; false if there is none that can be put back. */
export async function restoreFormer(tx: Tx, { accountId, cameraId }: Key, now: number): Promise<boolean> {
  const former = await tx
    .deleteFrom('former_cameras')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('undo_until', '>', instant(now))
    .returning(['connection', 'abilities'])
    .executeTakeFirst()
  if (former === undefined) return false
  const { connection, abilities } = former
  await sql`select put_camera_connection(${accountId}::bigint, ${cameraId}::bigint, ${JSON.stringify(connection)}::jsonb,
    ${instant(now)})`.execute(tx)
  const known = tx.deleteFrom('camera_capabilities').where('account_id', '=', accountId)
  await known.where('camera_id', '=', cameraId).execute()
  const learned = tx.deleteFrom('camera_habits').where('account_id', '=', accountId)
  await learned.where('camera_id', '=', cameraId).execute()
  if (abilities !== null) {
    const row = { account_id: accountId, camera_id: cameraId, asked_at: instant(now) }
    await tx
      .insertInto('camera_capabilities')
      .values({ ...row, abilities: JSON.stringify(abilities) })
      .execute()
  }
  const attempt = tx.updateTable('camera_replacements').set({ status: 'undone', ended_at: instant(now) })
  await attempt.where('account_id', '=', accountId).where('camera_id', '=', cameraId).execute()
  return true
}

/** Claims the MAC address of the camera's device for its account: `taken` by another one, or `resting` after a removal. */
export async function claimDevice(tx: Tx, { accountId, cameraId }: Key): Promise<'claimed' | 'taken' | 'resting'> {
  const { rows } = await sql<{ outcome: 'claimed' | 'taken' | 'resting' }>`
    select claim_own_mac_address(eth_mac_address) as outcome from cameras
     where account_id = ${accountId} and camera_id = ${cameraId} and eth_mac_address <> ''`.execute(tx)
  return rows[0]?.outcome ?? 'claimed'
}

/** Whether the input of a recorder that a camera was is another camera meanwhile. */
export const isInputTaken = (error: unknown): boolean => isUniqueViolation(error, 'cameras_by_device_input')

/** Whether a device is tried right now. */
export async function isReplacing(tx: Tx, { accountId, cameraId }: Key): Promise<boolean> {
  const open = tx.selectFrom('camera_replacements').select('camera_id').where('account_id', '=', accountId)
  const row = await open.where('camera_id', '=', cameraId).where('status', '=', 'inProgress').executeTakeFirst()
  return row !== undefined
}

/** Forgets devices whose time is over at that moment. */
export async function forgetFormerCameras(db: Db, moment: number): Promise<void> {
  await sql`select forget_former_cameras(${instant(moment)})`.execute(db.plain)
}
