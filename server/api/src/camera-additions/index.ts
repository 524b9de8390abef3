import { setTimeout as sleep } from 'node:timers/promises'
import {
  dismissCameraAddition,
  getCameraAddition,
  postCamera,
  retryCameraAddition,
} from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { holdsZone } from '@sightline/contract/zones'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { changeCameras, findCamera, keepZone, removeCamera, slotFault } from '../cameras/index.ts'
import { lockUsers } from '../permission-profiles/index.ts'
import { connectionKey, isNews, toAddition, toAuditSettings, unsupportedAddition } from './rules.ts'
import {
  isAlreadyAdded,
  loadAddition,
  lockFailedAddition,
  lockFailure,
  restartAddition,
  saveAddition,
} from './store.ts'

export { additionTasks } from './failed-additions.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchZone: ApiError = { error: 'notFound', detail: "zone not found, or you don't have access to it" }

/** The longest that a poll waits (api.md §8). */
const POLL_MS = 180_000
const LOOK_EVERY_MS = 300

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

export const cameraAdditions = ({ db, ids, media, encryption, now }: Deps) => [
  serveChange(postCamera, async (change, { body }) => {
    const unsupported = unsupportedAddition(body)
    if (unsupported !== undefined) return fail(unsupported)
    const { accountId, userId } = change.caller
    const newId = await ids.next()
    try {
      const added = await change.tx({ accountId, userId }, async (tx): Promise<Result<Camera, ApiError>> => {
        await lockUsers(tx, accountId)
        const asked = await change.reauthorize()
        if (!asked.ok) return asked
        const caller = asked.value
        const { zoneId } = body
        const isTheirs = holdsZone(caller, { accountId, zoneId }) && (await keepZone(tx, { accountId, zoneId }))
        if (!isTheirs) return fail(noSuchZone)
        const failedId = await lockFailedAddition(tx, { accountId, key: connectionKey(body) })
        const cameraId = failedId ?? newId
        await saveAddition(tx, { accountId, cameraId, given: body, encryption, now: now() }, failedId !== undefined)
        await change.audit({
          action: 'postCamera',
          target: { kind: 'camera', id: cameraId },
          after: toAuditSettings(body),
        })
        const camera = await findCamera(tx, caller, cameraId)
        return camera === undefined ? fail(noSuchCamera) : ok(camera)
      })
      if (added.ok) media.camerasChanged()
      return added
    } catch (error) {
      if (isAlreadyAdded(error)) return fail({ error: 'duplicate', detail: 'this camera has already been added' })
      const full = slotFault(error, postCamera)
      if (full !== undefined) return fail(full)
      throw error
    }
  }),

  serve(getCameraAddition, async (caller, { params, query }) => {
    const { cameraId } = params
    const until = performance.now() + POLL_MS
    for (;;) {
      const state = await db.inTenant(caller, async (tx) => {
        const camera = await findCamera(tx, caller, cameraId)
        return camera === undefined ? undefined : loadAddition(tx, camera)
      })
      if (state === undefined) return fail(noSuchCamera)
      const addition = toAddition(cameraId, state)
      if (isNews(addition, query) || performance.now() >= until) return ok(addition)
      await sleep(LOOK_EVERY_MS)
    }
  }),

  serveChange(retryCameraAddition, async (change, { params: { cameraId }, body }) =>
    changeFailed(change, { cameraId, media }, async (tx, camera) => {
      await restartAddition(tx, { ...camera, given: body, encryption, now: now() })
      const { password: _, ...after } = body
      await change.audit({ action: 'retryCameraAddition', target: { kind: 'camera', id: cameraId }, after })
      return ok(camera)
    }),
  ),

  serveChange(dismissCameraAddition, async (change, { params: { cameraId } }) =>
    changeFailed(change, { cameraId, media }, async (tx, camera) => {
      await removeCamera(tx, camera, now())
      const before = { name: camera.name, zoneId: camera.zoneId }
      await change.audit({ action: 'dismissCameraAddition', target: { kind: 'camera', id: cameraId }, before })
      return ok(undefined)
    }),
  ),
]

const notFailed: ApiError = { error: 'businessRule', detail: "this camera's addition hasn't failed" }

/** A change of a camera that could not be added. */
const changeFailed = <Value>(
  change: Parameters<typeof changeCameras>[0],
  { cameraId, media }: { readonly cameraId: number; readonly media: Deps['media'] },
  work: (tx: Tx, camera: Camera) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> =>
  changeCameras(change, media, async (tx, caller) => {
    const camera = await findCamera(tx, caller, cameraId)
    const failure = camera === undefined ? undefined : await lockFailure(tx, camera)
    if (camera === undefined || failure === undefined) return fail(noSuchCamera)
    return failure.isFailed ? work(tx, camera) : fail(notFailed)
  })
