import { type CameraLocation, getCameraLocation, patchCameraLocation } from '@sightline/contract/camera-location'
import type { Camera } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { changeCameras, findCameraInScope, lockCamera, saveCamera } from '../cameras/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const toText = (degrees: number | null): string | null => (degrees === null ? null : String(degrees))

const toLocation = ({ cameraId, latitude, longitude, timeZone }: Camera): CameraLocation => ({
  cameraId,
  latitude: toText(latitude),
  longitude: toText(longitude),
  timeZone,
})

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Where a camera is. The same values are fields of the camera; existing clients have this call. */
export const cameraLocation = ({ db, media, now }: Deps) => [
  serve(getCameraLocation, async (caller, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    return camera.ok ? ok(toLocation(camera.value)) : camera
  }),

  serveChange(patchCameraLocation, async (change, { params: { cameraId }, body }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    // The schedule of a camera is in its time zone.
    return changeCameras(change, media, async (tx, caller) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const before = toLocation(camera)
      change.ifMatch(before)
      const { latitude, longitude, timeZone } = { ...camera, ...body }
      const next = { ...camera, latitude, longitude, timeZone }
      await saveCamera(tx, next)
      const after = toLocation(next)
      const changed = { action: 'patchCameraLocation', before, after }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
      return ok(after)
    })
  }),
]
