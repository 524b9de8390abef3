import { type ApiError, errorCatalogue } from '@sightline/contract/errors'
import {
  getCameraFirmware,
  getDeviceFirmware,
  type StartedUpgrades,
  upgradeCameraFirmware,
  upgradeCamerasFirmware,
  upgradeDeviceFirmware,
} from '@sightline/contract/firmware'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
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

const offlineDevice: ApiError = { error: 'deviceOffline', detail: "the device doesn't respond" }

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

/** The newer version that is offered for a camera or a recorder; null if there is none. */
export const findNewerFirmware = async (tx: Tx, owner: JobOwner): Promise<string | null> =>
  (await loadFirmware(tx, owner)).available

interface Wanted {
  readonly version: string | undefined
  /** Why the camera or the recorder can't be upgraded, whatever is offered for it. */
  readonly fault: ApiError | undefined
}

/** The image that was asked for, if one can be installed now. The camera or the recorder is locked. */
async function chooseOffered(
  tx: Tx,
  owner: JobOwner,
  { version, fault }: Wanted,
): Promise<Result<OfferedImage, ApiError>> {
  if (await hasOpenJob(tx, owner)) return fail(atWork)
  if (fault !== undefined) return fail(fault)
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
    const queued = await change.tx(caller, (tx) =>
      queueUpgrade(tx, change, { cameraId, jobId, version, action: 'upgradeCameraFirmware', now: now() }),
    )
    if (queued.ok) media.camerasChanged()
    return queued
  }),

  serveChange(upgradeCamerasFirmware, async (change, { body: { cameraIds, version } }) => {
    const { caller } = change
    // In one order, so that two such calls don't wait for each other.
    const wanted = [...new Set(cameraIds)].toSorted((a, b) => a - b)
    const jobIds = await Promise.all(wanted.map(() => ids.next()))
    const upgrades = wanted.map((cameraId, index) => ({
      cameraId,
      jobId: jobIds[index] ?? 0,
      version,
      action: 'upgradeCamerasFirmware',
      now: now(),
    }))
    const queued = await change.tx(caller, (tx) => queueUpgrades(tx, change, upgrades))
    if (queued.ok && queued.value.jobs.length > 0) media.camerasChanged()
    return queued
  }),
]

const toReason = ({ error, detail }: ApiError) => ({ code: errorCatalogue[error].code, detail: detail ?? '' })

interface CameraUpgrade {
  readonly cameraId: number
  readonly jobId: number
  readonly version: string | undefined
  /** In the audit log. */
  readonly action: string
  readonly now: number
}

/** Each with its own result; none if one of the cameras is out of the caller's scope. */
async function queueUpgrades(
  tx: Tx,
  change: Pick<Change<MemberCaller>, 'caller' | 'audit'>,
  upgrades: readonly CameraUpgrade[],
): Promise<Result<StartedUpgrades, ApiError>> {
  for (const { cameraId } of upgrades)
    if ((await lockCamera(tx, change.caller, cameraId)) === undefined) return fail(noSuch)
  const started: StartedUpgrades = { jobs: [], failed: [] }
  for (const upgrade of upgrades) {
    const { cameraId } = upgrade
    const result = await queueUpgrade(tx, change, upgrade)
    if (result.ok) started.jobs.push({ cameraId, jobId: result.value.jobId })
    else started.failed.push({ cameraId, ...toReason(result.failure) })
  }
  return ok(started)
}

/** A job for the upgrade of a camera, unless it can't be upgraded now; then nothing is written. */
async function queueUpgrade(
  tx: Tx,
  change: Pick<Change<MemberCaller>, 'caller' | 'audit'>,
  { cameraId, jobId, version, action, now }: CameraUpgrade,
): Promise<Result<{ jobId: number }, ApiError>> {
  const { caller } = change
  const camera = await lockCamera(tx, caller, cameraId)
  if (camera === undefined) return fail(noSuch)
  const owner = { accountId: camera.accountId, cameraId }
  const image = await chooseOffered(tx, owner, { version, fault: cameraFault(await loadConnection(tx, owner)) })
  if (!image.ok) return image
  await insertUpgrade(tx, owner, { jobId, image: image.value, now })
  const done = { action, before: null, after: toAudit(jobId, image.value) }
  await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
  await addUserActions(tx, { caller, at: now, cameraIds: [cameraId], ...done, data: { version: image.value.version } })
  return ok({ jobId })
}

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
      const fault = device.status === 'offline' ? offlineDevice : undefined
      const image = await chooseOffered(tx, owner, { version, fault })
      if (!image.ok) return image
      await insertUpgrade(tx, owner, { jobId, image: image.value, now: now() })
      const after = toAudit(jobId, image.value)
      await change.audit({ action: 'upgradeDeviceFirmware', target: { kind: 'device', id: deviceId }, after })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),
]
