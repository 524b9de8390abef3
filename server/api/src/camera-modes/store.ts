import type { CameraMode } from '@sightline/contract/camera-modes'
import { scheduleSpans } from '@sightline/contract/schedules'
import { matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { accessibleCameras } from '../cameras/index.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

export interface SavedMode extends CameraMode {
  readonly beforePrivate: 'armed' | 'silent' | 'disarmed' | 'scheduled'
  /** Whether its own schedule or its zone's has times to record at. */
  readonly hasSchedule: boolean
}

const hasSpans = (schedule: unknown): boolean => scheduleSpans.parse(schedule).recording.length > 0

const modeOf = (tx: Tx, caller: CameraScope, cameraId: number) =>
  accessibleCameras(tx, caller)
    .innerJoin('zones', (join) =>
      join.onRef('zones.account_id', '=', 'cameras.account_id').onRef('zones.zone_id', '=', 'cameras.zone_id'),
    )
    .select(['cameras.mode', 'cameras.recording_mode', 'cameras.mode_before_private'])
    .select(['cameras.schedule', 'zones.schedule as zone_schedule'])
    .where('cameras.camera_id', '=', cameraId)

/** Undefined if it doesn't exist or is out of the caller's scope. */
export async function findMode(tx: Tx, caller: CameraScope, cameraId: number): Promise<CameraMode | undefined> {
  const row = await modeOf(tx, caller, cameraId).executeTakeFirst()
  return row && { mode: row.mode, recordingMode: row.recording_mode }
}

/** The camera's mode, locked until the transaction ends. */
export async function lockMode(tx: Tx, caller: CameraScope, cameraId: number): Promise<SavedMode | undefined> {
  const row = await modeOf(tx, caller, cameraId).forNoKeyUpdate('cameras').executeTakeFirst()
  return (
    row && {
      mode: row.mode,
      recordingMode: row.recording_mode,
      beforePrivate: row.mode_before_private,
      hasSchedule: hasSpans(row.schedule ?? row.zone_schedule),
    }
  )
}

/** The mode to return to when private mode is turned off, kept while it is on. */
const keptMode = (mode: CameraMode['mode']) => (mode === 'private' ? {} : { mode_before_private: mode })

export async function saveMode(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  { mode, recordingMode }: CameraMode,
): Promise<void> {
  const cameras = tx.updateTable('cameras').set({ mode, recording_mode: recordingMode, ...keptMode(mode) })
  await cameras.where('account_id', '=', accountId).where('camera_id', '=', cameraId).execute()
}

interface ZoneKey {
  readonly accountId: number
  readonly zoneId: number
}

/** Whether the schedule of a zone has times to record at. */
export async function hasZoneSchedule(tx: Tx, { accountId, zoneId }: ZoneKey): Promise<boolean> {
  const zone = tx.selectFrom('zones').select('schedule').where('account_id', '=', accountId)
  const row = await zone.where('zone_id', '=', zoneId).executeTakeFirst()
  return row !== undefined && hasSpans(row.schedule)
}

/**
 * Gives a zone and its cameras that mode. Returns the cameras that were left as they are: with `keepsPrivate` those in
 * private mode.
 */
export async function saveZoneMode(
  tx: Tx,
  { accountId, zoneId, keepsPrivate }: ZoneKey & { readonly keepsPrivate: boolean },
  { mode, recordingMode }: CameraMode,
): Promise<readonly number[]> {
  const zones = tx.updateTable('zones').set({ mode, recording_mode: recordingMode })
  await zones.where('account_id', '=', accountId).where('zone_id', '=', zoneId).execute()
  const ofZone = tx.selectFrom('cameras').select(['camera_id', 'mode']).where('account_id', '=', accountId)
  const held = await ofZone.where('zone_id', '=', zoneId).orderBy('camera_id').forNoKeyUpdate().execute()
  const isKept = (camera: (typeof held)[number]) => keepsPrivate && mode !== 'private' && camera.mode === 'private'
  const changed = held.filter((camera) => !isKept(camera)).map((camera) => camera.camera_id)
  const cameras = tx.updateTable('cameras').set({ mode, recording_mode: recordingMode, ...keptMode(mode) })
  await cameras.where('account_id', '=', accountId).where('camera_id', '=', matchAny(changed)).execute()
  return held.filter(isKept).map((camera) => camera.camera_id)
}
