import { deleteDeviceJob, getDeviceJob, getDeviceJobs, rebootDevice } from '@sightline/contract/device-jobs'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { type DeviceKey, findDeviceInScope, lockDevice } from '../devices/index.ts'
import { cameraJobs } from './camera-jobs.ts'
import { begun, noSuchJob, REBOOT_MS } from './rules.ts'
import { cancelJob, hasOpenJob, insertJob, listOwnJobs } from './store.ts'

const noSuchDevice: ApiError = { error: 'notFound' }
const offline: ApiError = { error: 'deviceOffline', detail: "the device doesn't respond" }
const restarting: ApiError = { error: 'businessRule', detail: 'the device is restarting already' }

export {
  hasOpenJob,
  insertJob,
  type JobOwner,
  listCameraJobs,
  listOwnJobs,
  loadConnection,
  type RestartTarget,
} from './store.ts'

const ownerOf = ({ accountId, deviceId }: DeviceKey) => ({ accountId, deviceId })

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Work at recorders and cameras that takes a while. A job is written down here and carried out by the media worker of the device. */
export const deviceJobs = (deps: Deps) => [...recorderJobs(deps), ...cameraJobs(deps)]

const recorderJobs = ({ db, ids, media, now }: Deps) => [
  serve(getDeviceJobs, async (caller, { params: { deviceId } }) => {
    const device = await findDeviceInScope(db, caller, deviceId)
    if (!device.ok) return device
    return ok(await db.inTenant(caller, (tx) => listOwnJobs(tx, { accountId: caller.accountId, deviceId })))
  }),

  serve(getDeviceJob, async (caller, { params: { deviceId, jobId } }) => {
    const device = await findDeviceInScope(db, caller, deviceId)
    if (!device.ok) return device
    const jobs = await db.inTenant(caller, (tx) => listOwnJobs(tx, { accountId: caller.accountId, deviceId }))
    const job = jobs.find((one) => one.jobId === jobId)
    return job === undefined ? fail(noSuchJob) : ok(job)
  }),

  serveChange(deleteDeviceJob, async (change, { params: { deviceId, jobId } }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      const device = await lockDevice(tx, caller, deviceId)
      if (device === undefined) return fail(noSuchDevice)
      const isCanceled = await cancelJob(tx, ownerOf(device), { jobId, now: now() })
      if (isCanceled === undefined) return fail(noSuchJob)
      if (!isCanceled) return fail(begun)
      await change.audit({ action: 'deleteDeviceJob', target: { kind: 'device', id: deviceId }, before: { jobId } })
      return ok(undefined)
    })
  }),

  serveChange(rebootDevice, async (change, { params: { deviceId } }) => {
    const { caller } = change
    const jobId = await ids.next()
    const queued = await change.tx(caller, async (tx) => {
      const device = await lockDevice(tx, caller, deviceId)
      if (device === undefined) return fail(noSuchDevice)
      if (await hasOpenJob(tx, ownerOf(device))) return fail(restarting)
      if (device.status === 'offline') return fail(offline)
      await insertJob(tx, ownerOf(device), { jobId, type: 'reboot', now: now(), deadlineMs: REBOOT_MS })
      await change.audit({ action: 'rebootDevice', target: { kind: 'device', id: deviceId }, after: { jobId } })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),
]
