import { type Schedule, type ScheduleSpans, scheduleSpans } from '@sightline/contract/schedules'
import type { Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { accessibleCameras } from '../cameras/index.ts'
import { toClock } from './clock.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

/** A schedule, and whether a camera without times to record at would follow it. */
export interface SavedSchedule extends Omit<Schedule, 'utcOffset' | 'nextOffsetChange'> {
  readonly isInUse: boolean
}

export const toSpans = ({ recording, push, email }: ScheduleSpans): ScheduleSpans => ({ recording, push, email })

/** @param now milliseconds since 1970, for the offset of the time zone */
export const toSchedule = (saved: SavedSchedule, now: number): Schedule => ({
  ...toSpans(saved),
  timeZone: saved.timeZone,
  ...toClock(saved.timeZone, now),
  inherited: saved.inherited,
})

/** The account's time zone, for zones that have none. */
async function accountTimeZone(tx: Tx, accountId: number): Promise<string> {
  const account = tx.selectFrom('accounts').select('time_zone').where('account_id', '=', accountId)
  return (await account.executeTakeFirstOrThrow()).time_zone
}

/** Undefined if the camera doesn't exist or is out of the caller's scope. `lock`: until the transaction ends. */
export async function loadCameraSchedule(
  tx: Tx,
  caller: CameraScope,
  { cameraId, lock = false }: { readonly cameraId: number; readonly lock?: boolean },
): Promise<(SavedSchedule & { readonly zone: ScheduleSpans }) | undefined> {
  const query = accessibleCameras(tx, caller)
    .innerJoin('zones', (join) =>
      join.onRef('zones.account_id', '=', 'cameras.account_id').onRef('zones.zone_id', '=', 'cameras.zone_id'),
    )
    .select(['cameras.mode', 'cameras.schedule', 'zones.schedule as zone_schedule'])
    .select((eb) => eb.fn.coalesce('cameras.time_zone', 'zones.time_zone').as('time_zone'))
    .where('cameras.camera_id', '=', cameraId)
  const row = await (lock ? query.forNoKeyUpdate('cameras') : query).executeTakeFirst()
  if (row === undefined) return undefined
  const zone = scheduleSpans.parse(row.zone_schedule)
  return {
    ...(row.schedule === null ? zone : scheduleSpans.parse(row.schedule)),
    timeZone: row.time_zone ?? (await accountTimeZone(tx, caller.accountId)),
    inherited: row.schedule === null,
    isInUse: row.mode === 'scheduled',
    zone,
  }
}

/** @param spans null: the zone's schedule applies. */
export async function saveCameraSchedule(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  spans: ScheduleSpans | null,
): Promise<void> {
  const schedule = spans === null ? null : JSON.stringify(spans)
  const cameras = tx.updateTable('cameras').set({ schedule }).where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', cameraId).execute()
}

interface ZoneKey {
  readonly accountId: number
  readonly zoneId: number
}

/** The schedule of a zone that the caller has been found to see. */
export async function loadZoneSchedule(tx: Tx, { accountId, zoneId }: ZoneKey): Promise<SavedSchedule | undefined> {
  const zones = tx.selectFrom('zones').select(['schedule', 'time_zone', 'mode']).where('account_id', '=', accountId)
  const row = await zones.where('zone_id', '=', zoneId).executeTakeFirst()
  if (row === undefined) return undefined
  const cameras = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  const follower = await cameras
    .where('zone_id', '=', zoneId)
    .where('mode', '=', 'scheduled')
    .where('schedule', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return {
    ...scheduleSpans.parse(row.schedule),
    timeZone: row.time_zone ?? (await accountTimeZone(tx, accountId)),
    inherited: false,
    // A camera that is added takes the mode of its zone.
    isInUse: follower !== undefined || row.mode === 'scheduled',
  }
}

/** Cameras in the zone that have no schedule of their own. */
export async function loadZoneFollowers(tx: Tx, { accountId, zoneId }: ZoneKey): Promise<readonly number[]> {
  const cameras = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  const rows = await cameras.where('zone_id', '=', zoneId).where('schedule', 'is', null).execute()
  return rows.map((row) => row.camera_id)
}

export async function saveZoneSchedule(tx: Tx, { accountId, zoneId }: ZoneKey, spans: ScheduleSpans): Promise<void> {
  const zones = tx
    .updateTable('zones')
    .set({ schedule: JSON.stringify(spans) })
    .where('account_id', '=', accountId)
  await zones.where('zone_id', '=', zoneId).execute()
}
