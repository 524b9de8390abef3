import {
  getCameraReplacement,
  postCameraReplacement,
  type ReplacementDevice,
  undoCameraReplacement,
} from '@sightline/contract/camera-replacements'
import { BODY_WORN, type Camera } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { type Clock, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { addCameraEvent } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import type { JobTasks } from '@sightline/platform/jobs'
import { fail, ok } from '@sightline/platform/result'
import {
  additionFailure,
  connectionColumns,
  connectionKey,
  hasConnection,
  isAlreadyAdded,
  unsupportedAddition,
} from '../camera-additions/index.ts'
import { changeCameras, lockCamera } from '../cameras/index.ts'
import { toAuditDevice, toReplacement } from './rules.ts'
import {
  beginReplacement,
  claimDevice,
  forgetFormerCameras,
  isInputTaken,
  isReplacing,
  loadReplaceable,
  loadReplacement,
  restoreFormer,
} from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const nothingToUndo: ApiError = {
  error: 'notFound',
  detail: 'there is no former device: it was never replaced, or more than 24 hours ago',
}
const alreadyAdded: ApiError = { error: 'duplicate', detail: 'another camera is connected to this device' }
const resting: ApiError = {
  error: 'businessRule',
  detail: 'the former device was removed from a camera less than two minutes ago: try again in two minutes',
}
/** Those of an addition: the device goes through the same steps. */
const describeFailure = (failure: Parameters<typeof additionFailure>[0]) => additionFailure(failure, 59)
const transferred: ApiError = { error: 'businessRule', detail: 'this camera belongs to another account now' }
const underWay: ApiError = {
  error: 'businessRule',
  detail: 'another device is being connected to this camera: wait until that is done',
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

/** A camera's device is replaced by another one, and put back; everything else of the camera stays. */
export const cameraReplacements = ({ db, media, encryption, now }: Deps) => [
  serve(getCameraReplacement, async (caller, { params: { cameraId } }) => {
    const state = await db.inTenant(caller, (tx) => loadReplacement(tx, caller, cameraId))
    return state === undefined
      ? fail(noSuchCamera)
      : ok(toReplacement(cameraId, state, { now: now(), describeFailure }))
  }),

  serveChange(postCameraReplacement, async (change, { params: { cameraId }, body }) =>
    changeCameras(change, media, async (tx, caller) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      if (camera.transferredAt !== null) return fail(transferred)
      const refusal = await beginAttempt(tx, { camera, body, encryption, now: now() })
      if (refusal !== undefined) return fail(refusal)
      const target = { kind: 'camera', id: cameraId }
      await change.audit({ action: 'postCameraReplacement', target, after: toAuditDevice(body) })
      const state = await loadReplacement(tx, caller, cameraId)
      return state === undefined
        ? fail(noSuchCamera)
        : ok(toReplacement(cameraId, state, { now: now(), describeFailure }))
    }),
  ),

  serveChange(undoCameraReplacement, async (change, { params: { cameraId } }) => {
    try {
      return await changeCameras(change, media, async (tx, caller) => {
        const camera = await lockCamera(tx, caller, cameraId)
        if (camera === undefined) return fail(noSuchCamera)
        const key = { accountId: caller.accountId, cameraId }
        if (await isReplacing(tx, key)) return fail(underWay)
        const at = now()
        if (!(await restoreFormer(tx, key, at))) return fail(nothingToUndo)
        const taken = await claimFault(tx, key)
        if (taken !== undefined) return fail(taken)
        await change.audit({ action: 'undoCameraReplacement', target: { kind: 'camera', id: cameraId } })
        const once = `${cameraId} cameraReplaced ${at}`
        await addCameraEvent(tx, { camera, type: 'cameraReplaced', at, endsAt: at, once })
        return ok(undefined)
      })
    } catch (error) {
      // The former device is another camera meanwhile.
      if (isAlreadyAdded(error) || isInputTaken(error)) return fail(alreadyAdded)
      throw error
    }
  }),
]

/** Why the former device can't be this account's again. */
async function claimFault(tx: Tx, key: { accountId: number; cameraId: number }): Promise<ApiError | undefined> {
  const claim = await claimDevice(tx, key)
  if (claim === 'claimed') return undefined
  return claim === 'taken' ? alreadyAdded : resting
}

interface NewAttempt extends Pick<Deps, 'encryption'> {
  readonly camera: Pick<Camera, 'accountId' | 'cameraId'>
  readonly body: ReplacementDevice & { readonly dryRun?: boolean | undefined }
  readonly now: number
}

/** Writes down the device that the worker tries; the error if it can't be tried. */
async function beginAttempt(
  tx: Tx,
  { camera: { accountId, cameraId }, body, encryption, now }: NewAttempt,
): Promise<ApiError | undefined> {
  const { dryRun = false, ...given } = body
  const unsupported = unsupportedAddition(given)
  if (unsupported !== undefined) return unsupported
  const replaceable = await loadReplaceable(tx, { accountId, cameraId })
  if (replaceable === undefined) return noSuchCamera
  const rule = ruleFault(replaceable)
  if (rule !== undefined) return rule
  if (await hasConnection(tx, { accountId, key: connectionKey(given), machines: replaceable.machines, but: cameraId }))
    return alreadyAdded
  const connection = connectionColumns({ accountId, cameraId, given, encryption })
  const attempt = { accountId, cameraId, dryRun, connection, before: replaceable.device, now }
  return (await beginReplacement(tx, attempt)) ? undefined : underWay
}

function ruleFault({
  additionStatus,
  mode,
  deviceTypeId,
}: {
  readonly additionStatus: string
  readonly mode: string
  readonly deviceTypeId: number
}): ApiError | undefined {
  const rule = (detail: string): ApiError => ({ error: 'businessRule', detail })
  if (deviceTypeId === BODY_WORN) return rule('body-worn cameras register themselves')
  if (additionStatus !== 'added') return rule("this camera hasn't been added yet")
  // Nothing of a private camera may be fetched, and a device that is tried sends a picture.
  return mode === 'private' ? rule('this camera is private: change its mode first') : undefined
}

/** Forgets former devices after their time. */
export const replacementTasks = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): JobTasks => ({
  forgetFormerCameras: {
    everyMs: MS_PER_HOUR,
    async run() {
      await forgetFormerCameras(db, clock.now())
      return ok(undefined)
    },
  },
})
