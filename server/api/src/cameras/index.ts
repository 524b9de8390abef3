import { type AuthPlane, PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import {
  type Camera,
  deleteCamera,
  getCamera,
  getCameraStatus,
  getCameraStatuses,
  getCameras,
  getSnapshot,
  patchCamera,
} from '@sightline/contract/cameras'
import { decodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { holdsZone } from '@sightline/contract/zones'
import type { Db, Tx } from '@sightline/platform/db'
import { addCameraEvent, addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { shareLockUsers } from '../permission-profiles/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'
import { pictureFormat, recordSupportView, toPictureReply } from './pictures.ts'
import { getSnapshotDenyReason, patchedCoordinates, retentionFault, toFilter, toSettings } from './rules.ts'
import {
  findCamera,
  hasCameraInScope,
  isFailedAddition,
  keepZone,
  listCameras,
  listStatuses,
  lockCamera,
  removeCamera,
  saveCamera,
  wouldNotRecord,
} from './store.ts'

export { commandError } from './command-failures.ts'
export { firmwareColumns, toFirmwareStatus } from './firmware-store.ts'
export { pictureFormat, recordFootageView, recordSupportView, toPictureReply } from './pictures.ts'
export { toNamePattern } from './rules.ts'
export {
  accessibleCameras,
  findCamera,
  keepZone,
  listCameras,
  listStatuses,
  lockCamera,
  rememberRemoval,
  removeCamera,
  saveCamera,
  slotFault,
} from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchZone: ApiError = { error: 'notFound', detail: "zone not found, or you don't have access to it" }

const emptySchedule: ApiError = {
  error: 'businessRule',
  detail: 'this camera records by the schedule of its zone, and the new zone has no recording times: add some first',
}

/**
 * The camera if it is in the caller's scope. One of another account, one without a grant and a nonexistent one get the
 * same reply.
 */
export async function findCameraInScope(
  db: Db,
  caller: MemberCaller,
  cameraId: number,
): Promise<Result<Camera, ApiError>> {
  const camera = await db.inTenant(caller, (tx) => findCamera(tx, caller, cameraId))
  return camera === undefined ? fail(noSuchCamera) : ok(camera)
}

interface Deps {
  readonly db: Db
  readonly media: MediaPlane
  readonly auth: Pick<AuthPlane, 'verifyPassword'>
  readonly now: () => number
}

export const cameras = (deps: Deps) => [...reading(deps), ...changing(deps)]

const reading = ({ db, media }: Deps) => [
  serve(getCameras, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listCameras(tx, caller, toFilter(query)))),
  ),

  serve(getCameraStatuses, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listStatuses(tx, caller, query))),
  ),

  serve(getCamera, async (caller, { params }) => findCameraInScope(db, caller, params.cameraId)),

  serve(getCameraStatus, async (caller, { params }) => {
    const [status] = await db.inTenant(caller, (tx) => listStatuses(tx, caller, { cameraIds: [params.cameraId] }))
    return status === undefined ? fail(noSuchCamera) : ok(status)
  }),

  serveChange(getSnapshot, async (change, { params, query, header }) => {
    const { caller } = change
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const unsupported = getSnapshotDenyReason(query)
    if (unsupported !== undefined) return fail(unsupported)
    const format = pictureFormat(caller, header('accept'))
    if (!format.ok) return format
    const answer = await media.snapshot({ cameraId: params.cameraId, format: format.value })
    if (answer.kind !== 'picture') return toPictureReply(answer)
    const target = { kind: 'camera', id: params.cameraId }
    const recorded = await recordSupportView(change, { action: 'snapshot', target, format: format.value })
    return recorded.ok ? toPictureReply(answer) : recorded
  }),
]

