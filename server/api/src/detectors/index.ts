import {
  getDetectionAreas,
  getDetectors,
  getVideoDetector,
  patchVideoDetector,
  putDetectionAreas,
  type VideoDetector,
} from '@sightline/contract/detectors'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, Tx } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { changeCameras } from '../cameras/index.ts'
import { lastMotionSource, loadVideoDetection, saveVideoDetection } from './store.ts'

const notFound: ApiError = { error: 'notFound' }
const lastDetection: ApiError = {
  error: 'businessRule',
  detail: 'Unable to turn off all detections. To stop recording and alerts, set the camera to disarmed.',
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** What cameras are watched for. The workers obey a change within a second. */
export const detectors = ({ db, media, now }: Deps) => {
  const load = async (
    tx: Tx,
    caller: Pick<MemberCaller, 'accountId' | 'access'>,
    { cameraId, lock = false }: { readonly cameraId: number; readonly lock?: boolean },
  ) => {
    const saved = await loadVideoDetection(tx, caller, { cameraId, lock })
    if (saved === undefined) return undefined
    const source = await lastMotionSource(tx, { accountId: caller.accountId, cameraId }, now())
    const video: VideoDetector = { enabled: saved.enabled, sensitivity: saved.sensitivity, source }
    return { saved, video }
  }
  return [
    serve(getDetectors, async (caller, { params }) => {
      const found = await db.inTenant(caller, (tx) => load(tx, caller, params))
      return found === undefined ? fail(notFound) : ok({ video: found.video })
    }),

    serve(getVideoDetector, async (caller, { params }) => {
      const found = await db.inTenant(caller, (tx) => load(tx, caller, params))
      return found === undefined ? fail(notFound) : ok(found.video)
    }),

    serveChange(patchVideoDetector, async (change, { params: { cameraId }, body }) =>
      changeCameras(change, media, async (tx, caller) => {
        const before = await load(tx, caller, { cameraId, lock: true })
        if (before === undefined) return fail(notFound)
        change.ifMatch(before.video)
        const next = { ...before.saved, ...body }
        // Motion is the only detection there is.
        if (!next.enabled && before.saved.enabled) return fail(lastDetection)
        await saveVideoDetection(tx, { accountId: caller.accountId, cameraId }, next)
        const target = { kind: 'camera', id: cameraId }
        const after = { ...before.video, enabled: next.enabled, sensitivity: next.sensitivity }
        const changed = { action: 'patchVideoDetector', before: before.video, after }
        await change.audit({ target, ...changed })
        const data = { enabled: String(after.enabled), sensitivity: String(after.sensitivity) }
        await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data })
        return ok(after)
      }),
    ),

    serve(getDetectionAreas, async (caller, { params }) => {
      const found = await db.inTenant(caller, (tx) => loadVideoDetection(tx, caller, params))
      return found === undefined ? fail(notFound) : ok(found.areas)
    }),

    serveChange(putDetectionAreas, async (change, { params: { cameraId }, body: areas }) =>
      changeCameras(change, media, async (tx, caller) => {
        const before = await loadVideoDetection(tx, caller, { cameraId, lock: true })
        if (before === undefined) return fail(notFound)
        change.ifMatch(before.areas)
        await saveVideoDetection(tx, { accountId: caller.accountId, cameraId }, { ...before, areas })
        const target = { kind: 'camera', id: cameraId }
        const changed = { action: 'putDetectionAreas', before: { areas: before.areas }, after: { areas } }
        await change.audit({ target, ...changed })
        await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
        return ok(areas)
      }),
    ),
  ]
}
