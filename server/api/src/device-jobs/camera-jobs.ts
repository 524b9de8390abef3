import { deleteCameraJob, getCameraJob, getCameraJobs, rebootCamera } from '@sightline/contract/device-jobs'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCamera, lockCamera } from '../cameras/index.ts'
import { begun, noSuchJob, REBOOT_MS } from './rules.ts'
import { cancelJob, hasOpenJob, insertJob, listOwnJobs, loadConnection, type RestartTarget } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const atWork: ApiError = {
  error: 'businessRule',
  detail: 'the camera is restarting or another job is running: wait until it has finished',
}

/** Why a camera can't be restarted; undefined if it can. */
function rebootFault({ hasOnvif, isInput, isOnline }: RestartTarget): ApiError | undefined {
  if (!hasOnvif)
    return { error: 'capabilityNotSupported', detail: 'only cameras that are connected by ONVIF can be restarted' }
  if (isInput)
    return {
      error: 'capabilityNotSupported',
      detail: 'this camera is an input of a recorder: restarting it would restart the recorder with all its cameras',
    }
  return isOnline ? undefined : { error: 'cameraOffline', detail: "the camera doesn't respond" }
}

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Work at cameras that takes a while: the same kind of job as that of recorders (docs/decisions/0123). */
export const cameraJobs = ({ db, ids, media, now }: Deps) => [
  serve(getCameraJobs, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      return camera === undefined ? fail(noSuchCamera) : ok(await listOwnJobs(tx, camera))
    }),
  ),

  serve(getCameraJob, async (caller, { params: { cameraId, jobId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const job = (await listOwnJobs(tx, camera)).find((one) => one.jobId === jobId)
      return job === undefined ? fail(noSuchJob) : ok(job)
    }),
  ),

  serveChange(deleteCameraJob, async (change, { params: { cameraId, jobId } }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const isCanceled = await cancelJob(tx, camera, { jobId, now: now() })
      if (isCanceled === undefined) return fail(noSuchJob)
      if (!isCanceled) return fail(begun)
      await change.audit({ action: 'deleteCameraJob', target: { kind: 'camera', id: cameraId }, before: { jobId } })
      return ok(undefined)
    })
  }),

  serveChange(rebootCamera, async (change, { params: { cameraId } }) => {
    const { caller } = change
    const jobId = await ids.next()
    const queued = await change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      if (await hasOpenJob(tx, camera)) return fail(atWork)
      const fault = rebootFault(await loadConnection(tx, camera))
      if (fault !== undefined) return fail(fault)
      await insertJob(tx, camera, { jobId, type: 'reboot', now: now(), deadlineMs: REBOOT_MS })
      const done = { action: 'rebootCamera', before: null, after: { jobId } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...done, data: {} })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),
]
