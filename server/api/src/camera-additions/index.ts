import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AddedCamera,
  dismissCameraAddition,
  getCameraAddition,
  type NewCamera,
  newCamera,
  postCamera,
  postCameras,
  retryCameraAddition,
} from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { holdsZone } from '@sightline/contract/zones'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Change, IN_WORDS, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { changeCameras, findCamera, keepZone, removeCamera, slotFault } from '../cameras/index.ts'
import { lockUsers } from '../permission-profiles/index.ts'
import {
  additionDenyReason,
  followingDenyReason,
  invalidRow,
  isNews,
  namedConnection,
  recentlyRemoved,
  toAddition,
  toAuditSettings,
  toRowResult,
  unsupportedAddition,
} from './rules.ts'
import {
  hasConnection,
  hasMacAddress,
  isAlreadyAdded,
  loadAddition,
  lockFailedAddition,
  lockFailure,
  restartAddition,
  saveAddition,
  untilRefused,
  wasJustRemoved,
} from './store.ts'

export { additionTasks } from './failed-additions.ts'
export {
  additionDenyReason,
  additionFailure,
  addressFault,
  connectionKey,
  followingDenyReason,
  isNews,
  namedConnection,
  recentlyRemoved,
  unsupportedAddition,
} from './rules.ts'
export {
  connectionColumns,
  hasConnection,
  isAlreadyAdded,
  lockFailedAddition,
  saveAddition,
  sharesMachines,
  startSettings,
  wasJustRemoved,
} from './store.ts'

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
    const newId = await ids.next()
    const added = await inZone(change, body.zoneId, (tx, caller) =>
      addCameraTo(tx, { change, caller, given: body, newId, encryption, now: now() }),
    )
    if (added.ok) media.camerasChanged()
    return added
  }),

  serveChange(postCameras, async (change, { body: { zoneId, cameras } }) => {
    const newIds: number[] = []
    for (const _ of cameras) newIds.push(await ids.next())
    const added = await inZone(change, zoneId, async (tx, caller) => {
      const denial = followingDenyReason(caller)
      if (denial !== undefined) return fail(denial)
      const results: AddedCamera[] = []
      for (const [at, row] of cameras.entries()) {
        const parsed = newCamera.safeParse({ ...row, zoneId }, IN_WORDS)
        const common = { change, caller, newId: newIds[at] ?? 0, encryption, now: now() }
        const result = parsed.success
          ? await addCameraTo(tx, { ...common, given: parsed.data })
          : fail(invalidRow(parsed.error))
        results.push(toRowResult(result))
      }
      return ok(results)
    })
    if (added.ok) media.camerasChanged()
    return added
  }),

  serve(getCameraAddition, async (caller, { params, query }) => {
    const denial = followingDenyReason(caller)
    if (denial !== undefined) return fail(denial)
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
      const restart = () => restartAddition(tx, { ...camera, given: body, encryption, now: now() })
      const restarted = await untilRefused(tx, restart)
      if (!restarted.ok) return fail(refusalOf(restarted.failure))
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

/** In a transaction of callers that have full access to the zone, which stays there until it ends. */
const inZone = <Value>(
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize'>,
  zoneId: number,
  work: (tx: Tx, caller: MemberCaller) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> => {
  const { accountId, userId } = change.caller
  return change.tx({ accountId, userId }, async (tx) => {
    await lockUsers(tx, accountId)
    const asked = await change.reauthorize()
    if (!asked.ok) return asked
    const isTheirs = holdsZone(asked.value, { accountId, zoneId }) && (await keepZone(tx, { accountId, zoneId }))
    return isTheirs ? work(tx, asked.value) : fail(noSuchZone)
  })
}

interface Adding extends Pick<Deps, 'encryption'> {
  readonly change: Pick<Change<MemberCaller>, 'audit'>
  readonly caller: MemberCaller
  readonly given: NewCamera
  /** For a camera that wasn't added before. */
  readonly newId: number
  readonly now: number
}

/** Adds one camera; if the database refuses it, the transaction continues as it was before. */
async function addCameraTo(tx: Tx, adding: Adding): Promise<Result<Camera, ApiError>> {
  const { change, caller, given, newId, encryption, now } = adding
  const denial = additionDenyReason(caller, given) ?? unsupportedAddition(given)
  if (denial !== undefined) return fail(denial)
  const connection = { accountId: caller.accountId, ...namedConnection(given) }
  // Said before the slots: a camera that is there already needs none.
  if (await hasConnection(tx, connection)) return fail(alreadyAdded)
  const { ethMacAddress, channel = 1 } = given
  const mac = ethMacAddress === undefined ? undefined : { accountId: caller.accountId, ethMacAddress, channel }
  if (mac !== undefined && (await hasMacAddress(tx, mac))) return fail(alreadyAdded)
  if (await wasJustRemoved(tx, { ...connection, ethMacAddress })) return fail(recentlyRemoved)
  const { accountId } = caller
  const failedId = await lockFailedAddition(tx, connection)
  const cameraId = failedId ?? newId
  const saved = await untilRefused(tx, () =>
    saveAddition(tx, { accountId, cameraId, given, encryption, now }, failedId !== undefined),
  )
  if (!saved.ok) return fail(refusalOf(saved.failure))
  const target = { kind: 'camera', id: cameraId }
  await change.audit({ action: 'postCamera', target, after: toAuditSettings(given) })
  const camera = await findCamera(tx, caller, cameraId)
  return camera === undefined ? fail(noSuchCamera) : ok(camera)
}

/** @throws what is no rule of additions. */
function refusalOf(error: unknown): ApiError {
  if (isAlreadyAdded(error)) return alreadyAdded
  const full = slotFault(error, postCamera)
  if (full === undefined) throw error
  return full
}

const alreadyAdded: ApiError = { error: 'duplicate', detail: 'this camera has already been added' }
const notFailed: ApiError = { error: 'businessRule', detail: "this camera's addition hasn't failed" }

/** A change of a camera that could not be added. */
const changeFailed = <Value>(
  change: Parameters<typeof changeCameras>[0],
  { cameraId, media }: { readonly cameraId: number; readonly media: Deps['media'] },
  work: (tx: Tx, camera: Camera) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> =>
  changeCameras(change, media, async (tx, caller) => {
    const denial = followingDenyReason(caller)
    if (denial !== undefined) return fail(denial)
    const camera = await findCamera(tx, caller, cameraId)
    const failure = camera === undefined ? undefined : await lockFailure(tx, camera)
    if (camera === undefined || failure === undefined) return fail(noSuchCamera)
    return failure.isFailed ? work(tx, camera) : fail(notFailed)
  })
