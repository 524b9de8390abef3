import {
  deleteDeviceJob,
  getDeviceFirmware,
  getDeviceJob,
  getDeviceJobs,
  rebootDevice,
} from '@sightline/contract/device-jobs'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findDeviceInScope, listJobs, lockDevice } from '../devices/index.ts'
import { cancelJob, hasOpenJob, insertJob } from './store.ts'

const noSuchDevice: ApiError = { error: 'notFound' }
const noSuchJob: ApiError = { error: 'notFound', detail: 'job not found' }
const offline: ApiError = { error: 'deviceOffline', detail: "the device doesn't respond" }
const restarting: ApiError = { error: 'businessRule', detail: 'the device is restarting already' }
const begun: ApiError = { error: 'businessRule', detail: 'only a job that has not begun can be canceled' }

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Work at recorders that takes a while. A job is written down here and carried out by the media worker of the device. */
export const deviceJobs = ({ db, ids, media, now }: Deps) => [
  serve(getDeviceJobs, async (caller, { params: { deviceId } }) => {
    const device = await findDeviceInScope(db, caller, deviceId)
    if (!device.ok) return device
    const jobs = await db.inTenant(caller, (tx) => listJobs(tx, caller, [deviceId]))
    return ok(jobs.get(deviceId) ?? [])
  }),

  serve(getDeviceJob, async (caller, { params: { deviceId, jobId } }) => {
    const device = await findDeviceInScope(db, caller, deviceId)
    if (!device.ok) return device
    const jobs = await db.inTenant(caller, (tx) => listJobs(tx, caller, [deviceId]))
    const job = jobs.get(deviceId)?.find((one) => one.jobId === jobId)
    return job === undefined ? fail(noSuchJob) : ok(job)
  }),

  serveChange(deleteDeviceJob, async (change, { params: { deviceId, jobId } }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      const device = await lockDevice(tx, caller, deviceId)
      if (device === undefined) return fail(noSuchDevice)
      const isCanceled = await cancelJob(tx, { ...device, jobId, now: now() })
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
      if (await hasOpenJob(tx, device, 'reboot')) return fail(restarting)
      if (device.status === 'offline') return fail(offline)
      await insertJob(tx, { ...device, jobId, type: 'reboot', now: now() })
      await change.audit({ action: 'rebootDevice', target: { kind: 'device', id: deviceId }, after: { jobId } })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),

  serve(getDeviceFirmware, async (caller, { params }) => {
    const device = await findDeviceInScope(db, caller, params.deviceId)
    if (!device.ok) return device
    return ok({ current: device.value.firmware, available: null, status: 'UpToDate' as const })
  }),
]
