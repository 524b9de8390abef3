import type { CameraCredentialsReply, cameraPasswordChange } from '@sightline/contract/camera-connection'
import type { ApiError } from '@sightline/contract/errors'
import type { CameraCommandAnswer, MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { addUserActions } from '@sightline/platform/events'
import type { Change } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import type * as z from 'zod/mini'
import { changeCameras, commandError, lockCamera } from '../cameras/index.ts'
import { findNewPassword, forgetNewPassword, keepNewPassword } from './password-store.ts'
import { deniedPassword, passwordChangeFault, type StoredConnection, toCredentials } from './rules.ts'
import { type SettledPassword, settlePassword, withPassword } from './settle-password.ts'
import { cameraPasswordContext, loadConnection, saveCameraCredentials } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const sentences = {
  unsupported: "the camera's users can't be changed by ONVIF: set the password in the camera's own settings",
  rejected: 'the camera refused to change its password',
  credentialsIncorrect: 'the camera rejected the change: its user needs to be an administrator of the camera',
  cameraOffline: "the camera doesn't respond, so its password wasn't changed",
  timedOut: "the camera didn't respond in time",
} as const

/** Why the new password isn't the stored one, by what the camera takes. */
const unsettled: Readonly<Record<Exclude<SettledPassword, 'new'>, ApiError>> = {
  old: { error: 'deviceInternal', detail: 'the camera accepted the new password, but still takes the old one only' },
  restored: {
    error: 'deviceInternal',
    detail:
      'the camera has other users for its streams, which would have kept the old password: the old one was set again',
  },
  neither: {
    error: 'deviceCredentialsIncorrect',
    detail: 'the camera takes neither the new password nor the old one: enter the one that it has',
  },
  unreachable: {
    error: 'timedOut',
    detail: "the camera doesn't respond: the server finds out which password it has as soon as it does",
  },
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

type CameraChange = Change<MemberCaller, CameraCredentialsReply>

interface Wish {
  readonly stored: StoredConnection
  readonly body: z.infer<typeof cameraPasswordChange>
}

/**
 * Sets the password in the camera, of the user that the server signs in with. The new one is stored beside the old one before it is
 * sent, and takes its place once the camera was seen to take it; a job ends what a killed server leaves open
 * (docs/decisions/0175).
 */
export async function changePassword(
  deps: Deps,
  change: CameraChange,
  { stored: known, body }: Wish,
): Promise<Result<CameraCredentialsReply, ApiError>> {
  const earlier = await endEarlier(deps, change, known)
  if (!earlier.ok) return earlier
  const stored = earlier.value
  const fault = passwordChangeFault(stored, body.allowPlainText === true)
  if (fault !== undefined) return fail(fault)
  const { cameraId, username } = stored
  const key = { accountId: change.caller.accountId, cameraId }
  const newSealed = deps.encryption.seal(cameraPasswordContext(key), body.password)
  const kept = await changeCameras(change, deps.media, async (tx, caller) => {
    if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
    await keepNewPassword(tx, key, { passwordSealed: newSealed, now: deps.now() })
    return ok(undefined)
  })
  if (!kept.ok) return kept
  const input = {
    username: username ?? '',
    fromSealed: stored.passwordSealed?.toString('base64') ?? null,
    toSealed: newSealed.toString('base64'),
  }
  const answer = await deps.media.command({ cameraId, name: 'changePassword', input })
  const refusal = refusalError(answer)
  if (refusal !== undefined) return await forget(deps, change, { stored, error: refusal })
  const settled = await settlePassword(deps.media, { stored, newSealed })
  if (settled === 'new') return await save(deps, change, { stored, newSealed })
  if (settled === 'neither' || settled === 'unreachable') return fail(unsettled[settled])
  const error = answer.kind === 'done' ? unsettled[settled] : commandError(answer, sentences)
  return await forget(deps, change, { stored, error })
}

/** Undefined if the camera may have taken the password. */
function refusalError(answer: CameraCommandAnswer<'changePassword'>): ApiError | undefined {
  if (answer.kind === 'done') return answer.output.kind === 'refused' ? deniedPassword(answer.output.reason) : undefined
  const isOpen = answer.kind === 'rejected' || answer.kind === 'timedOut' || answer.kind === 'cameraOffline'
  return isOpen ? undefined : commandError(answer, sentences)
}

/** Settles an earlier change first that was left open. */
async function endEarlier(
  deps: Deps,
  change: CameraChange,
  stored: StoredConnection,
): Promise<Result<StoredConnection, ApiError>> {
  const { accountId } = change.caller
  const key = { accountId, cameraId: stored.cameraId }
  const newSealed = await deps.db.inTenant(change.caller, (tx) => findNewPassword(tx, key))
  if (newSealed === undefined) return ok(stored)
  const settled = await settlePassword(deps.media, { stored, newSealed })
  if (settled === 'unreachable' || settled === 'neither') return fail(unsettled[settled])
  const ended = await (settled === 'new'
    ? save(deps, change, { stored, newSealed })
    : changeCameras(change, deps.media, async (tx) => ok(await forgetNewPassword(tx, key, newSealed))))
  return ended.ok ? ok(await deps.db.inTenant(change.caller, (tx) => loadConnection(tx, key))) : ended
}

async function forget(
  { media }: Deps,
  change: CameraChange,
  { stored, error }: { readonly stored: StoredConnection; readonly error: ApiError },
): Promise<Result<never, ApiError>> {
  const key = { accountId: change.caller.accountId, cameraId: stored.cameraId }
  const forgotten = await changeCameras(change, media, async (tx) => ok(await forgetNewPassword(tx, key)))
  return forgotten.ok ? fail(error) : forgotten
}

const save = (
  { media, now }: Deps,
  change: CameraChange,
  { stored, newSealed }: { readonly stored: StoredConnection; readonly newSealed: Buffer },
): Promise<Result<CameraCredentialsReply, ApiError>> =>
  changeCameras(change, media, async (tx, caller) => {
    const { cameraId } = stored
    if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
    const key = { accountId: caller.accountId, cameraId }
    const before = toCredentials(await loadConnection(tx, key))
    await saveCameraCredentials(tx, key, withPassword(stored, newSealed))
    const after = toCredentials(await loadConnection(tx, key))
    const changed = { action: 'setCameraPassword', before, after: { ...after, password: 'changed' } }
    await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
    await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
    return ok(after)
  })
