import {
  type CameraMode,
  type CameraModeState,
  getCameraMode,
  getZoneMode,
  type ModePatch,
  patchCameraMode,
  patchZoneMode,
  type ZoneCameraMode,
} from '@sightline/contract/camera-modes'
import { type ApiError, errorCatalogue } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { changeCameras } from '../cameras/index.ts'
import { findZone, lockZone } from '../zones/index.ts'
import {
  canChangeModes,
  modeDenyReason,
  modeFault,
  preRollDenyReason,
  toNextMode,
  zoneModeDenyReason,
} from './rules.ts'
import {
  findMode,
  hasZoneSchedule,
  lockMode,
  type SavedMode,
  saveMode,
  saveZoneMode,
  toModeState,
  type ZoneCamera,
} from './store.ts'

const notFound: ApiError = { error: 'notFound' }
const needsRight: ApiError = { error: 'notAuthorized', detail: 'this needs the right editCamera' }
const notWhole: ApiError = { error: 'notAuthorized', detail: 'this needs access to all cameras in the zone' }

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** The mode of the zone before, with the cameras that had another one and got a new one. */
function toAudit(before: CameraMode, cameras: readonly ZoneCamera[], { mode }: ModePatch) {
  const others = cameras.filter((camera) => mode !== undefined && camera.mode !== before.mode)
  const had = others.map((camera) => ({ cameraId: camera.cameraId, mode: camera.mode }))
  return had.length === 0 ? toMode(before) : { ...toMode(before), cameras: had }
}

const toData = ({ mode, recordingMode }: ModePatch) => ({
  ...(mode === undefined ? {} : { mode }),
  ...(recordingMode === undefined ? {} : { recordingMode }),
})

/** The mode before and after; what is recorded before an event only if it changed. */
function toAudited(before: SavedMode, after: CameraMode & Pick<SavedMode, 'preRollSeconds'>) {
  if (before.preRollSeconds === after.preRollSeconds) return { before: toMode(before), after: toMode(after) }
  return { before: { ...toMode(before), preRollSeconds: before.preRollSeconds }, after }
}

const toMode = ({ mode, recordingMode }: CameraMode): CameraMode => ({ mode, recordingMode })

/** Modes of cameras and zones. The workers obey a change within a second. */
export const cameraModes = ({ db, media, now }: Deps) => [
  serve(getCameraMode, async (caller, { params }) => {
    const mode = await db.inTenant(caller, (tx) => findMode(tx, caller, params.cameraId))
    return mode === undefined ? fail(notFound) : ok(mode)
  }),

  serveChange(patchCameraMode, async (change, { params: { cameraId }, body }) => {
    const { accountId } = change.caller
    return changeCameras(change, media, async (tx, caller): Promise<Result<CameraModeState, ApiError>> => {
      if (!canChangeModes(caller)) return fail(needsRight)
      const before = await lockMode(tx, caller, cameraId)
      if (before === undefined) return fail(notFound)
      change.ifMatch(toModeState(before))
      const next = toNextMode(before, body)
      const { beforePrivate, hasSchedule } = before
      const { preRollSeconds = before.preRollSeconds } = body
      const fault =
        preRollDenyReason(caller, { before, preRollSeconds }) ??
        modeDenyReason(caller, { before, next, beforePrivate }) ??
        modeFault({ before, next, hasSchedule })
      if (fault !== undefined) return fail(fault)
      await saveMode(tx, { accountId, cameraId }, { ...next, preRollSeconds })
      const target = { kind: 'camera', id: cameraId }
      const changed = { action: 'patchCameraMode', ...toAudited(before, { ...next, preRollSeconds }) }
      await change.audit({ target, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: toData(next) })
      const returnsTo = before.mode === 'private' || next.mode !== 'private' ? before.beforePrivate : before.mode
      return ok(toModeState({ ...next, preRollSeconds, beforePrivate: returnsTo }))
    })
  }),

  serve(getZoneMode, async (caller, { params }) => {
    const zone = await db.inTenant(caller, (tx) => findZone(tx, caller, params.zoneId))
    return zone === undefined ? fail(notFound) : ok({ ...toMode(zone), failed: [] })
  }),

  serveChange(patchZoneMode, async (change, { params: { zoneId }, body }) => {
    const { accountId } = change.caller
    return changeCameras(change, media, async (tx, caller): Promise<Result<ZoneCameraMode, ApiError>> => {
      await lockZone(tx, { accountId, zoneId })
      const before = await findZone(tx, caller, zoneId)
      if (before === undefined) return fail(notFound)
      if (!before.whole) return fail(notWhole)
      change.ifMatch({ ...toMode(before), failed: [] })
      const next = toNextMode(before, body)
      const hasSchedule = await hasZoneSchedule(tx, { accountId, zoneId })
      const fault = zoneModeDenyReason(caller, { before, next }) ?? modeFault({ before, next, hasSchedule })
      if (fault !== undefined) return fail(fault)
      const key = { accountId, zoneId, keepsPrivate: caller.support !== undefined }
      const { changed: cameras, kept } = await saveZoneMode(tx, key, { next, patch: body })
      const target = { kind: 'zone', id: zoneId }
      const changed = { action: 'patchZoneMode', before: toAudit(before, cameras, body), after: next }
      await change.audit({ target, ...changed })
      const others = cameras.filter((camera) => body.recordingMode !== undefined || camera.mode !== body.mode)
      const cameraIds = others.map((camera) => camera.cameraId)
      await addUserActions(tx, { caller, at: now(), cameraIds, ...changed, before: null, data: toData(body) })
      return ok({
        ...next,
        failed: kept.map(({ cameraId, error }) => ({ cameraId, code: errorCatalogue[error].code })),
      })
    })
  }),
]
