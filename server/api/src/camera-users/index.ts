import {
  type CameraUser,
  type CameraUserPatch,
  cameraUserDenyReason,
  deleteCameraUser,
  getCameraUsers,
  patchCameraUser,
  postCameraUser,
  type WantedUserChange,
} from '@sightline/contract/camera-users'
import type { ApiError } from '@sightline/contract/errors'
import type { CameraUserChange, MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import {
  cameraPasswordContext,
  loadConnection,
  recorderFault,
  type StoredConnection,
} from '../camera-connection/index.ts'
import { CameraTurns } from '../camera-settings/index.ts'
import { commandError, findCamera, lockCamera } from '../cameras/index.ts'
import { changeErrors, plainTextFault, refusedByCamera, toCameraUsers, usernameTaken } from './rules.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const incomplete: ApiError = {
  error: 'deviceInternal',
  detail: 'the camera accepted the change and lists its users without it: read them again',
}

const sentences = {
  noOnvif: 'only the users of cameras that are connected by ONVIF can be listed and changed',
  unsupported: "the camera's users can't be changed by ONVIF: use the camera's own settings",
  rejected: 'the camera refused this change of its users',
  credentialsIncorrect: 'the camera rejected this: the user that the server signs in with needs to be an administrator',
  cameraOffline: "the camera doesn't respond, so its users can't be read or changed",
  timedOut: "the camera didn't respond in time: read its users before you try again",
} as const

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

/**
 * The users that cameras themselves have: listed by the camera, changed in it, and read again. Nothing of them is stored here
 * (docs/decisions/0180).
 */
export const cameraUsers = (deps: Deps) => {
  const turns = new CameraTurns()
  return [
    serve(getCameraUsers, async (caller, { params: { cameraId } }) => {
      const camera = await readCamera(deps, caller, cameraId)
      return camera.ok ? ok([...camera.value.users]) : camera
    }),

    serveChange(postCameraUser, (change, { params: { cameraId }, body }) =>
      turns.run(cameraId, async () => {
        const { username, level, password, allowPlainText } = body
        const camera = await readCamera(deps, change.caller, cameraId)
        if (!camera.ok) return camera
        const { users, stored } = camera.value
        const isTaken = users.some((user) => user.username === username)
        const refusal = isTaken ? usernameTaken : plainTextFault(stored, allowPlainText)
        if (refusal !== undefined) return fail(refusal)
        const passwordSealed = seal(deps, change.caller, { cameraId, password })
        const input = { kind: 'add', username, level, passwordSealed } as const
        return found(await changeUsers(deps, change, { camera: camera.value, action: 'postCameraUser', input }))
      }),
    ),

    serveChange(patchCameraUser, (change, { params: { cameraId, username }, body }) =>
      turns.run(cameraId, () => patchUser(deps, change, { cameraId, username, body })),
    ),

    serveChange(deleteCameraUser, (change, { params: { cameraId, username } }) =>
      turns.run(cameraId, async () => {
        const camera = await readCamera(deps, change.caller, cameraId)
        if (!camera.ok) return camera
        const refusal = changeError(camera.value.users, username, 'remove')
        if (refusal !== undefined) return fail(refusal)
        const input = { kind: 'remove', username } as const
        const done = await changeUsers(deps, change, { camera: camera.value, action: 'deleteCameraUser', input })
        return done.ok ? ok(undefined) : done
      }),
    ),
  ]
}

interface UserPatch {
  readonly cameraId: number
  readonly username: string
  readonly body: CameraUserPatch
}

