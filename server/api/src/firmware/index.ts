import type { ApiError } from '@sightline/contract/errors'
import {
  getCameraFirmware,
  getDeviceFirmware,
  upgradeCameraFirmware,
  upgradeDeviceFirmware,
} from '@sightline/contract/firmware'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { findCamera, lockCamera } from '../cameras/index.ts'
import {
  hasOpenJob,
  insertJob,
  type JobOwner,
  listOwnJobs,
  loadConnection,
  type RestartTarget,
} from '../device-jobs/index.ts'
import { findDeviceInScope, lockDevice } from '../devices/index.ts'
import { chooseImage, lastUpgrade, type OfferedImage, toFirmware } from './rules.ts'
import { listOffered, loadModel, saveJobImage } from './store.ts'

const noSuch: ApiError = { error: 'notFound' }
const noVersion: ApiError = { error: 'notFound', detail: 'no firmware of that version is offered for this model' }
const upToDate: ApiError = { error: 'businessRule', detail: 'no newer firmware is offered for this model' }
const atWork: ApiError = {
  error: 'businessRule',
  detail: 'it is restarting or another job is running: wait until that has finished',
}

/** An upgrade that nothing has begun by then has failed; one that began has a deadline of its own. */
const QUEUED_MS = 24 * 3_600_000

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Firmware of cameras and recorders, which the worker that looks after them installs as a job (docs/decisions/0108). */
export const firmware = (deps: Deps) => [...ofCameras(deps), ...ofDevices(deps)]

async function loadFirmware(tx: Tx, owner: JobOwner) {
  const model = await loadModel(tx, owner)
  return toFirmware(model.current, await listOffered(tx, owner, model), lastUpgrade(await listOwnJobs(tx, owner)))
}

/** The image that was asked for, if one can be installed now. The camera or the recorder is locked. */
async function chooseOffered(
  tx: Tx,
  owner: JobOwner,
  version: string | undefined,
): Promise<Result<OfferedImage, ApiError>> {
  if (await hasOpenJob(tx, owner)) return fail(atWork)
  const model = await loadModel(tx, owner)
  const image = chooseImage({ current: model.current, version }, await listOffered(tx, owner, model))
  if (image !== undefined) return ok(image)
  return fail(version === undefined ? upToDate : noVersion)
}

async function insertUpgrade(
  tx: Tx,
  owner: JobOwner,
  { jobId, image, now }: { readonly jobId: number; readonly image: OfferedImage; readonly now: number },
): Promise<void> {
  await insertJob(tx, owner, { jobId, type: 'firmwareUpgrade', now, deadlineMs: QUEUED_MS })
  await saveJobImage(tx, owner, { jobId, image })
}

/** Why the firmware of a camera can't be upgraded; undefined if it can. */
function cameraFault({ hasOnvif, isInput, isOnline }: RestartTarget): ApiError | undefined {
  if (!hasOnvif)
    return {
      error: 'capabilityNotSupported',
      detail: 'only the firmware of cameras that are connected by ONVIF can be upgraded',
    }
  if (isInput)
    return {
      error: 'capabilityNotSupported',
      detail: 'this camera is an input of a recorder: upgrade the firmware of the recorder',
    }
  return isOnline ? undefined : { error: 'cameraOffline', detail: "the camera doesn't respond" }
}

const toAudit = (jobId: number, { version, sha256 }: OfferedImage) => ({ jobId, version, sha256 })

const ofCameras = ({ db, ids, media, now }: Deps) => [
  serve(getCameraFirmware, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      return camera === undefined ? fail(noSuch) : ok(await loadFirmware(tx, camera))
    }),
  ),

  serveChange(upgradeCameraFirmware, async (change, { params: { cameraId }, body: { version } }) => {
    const { caller } = change
    const jobId = await ids.next()
    const queued = await change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuch)
      const owner = { accountId: camera.accountId, cameraId }
      const image = await chooseOffered(tx, owner, version)
      if (!image.ok) return image
      const fault = cameraFault(await loadConnection(tx, owner))
      if (fault !== undefined) return fail(fault)
      await insertUpgrade(tx, owner, { jobId, image: image.value, now: now() })
      const done = { action: 'upgradeCameraFirmware', before: null, after: toAudit(jobId, image.value) }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
      await addUserActions(tx, {
        caller,
        at: now(),
        cameraIds: [cameraId],
        ...done,
        data: { version: image.value.version },
      })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),
]

const ofDevices = ({ db, ids, media, now }: Deps) => [
  serve(getDeviceFirmware, async (caller, { params: { deviceId } }) => {
    const device = await findDeviceInScope(db, caller, deviceId)
    if (!device.ok) return device
    return ok(await db.inTenant(caller, (tx) => loadFirmware(tx, { accountId: device.value.accountId, deviceId })))
  }),

  serveChange(upgradeDeviceFirmware, async (change, { params: { deviceId }, body: { version } }) => {
    const { caller } = change
    const jobId = await ids.next()
    const queued = await change.tx(caller, async (tx) => {
      const device = await lockDevice(tx, caller, deviceId)
      if (device === undefined) return fail(noSuch)
      const owner = { accountId: device.accountId, deviceId }
      const image = await chooseOffered(tx, owner, version)
      if (!image.ok) return image
      if (device.status === 'offline') return fail({ error: 'deviceOffline', detail: "the device doesn't respond" })
      await insertUpgrade(tx, owner, { jobId, image: image.value, now: now() })
      const after = toAudit(jobId, image.value)
      await change.audit({ action: 'upgradeDeviceFirmware', target: { kind: 'device', id: deviceId }, after })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),
]
