import type { CameraMode, CameraModeState, ModePatch } from '@sightline/contract/camera-modes'
import type { ErrorName } from '@sightline/contract/errors'
import { hasRecordingTimes } from '@sightline/contract/schedules'
import { matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

export interface SavedMode extends CameraMode {
  readonly beforePrivate: 'armed' | 'silent' | 'disarmed' | 'scheduled'
  /** Whether its own schedule or its zone's has times to record at. */
  readonly hasSchedule: boolean
  readonly preRollSeconds: number
}

const modeOf = (tx: Tx, caller: CameraScope, cameraId: number) =>
  accessibleCameras(tx, caller)
    .innerJoin('zones', (join) =>
      join.onRef('zones.account_id', '=', 'cameras.account_id').onRef('zones.zone_id', '=', 'cameras.zone_id'),
    )
    .select(['cameras.mode', 'cameras.recording_mode', 'cameras.mode_before_private'])
    .select('cameras.pre_roll_seconds')
    .select(['cameras.schedule', 'zones.schedule as zone_schedule'])
    .where('cameras.camera_id', '=', cameraId)

/** Undefined if it doesn't exist or is out of the caller's scope. */
export async function findMode(tx: Tx, caller: CameraScope, cameraId: number): Promise<CameraModeState | undefined> {
  const row = await modeOf(tx, caller, cameraId).executeTakeFirst()
  if (row === undefined) return undefined
  const { mode, recording_mode: recordingMode, pre_roll_seconds: preRollSeconds } = row
  return toModeState({ mode, recordingMode, preRollSeconds, beforePrivate: row.mode_before_private })
}

/** A camera's mode as clients see it. */
export const toModeState = ({
  mode,
  recordingMode,
  preRollSeconds,
  beforePrivate,
}: Omit<SavedMode, 'hasSchedule'>): CameraModeState => ({
  mode,
  recordingMode,
  preRollSeconds,
  modeBeforePrivate: mode === 'private' ? beforePrivate : null,
})

/** The camera's mode, locked until the transaction ends. */
export async function lockMode(tx: Tx, caller: CameraScope, cameraId: number): Promise<SavedMode | undefined> {
  const row = await modeOf(tx, caller, cameraId).forNoKeyUpdate('cameras').executeTakeFirst()
  return (
    row && {
      mode: row.mode,
      recordingMode: row.recording_mode,
      beforePrivate: row.mode_before_private,
      hasSchedule: hasRecordingTimes(row.schedule ?? row.zone_schedule),
      preRollSeconds: row.pre_roll_seconds,
    }
  )
}

/** The mode to return to when private mode is turned off: that of before it was turned on. */
const modeColumns = (mode: CameraMode['mode']) => ({
  mode,
  mode_before_private:
    mode === 'private'
      ? sql<SavedMode['beforePrivate']>`case when mode = 'private' then mode_before_private else mode end`
      : mode,
})

export async function saveMode(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  { mode, recordingMode, preRollSeconds }: CameraMode & { readonly preRollSeconds: number },
): Promise<void> {
  const values = { recording_mode: recordingMode, pre_roll_seconds: preRollSeconds }
  const cameras = tx.updateTable('cameras').set({ ...modeColumns(mode), ...values })
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
  return row !== undefined && hasRecordingTimes(row.schedule)
}

/** A camera that a change of its zone's mode concerns. */
export interface ZoneCamera {
  readonly cameraId: number
  readonly mode: CameraMode['mode']
}

/** A camera that keeps its mode although its zone gets another one, and why. */
export interface KeptCamera extends ZoneCamera {
  readonly error: ErrorName
}

/**
 * Gives a zone the mode, and its cameras what the patch names: without `mode` each camera keeps its own. Returns the
 * cameras that were changed, with their modes before, and those left as they are: private ones with `keepsPrivate`, and
 * ones that would be scheduled by a schedule of their own without times to record at.
 */
export async function saveZoneMode(
  tx: Tx,
  { accountId, zoneId, keepsPrivate }: ZoneKey & { readonly keepsPrivate: boolean },
  { next, patch }: { readonly next: CameraMode; readonly patch: ModePatch },
): Promise<{ readonly changed: readonly ZoneCamera[]; readonly kept: readonly KeptCamera[] }> {
  const zones = tx.updateTable('zones').set({ mode: next.mode, recording_mode: next.recordingMode })
  await zones.where('account_id', '=', accountId).where('zone_id', '=', zoneId).execute()
  const columns = {
    ...(patch.mode === undefined ? {} : modeColumns(patch.mode)),
    ...(patch.recordingMode === undefined ? {} : { recording_mode: patch.recordingMode }),
  }
  if (Object.keys(columns).length === 0) return { changed: [], kept: [] }
  const ofZone = tx.selectFrom('cameras').select(['camera_id', 'mode', 'schedule']).where('account_id', '=', accountId)
  const rows = await ofZone.where('zone_id', '=', zoneId).orderBy('camera_id').forNoKeyUpdate().execute()
  const endsPrivate = patch.mode !== undefined && patch.mode !== 'private'
  const reasonToKeep = ({ mode, schedule }: (typeof rows)[number]): ErrorName | undefined => {
    if (keepsPrivate && endsPrivate && mode === 'private') return 'notAuthorized'
    return patch.mode === 'scheduled' && schedule !== null && !hasRecordingTimes(schedule) ? 'businessRule' : undefined
  }
  const held = rows.map((row) => ({ cameraId: row.camera_id, mode: row.mode, error: reasonToKeep(row) }))
  const changed = held.filter(({ error }) => error === undefined)
  const cameras = tx.updateTable('cameras').set(columns).where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', matchAny(changed.map(({ cameraId }) => cameraId))).execute()
  return { changed, kept: held.filter((camera): camera is KeptCamera => camera.error !== undefined) }
}