async function patchUser(
  deps: Deps,
  change: Change<MemberCaller>,
  { cameraId, username, body }: UserPatch,
): Promise<Result<CameraUser, ApiError>> {
  const camera = await readCamera(deps, change.caller, cameraId)
  if (!camera.ok) return camera
  const { users, stored } = camera.value
  const user = users.find((one) => one.username === username)
  if (user === undefined) return fail(changeErrors.notFound)
  const refusal = change.conditionFailure(user) ?? changeError(users, username, body)
  if (refusal !== undefined) return fail(refusal)
  const { password, level = null, allowPlainText } = body
  if (isSame(user, body)) return ok(user)
  const fault = password === undefined ? undefined : plainTextFault(stored, allowPlainText)
  if (fault !== undefined) return fail(fault)
  const passwordSealed = password === undefined ? null : seal(deps, change.caller, { cameraId, password })
  const input = { kind: 'set', username, level, passwordSealed } as const
  return found(await changeUsers(deps, change, { camera: camera.value, action: 'patchCameraUser', input }))
}

/** Whether nothing would change. */
const isSame = (user: CameraUser, { password, level }: CameraUserPatch): boolean =>
  password === undefined && (level === undefined || level === user.level)

/** A camera with its users, read just now. */
interface CameraWithUsers {
  readonly stored: StoredConnection
  readonly users: readonly CameraUser[]
}

async function readCamera(
  { db, media }: Deps,
  caller: MemberCaller,
  cameraId: number,
): Promise<Result<CameraWithUsers, ApiError>> {
  const stored = await db.inTenant(caller, async (tx) => {
    const isSeen = (await findCamera(tx, caller, cameraId)) !== undefined
    return isSeen ? await loadConnection(tx, { accountId: caller.accountId, cameraId }) : undefined
  })
  if (stored === undefined) return fail(noSuchCamera)
  const fault = recorderFault(stored)
  if (fault !== undefined) return fail(fault)
  const answer = await media.command({ cameraId, name: 'readUsers', input: null })
  if (answer.kind !== 'done') return fail(commandError(answer, sentences))
  return ok({ stored, users: toCameraUsers(answer.output, stored) })
}

function changeError(users: readonly CameraUser[], username: string, change: WantedUserChange): ApiError | undefined {
  const refusal = cameraUserDenyReason(users, username, change)
  return refusal === undefined ? undefined : changeErrors[refusal]
}

const seal = (
  { encryption }: Deps,
  { accountId }: MemberCaller,
  { cameraId, password }: { readonly cameraId: number; readonly password: string },
): string => encryption.seal(cameraPasswordContext({ accountId, cameraId }), password).toString('base64')

interface Wish {
  readonly camera: CameraWithUsers
  readonly action: string
  readonly input: CameraUserChange
}

/** Changes the users in the camera and writes that down, never with a password. The result is the user afterwards, if there is one. */
async function changeUsers(
  { media, now }: Deps,
  change: Change<MemberCaller>,
  { camera: { stored, users }, action, input }: Wish,
): Promise<Result<CameraUser | undefined, ApiError>> {
  const { cameraId } = stored
  const answer = await media.command({ cameraId, name: 'changeUsers', input })
  if (answer.kind !== 'done') return fail(commandError(answer, sentences))
  if (answer.output.kind === 'refused') return fail(refusedByCamera(input.kind, answer.output.reason))
  const named = ({ username }: CameraUser) => username === input.username
  const user = toCameraUsers(answer.output.users, stored).find(named)
  const secret = input.kind !== 'remove' && input.passwordSealed !== null ? { password: 'changed' } : {}
  const changed = { action, before: noted(users.find(named)), after: noted(user, secret) }
  return await change.tx(change.caller, async (tx) => {
    if ((await lockCamera(tx, change.caller, cameraId)) === undefined) return fail(noSuchCamera)
    await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
    await addUserActions(tx, { caller: change.caller, at: now(), cameraIds: [cameraId], ...changed })
    return ok(user)
  })
}

const noted = (user: CameraUser | undefined, secret: { readonly password?: string } = {}) =>
  user === undefined ? null : { username: user.username, level: user.level, ...secret }

const found = (changed: Result<CameraUser | undefined, ApiError>): Result<CameraUser, ApiError> => {
  if (!changed.ok) return changed
  return changed.value === undefined ? fail(incomplete) : ok(changed.value)
}