const changing = ({ db, media, auth, now }: Deps) => [
  serveChange(patchCamera, async (change, { params, body }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return changeCameras(change, media, async (tx, caller) => {
      const before = await lockCamera(tx, caller, params.cameraId)
      if (before === undefined) return fail(noSuchCamera)
      const { name, zoneId, timeZone, retention } = { ...before, ...body }
      const next = { ...before, name, zoneId, timeZone, retention, ...patchedCoordinates(body, before) }
      const refusal = await moveFault(tx, caller, { camera: before, to: zoneId })
      if (refusal !== undefined) return fail(refusal)
      const kept = retentionFault(caller, before, retention)
      if (kept !== undefined) return fail(kept)
      change.ifMatch(before)
      await saveCamera(tx, next)
      const target = { kind: 'camera', id: params.cameraId }
      const changed = { action: 'patchCamera', before: toSettings(before), after: toSettings(next) }
      await change.audit({ target, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [params.cameraId], ...changed })
      return ok(next)
    })
  }),

  serveChange(deleteCamera, async (change, { params, header, address }) => {
    const { cameraId } = params
    const seen = await findCameraInScope(db, change.caller, cameraId)
    if (!seen.ok) return seen
    // Of a camera that could not be added nothing is lost.
    if (!(await db.inTenant(change.caller, (tx) => isFailedAddition(tx, seen.value)))) {
      const question = { userId: change.caller.userId, given: header(PASSWORD_HEADER), address }
      const refusal = await passwordFault(auth, question)
      if (refusal !== undefined) return fail(refusal)
    }
    return changeCameras(change, media, async (tx, caller) => {
      const before = await lockCamera(tx, caller, cameraId)
      if (before === undefined) return fail(noSuchCamera)
      await removeCamera(tx, before, now())
      const target = { kind: 'camera', id: cameraId }
      await change.audit({ action: 'deleteCamera', target, before: toSettings(before) })
      const at = now()
      await addCameraEvent(tx, {
        camera: before,
        type: 'cameraRemoved',
        at,
        endsAt: at,
        once: `${cameraId} cameraRemoved`,
      })
      return ok(undefined)
    })
  }),
]

/**
 * A change of cameras, made with the caller's rights of that moment: nobody's access changes until it is committed. The
 * workers obey it within a second.
 */
export async function changeCameras<Value>(
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize'>,
  media: Pick<MediaPlane, 'camerasChanged'>,
  work: (tx: Tx, caller: MemberCaller) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> {
  const changed = await change.tx(change.caller, async (tx) => {
    await shareLockUsers(tx, change.caller.accountId)
    const asked = await change.reauthorize()
    return asked.ok ? work(tx, asked.value) : asked
  })
  if (changed.ok) media.camerasChanged()
  return changed
}

/** Why the caller's password doesn't confirm a removal. A wrong one is code 3 here (specification §8, operation 32). */
export async function passwordFault(
  auth: Pick<AuthPlane, 'verifyPassword'>,
  { userId, given, address }: { readonly userId: number; readonly given: string | undefined; readonly address: string },
): Promise<ApiError | undefined> {
  const password = given === undefined ? undefined : decodePasswordHeader(given)
  if (password === undefined)
    return { error: 'validation', detail: `${PASSWORD_HEADER}: password needed, in UTF-8 as base64url` }
  const answer = await auth.verifyPassword({ userId, password, address })
  if (answer === 'right') return undefined
  if (answer === 'wrong') return { error: 'validation', detail: `${PASSWORD_HEADER}: invalid credentials` }
  if (answer === 'overloaded') return PASSWORDS_BUSY
  return { error: 'tooManyRequests', detail: 'too many wrong passwords; try again in 15 minutes', retryAfter: 900 }
}

/**
 * Why a camera can't be moved. Moving changes who has access to it: users of the old zone lose it, users of the new
 * zone get it. So the caller needs full access to both zones. Otherwise they could take a camera from users beyond
 * their access, or gain access themselves. Support can't move cameras, because support decides no one's access. The
 * zone is locked until the transaction ends.
 */
export async function moveFault(
  tx: Tx,
  caller: MemberCaller,
  { camera, to }: { camera: Camera; to: number },
): Promise<ApiError | undefined> {
  const from = camera.zoneId
  if (from === to) return undefined
  const { accountId } = caller
  const isTheirs = holdsZone(caller, { accountId, zoneId: to })
  if (!(isTheirs ? await keepZone(tx, { accountId, zoneId: to }) : await hasCameraInScope(tx, caller, to)))
    return noSuchZone
  if (caller.support !== undefined)
    return { error: 'notAuthorized', detail: "cameras can't be moved in a support session" }
  if (isTheirs && holdsZone(caller, { accountId, zoneId: from }))
    return (await wouldNotRecord(tx, { ...camera, zoneId: to })) ? emptySchedule : undefined
  return { error: 'notAuthorized', detail: 'this needs access to all cameras in both zones' }
}
