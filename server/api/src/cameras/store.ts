import {
  additionSubStatus,
  type Camera,
  type CameraStatus,
  type CameraWarning,
  connectionResult,
} from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import { hasRecordingTimes } from '@sightline/contract/schedules'
import { toDateTime } from '@sightline/contract/wire'
import { instant, isCheckViolation, matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { firmwareColumns, toFirmwareStatus } from './firmware-store.ts'
import { type CameraFilter, cameraWarnings } from './rules.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

/**
 * The cameras that a caller has access to, by the same rule as `canAccessCamera` of contract/src/rights. All queries
 * about cameras start here, so none can forget it.
 */
export const accessibleCameras = (tx: Tx, { accountId, access }: CameraScope) => {
  const query = tx.selectFrom('cameras').where('cameras.account_id', '=', accountId)
  if (access.kind === 'all') return query
  return query.where(({ or, eb }) =>
    or([
      eb('cameras.camera_id', '=', matchAny([...access.cameraIds])),
      eb('cameras.zone_id', '=', matchAny([...access.zoneIds])),
    ]),
  )
}

type Cameras = ReturnType<typeof accessibleCameras>

/** Filters by ids. Ids that don't exist or that the caller has no access to match nothing. */
function among(query: Cameras, { zoneIds, cameraIds }: Pick<CameraFilter, 'zoneIds' | 'cameraIds'>): Cameras {
  const inZones = zoneIds === undefined ? query : query.where('cameras.zone_id', '=', matchAny(zoneIds))
  return cameraIds === undefined ? inZones : inZones.where('cameras.camera_id', '=', matchAny(cameraIds))
}

const cameraColumns = [
  'cameras.camera_id',
  'cameras.name',
  'cameras.device_type_id',
  'cameras.eth_mac_address',
  'cameras.zone_id',
  'cameras.account_id',
  'cameras.brand',
  'cameras.model',
  'cameras.retention_hours',
  'cameras.time_zone',
  'cameras.latitude',
  'cameras.longitude',
  'cameras.created_at',
  'cameras.transferred_at',
] as const

/** What the account's package allows; the default of a camera where the package says nothing. Once per query. */
const maxRetention = ({ accountId }: Pick<CameraScope, 'accountId'>) =>
  sql<number>`coalesce((
    select p.retention_hours from subscriptions s
    join subscription_packages p
      on p.reseller_id = s.reseller_id and p.subscription_package_id = s.subscription_package_id
    where s.account_id = ${accountId}
  ), 168)`.as('max_retention')

interface CameraRow {
  camera_id: number
  name: string
  device_type_id: number
  eth_mac_address: string
  zone_id: number
  account_id: number
  brand: string | null
  model: string | null
  retention_hours: number
  max_retention: number
  time_zone: string | null
  latitude: number | null
  longitude: number | null
  created_at: number
  transferred_at: number | null
}

const toCamera = (row: CameraRow): Camera => ({
  cameraId: row.camera_id,
  name: row.name,
  deviceTypeId: row.device_type_id,
  ethMacAddress: row.eth_mac_address,
  zoneId: row.zone_id,
  accountId: row.account_id,
  brand: row.brand,
  model: row.model,
  retention: row.retention_hours,
  maxRetention: row.max_retention,
  timeZone: row.time_zone,
  latitude: row.latitude,
  longitude: row.longitude,
  createdAt: toDateTime(row.created_at),
  transferredAt: row.transferred_at === null ? null : toDateTime(row.transferred_at),
})

export async function listCameras(tx: Tx, caller: CameraScope, filter: CameraFilter): Promise<Camera[]> {
  let query = among(accessibleCameras(tx, caller), filter).select(cameraColumns).select(maxRetention(caller))
  if (filter.namePattern !== undefined) query = query.where('cameras.name', 'ilike', filter.namePattern)
  if (filter.online !== undefined) {
    query = query
      .leftJoin('camera_status', (join) =>
        join
          .onRef('camera_status.account_id', '=', 'cameras.account_id')
          .onRef('camera_status.camera_id', '=', 'cameras.camera_id'),
      )
      .where(({ eb, fn, val }) => eb(fn.coalesce('camera_status.online', val(false)), '=', filter.online === true))
  }
  return (await query.orderBy('cameras.name').orderBy('cameras.camera_id').execute()).map(toCamera)
}

/** Undefined if it doesn't exist or is out of the caller's scope: callers can't tell which. */
export async function findCamera(tx: Tx, caller: CameraScope, cameraId: number): Promise<Camera | undefined> {
  const row = await accessibleCameras(tx, caller)
    .select(cameraColumns)
    .select(maxRetention(caller))
    .where('cameras.camera_id', '=', cameraId)
    .executeTakeFirst()
  return row === undefined ? undefined : toCamera(row)
}

/** Status of the cameras in the caller's scope. */
export async function listStatuses(
  tx: Tx,
  caller: CameraScope & Pick<MemberCaller, 'userId'>,
  filter: Pick<CameraFilter, 'zoneIds' | 'cameraIds'>,
): Promise<CameraStatus[]> {
  const query = among(accessibleCameras(tx, caller), filter)
    .leftJoin('camera_status', (join) =>
      join
        .onRef('camera_status.account_id', '=', 'cameras.account_id')
        .onRef('camera_status.camera_id', '=', 'cameras.camera_id'),
    )
    .select([
      'cameras.camera_id',
      'cameras.password_sealed',
      'cameras.mode',
      'cameras.microphone',
      'cameras.transferred_at',
      'online',
      'recording',
      'recording_on_sd',
      'audio_codec',
      'last_seen',
    ])
    .select(['last_connection_result', 'next_attempt_at', 'cameras.addition_status', 'cameras.addition_sub_status'])
    .select(firmwareColumns('cameras'))
    .select([activeWarnings.as('warnings'), dismissedBy(caller.userId).as('dismissed')])
    .select(['width', 'height', 'sub_online', 'sub_recording', 'sub_connection_result', 'sub_width', 'sub_height'])
  const rows = await query.orderBy('cameras.name').orderBy('cameras.camera_id').execute()
  return rows.map((row): CameraStatus => {
    const passwordKnown = row.password_sealed !== null
    const refused = row.last_connection_result === 'credentialsIncorrect'
    const unrefused = passwordKnown ? 'known' : 'unknown'
    return {
      cameraId: row.camera_id,
      // While it is handed over, its pictures are recorded here, but nobody can watch or command it.
      online: row.online === true && row.transferred_at === null,
      mode: row.mode,
      recordingOnCloud: row.recording ?? false,
      recordingOnSd: row.recording_on_sd ?? false,
      audioEnabled: row.microphone && row.audio_codec !== null,
      passwordKnown,
      passwordStatus: refused ? 'incorrect' : unrefused,
      firmwareStatus: toFirmwareStatus(row),
      connectionType: 'Ethernet',
      lastConnectionResult: connectionResult.parse(row.last_connection_result ?? 'neverConnected'),
      nextAttemptAt: row.next_attempt_at === null ? null : toDateTime(row.next_attempt_at),
      additionStatus: row.addition_status,
      additionSubStatus: additionSubStatus.parse(row.addition_sub_status),
      lastSeen: row.last_seen === null ? null : toDateTime(row.last_seen),
      subStream: toSubStream(row),
      warnings: cameraWarnings(row),
      dismissedWarnings: row.dismissed.filter((warning) => cameraWarnings(row).includes(warning)),
    }
  })
}

/** A camera's clock and events are known while it is online; storage is full for a day after footage was deleted early. */
const activeWarnings = sql<readonly CameraWarning[]>`array(
  select w.warning from camera_warnings w
   where w.account_id = cameras.account_id and w.camera_id = cameras.camera_id
     and case when w.warning = 'storageFull' then w.last_at > now() - interval '1 day' else camera_status.online end
   order by w.warning)`

const dismissedBy = (userId: number) => sql<readonly CameraWarning[]>`array(
  select d.warning from dismissed_warnings d
   where d.account_id = cameras.account_id and d.camera_id = cameras.camera_id and d.user_id = ${userId})`

function toSubStream(row: {
  readonly sub_online: boolean | null
  readonly sub_recording: boolean | null
  readonly sub_connection_result: string | null
}): CameraStatus['subStream'] {
  if (row.sub_online === null) return null
  return {
    online: row.sub_online,
    recordingOnCloud: row.sub_recording ?? false,
    lastConnectionResult: connectionResult.parse(row.sub_connection_result ?? 'neverConnected'),
  }
}

/** The camera, locked until the transaction ends. */
export async function lockCamera(tx: Tx, caller: CameraScope, cameraId: number): Promise<Camera | undefined> {
  const camera = accessibleCameras(tx, caller).select(cameraColumns).select(maxRetention(caller))
  const row = await camera.where('cameras.camera_id', '=', cameraId).forNoKeyUpdate().executeTakeFirst()
  return row === undefined ? undefined : toCamera(row)
}

/** Keeps a zone from being deleted until the transaction ends; false if it doesn't exist. */
export async function keepZone(tx: Tx, { accountId, zoneId }: Zoned): Promise<boolean> {
  const zones = tx.selectFrom('zones').select('zone_id').where('account_id', '=', accountId)
  return (await zones.where('zone_id', '=', zoneId).forKeyShare().executeTakeFirst()) !== undefined
}

/** Whether the zone has a camera in the caller's scope. */
export async function hasCameraInScope(tx: Tx, caller: CameraScope, zoneId: number): Promise<boolean> {
  const camera = accessibleCameras(tx, caller).select('cameras.camera_id').where('cameras.zone_id', '=', zoneId)
  return (await camera.limit(1).executeTakeFirst()) !== undefined
}

export async function saveCamera(tx: Tx, camera: Camera): Promise<void> {
  const { accountId, cameraId, name, zoneId, timeZone, retention, latitude, longitude } = camera
  const values = { name, zone_id: zoneId, time_zone: timeZone, retention_hours: retention, latitude, longitude }
  const cameras = tx.updateTable('cameras').set(values)
  await cameras.where('account_id', '=', accountId).where('camera_id', '=', cameraId).execute()
}

/** Whether the camera records by the schedule of its zone, and that zone has no times to record at. */
export async function wouldNotRecord(
  tx: Tx,
  { accountId, cameraId, zoneId }: Pick<Camera, 'accountId' | 'cameraId' | 'zoneId'>,
): Promise<boolean> {
  const follower = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  const row = await follower
    .where('camera_id', '=', cameraId)
    .where('mode', '=', 'scheduled')
    .where('schedule', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return false
  const zone = tx.selectFrom('zones').select('schedule').where('account_id', '=', accountId)
  const found = await zone.where('zone_id', '=', zoneId).executeTakeFirst()
  return found !== undefined && !hasRecordingTimes(found.schedule)
}

/** Whether the camera could not be added, so that it never sent video. */
export async function isFailedAddition(
  tx: Tx,
  { accountId, cameraId }: Pick<Camera, 'accountId' | 'cameraId'>,
): Promise<boolean> {
  const camera = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  const failed = camera.where('camera_id', '=', cameraId).where('addition_status', '=', 'failure')
  return (await failed.executeTakeFirst()) !== undefined
}

/** Removes a camera with everything about it but its footage, which ages out, and its audit log. */
export async function removeCamera(
  tx: Tx,
  { accountId, cameraId, retention }: Pick<Camera, 'accountId' | 'cameraId' | 'retention'>,
  now: number,
): Promise<void> {
  const removed = { account_id: accountId, camera_id: cameraId, retention_hours: retention, removed_at: instant(now) }
  await tx.insertInto('removed_cameras').values(removed).execute()
  await rememberRemoval(tx, 'cameras', { accountId, id: cameraId })
  const cameras = tx.deleteFrom('cameras').where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', cameraId).execute()
}

/** Notes what is about to be removed: for two minutes the account can't add it again. What was never added needs no rest. */
export async function rememberRemoval(
  tx: Tx,
  table: 'cameras' | 'devices',
  { accountId, id }: { readonly accountId: number; readonly id: number },
): Promise<void> {
  const idColumn = table === 'cameras' ? 'camera_id' : 'device_id'
  await sql`delete from removed_connections
    where account_id = ${accountId} and removed_at < now() - interval '2 minutes'`.execute(tx)
  await sql`insert into removed_connections (account_id, connection_key, machines)
    select account_id, connection_key, machines from ${sql.table(table)}
     where account_id = ${accountId} and ${sql.ref(idColumn)} = ${id}
       and connection_key is not null and addition_status = 'added'
    on conflict (account_id, connection_key, machines) do update set removed_at = excluded.removed_at`.execute(tx)
}

interface Zoned {
  readonly accountId: number
  readonly zoneId: number
}

/** Repeated pictures for support are logged once in this many minutes. */
const TOLD_EVERY_MINUTES = 5

/** That support saw a picture. */
export interface LoggedView {
  readonly accountId: number
  readonly action: 'snapshot' | 'eventPicture' | 'recordedPicture'
  readonly target: { readonly kind: string; readonly id: number }
  readonly staffId: number
  readonly picture: string
}

/** Whether the log already has a recent entry that this staff member saw such a picture. */
export async function isViewLogged(tx: Tx, view: LoggedView): Promise<boolean> {
  const line = await tx
    .selectFrom('audit_log')
    .select('audit_log_id')
    .where('account_id', '=', view.accountId)
    .where('target_kind', '=', view.target.kind)
    .where('target_id', '=', view.target.id)
    .where('at', '>', sql<number>`now() - make_interval(mins => ${TOLD_EVERY_MINUTES})`)
    .where('staff_id', '=', view.staffId)
    .where('action', '=', view.action)
    .where(sql<string>`after->>'picture'`, '=', view.picture)
    .limit(1)
    .executeTakeFirst()
  return line !== undefined
}

/** That a member looked at a single picture of a camera's footage. */
export interface MemberPictureView extends Pick<MemberCaller, 'accountId' | 'userId' | 'apiKeyId'> {
  readonly cameraId: number
  /** The hour of the footage, as the entry says it. */
  readonly from: string
}

/** Whether an entry of the last hour already says that they looked at pictures of this hour of footage. */
export async function isPictureViewLogged(tx: Tx, view: MemberPictureView): Promise<boolean> {
  const entry = await tx
    .selectFrom('audit_log')
    .select('audit_log_id')
    .where('account_id', '=', view.accountId)
    .where('target_kind', '=', 'camera')
    .where('target_id', '=', view.cameraId)
    .where('at', '>', sql<number>`now() - interval '1 hour'`)
    .where('user_id', '=', view.userId)
    .where('staff_id', 'is', null)
    .where('api_key_id', 'is not distinct from', view.apiKeyId ?? null)
    .where('action', '=', 'recordedPicture')
    .where(sql<string>`after->>'from'`, '=', view.from)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/** The trigger that counts, what it counts, and the calls whose catalog texts mention slots (decision 8). */
const limits = [
  { constraint: 'limit_of_cameras', detail: 'not enough camera slots', operation: 20 },
  { constraint: 'limit_of_devices', detail: 'not enough device slots', operation: 235 },
] as const

/**
 * The error of a call if the database rejected a camera or device because of the account's limit: code 6 for calls that
 * add one directly, 7 for others. Undefined if `error` is something else.
 */
export function slotFault(error: unknown, route: { readonly operation?: number }): ApiError | undefined {
  const reached = limits.find((limit) => isCheckViolation(error, limit.constraint))
  if (reached === undefined) return undefined
  const { detail, operation } = reached
  return { error: route.operation === operation ? 'businessRule' : 'subscriptionLimit', detail }
}
