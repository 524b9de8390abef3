import {
  type CameraConnectionDetails,
  type CameraCredentialsReply,
  type cameraConnectionPatch,
  type cameraCredentialsPatch,
  getCameraConnection,
  getCameraCredentials,
  patchCameraConnection,
  patchCameraCredentials,
  setCameraPassword,
} from '@sightline/contract/camera-connection'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, TriedConnection } from '@sightline/contract/media-plane'
import type { Db, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import type * as z from 'zod/mini'
import { changeCameras, findCamera, lockCamera } from '../cameras/index.ts'
import { changePassword } from './change-password.ts'
import {
  atAddress,
  passwordFault,
  recorderFault,
  type StoredConnection,
  toConnection,
  toCredentials,
  triedResult,
  withCredentials,
} from './rules.ts'
import { signInTurns } from './sign-in-turns.ts'
import {
  cameraPasswordContext,
  isTakenConnection,
  loadConnection,
  saveCameraCredentials,
  saveConnection,
} from './store.ts'

export { atAddress, passwordFault, recorderFault, type StoredConnection, triedResult } from './rules.ts'
export { signInTurns } from './sign-in-turns.ts'
export { cameraPasswordContext, isTakenConnection, loadConnection } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const taken: ApiError = { error: 'duplicate', detail: 'the account already has a camera at this address' }

/** The audit log always has the addresses, also for people who may not see them here. */
const ANYBODY = { rights: new Set(['localExceptions'] as const) }

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

/**
 * How the server reaches a camera. The worker that owns it signs in as it would be stored, and only what the camera accepted
 * replaces what is stored: a mistake leaves the camera connected.
 */
export const cameraConnection = (deps: Deps) => [
  ...reading(deps),
  changingAddress(deps),
  changingCredentials(deps),
  settingPassword(deps),
]

async function connectionOf(
  db: Db,
  caller: MemberCaller,
  cameraId: number,
): Promise<Result<StoredConnection, ApiError>> {
  return await db.inTenant(caller, async (tx) => {
    const isSeen = (await findCamera(tx, caller, cameraId)) !== undefined
    return isSeen ? ok(await loadConnection(tx, { accountId: caller.accountId, cameraId })) : fail(noSuchCamera)
  })
}

const reading = ({ db }: Deps) => [
  serve(getCameraConnection, async (caller, { params: { cameraId } }) => {
    const stored = await connectionOf(db, caller, cameraId)
    return stored.ok ? ok(toConnection(stored.value, caller)) : stored
  }),

  serve(getCameraCredentials, async (caller, { params: { cameraId } }) => {
    const stored = await connectionOf(db, caller, cameraId)
    return stored.ok ? ok(toCredentials(stored.value)) : stored
  }),
]

/** The connection that may be changed, or why not. */
async function changeable(db: Db, caller: MemberCaller, cameraId: number): Promise<Result<StoredConnection, ApiError>> {
  const stored = await connectionOf(db, caller, cameraId)
  if (!stored.ok) return stored
  const fault = recorderFault(stored.value)
  return fault === undefined ? stored : fail(fault)
}

/** The same, if it still is what the caller has seen of it (If-Match). */
async function unchanged<Reply>(
  db: Db,
  change: Change<MemberCaller, Reply>,
  { cameraId, toReply }: { readonly cameraId: number; readonly toReply: (stored: StoredConnection) => Reply },
): Promise<Result<StoredConnection, ApiError>> {
  const stored = await changeable(db, change.caller, cameraId)
  if (!stored.ok) return stored
  const stale = change.conditionFailure(toReply(stored.value))
  return stale === undefined ? stored : fail(stale)
}

async function tryOut(media: Deps['media'], stored: StoredConnection, given: TriedConnection) {
  const answer = await media.command({ cameraId: stored.cameraId, name: 'tryConnection', input: given })
  const result = triedResult(stored, answer)
  return result.kind === 'found' ? ok(result.found) : fail(result.error)
}

/** The camera as it is after the try, locked; it may have been changed or removed meanwhile. */
async function lockConnection(tx: Tx, caller: MemberCaller, cameraId: number) {
  if ((await lockCamera(tx, caller, cameraId)) === undefined) return undefined
  return await loadConnection(tx, { accountId: caller.accountId, cameraId })
}

const changingAddress = (deps: Deps) =>
  serveChange(patchCameraConnection, (change, { params: { cameraId }, body }) =>
    signInTurns.run(cameraId, () => changeAddress(deps, change, { cameraId, body })),
  )

type AddressPatch = z.infer<typeof cameraConnectionPatch>

async function changeAddress(
  { db, media, encryption, now }: Deps,
  change: Change<MemberCaller, CameraConnectionDetails>,
  { cameraId, body }: { readonly cameraId: number; readonly body: AddressPatch },
): Promise<Result<CameraConnectionDetails, ApiError>> {
  const stored = await unchanged(db, change, { cameraId, toReply: (of) => toConnection(of, change.caller) })
  if (!stored.ok) return stored
  const fault = passwordFault(stored.value, body)
  if (fault !== undefined) return fail(fault)
  const context = cameraPasswordContext({ accountId: change.caller.accountId, cameraId })
  const given = atAddress(stored.value, body, (password) => encryption.seal(context, password))
  const found = await tryOut(media, stored.value, given)
  if (!found.ok) return found
  const namedPort = body.localPort === undefined ? stored.value.namedPort : body.localPort
  try {
    return await changeCameras(change, media, async (tx, caller) => {
      const before = await lockConnection(tx, caller, cameraId)
      if (before === undefined) return fail(noSuchCamera)
      change.ifMatch(toConnection(before, caller))
      const { accountId } = caller
      await saveConnection(tx, { accountId, stored: before }, { namedPort, given, found: found.value })
      if (body.password !== undefined) await saveCameraCredentials(tx, { accountId, cameraId }, given)
      const stored = await loadConnection(tx, { accountId, cameraId })
      const changed = {
        action: 'patchCameraConnection',
        before: toConnection(before, ANYBODY),
        after: toConnection(stored, ANYBODY),
      }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
      return ok(toConnection(stored, caller))
    })
  } catch (error) {
    if (isTakenConnection(error)) return fail(taken)
    throw error
  }
}

const changingCredentials = (deps: Deps) =>
  serveChange(patchCameraCredentials, (change, { params: { cameraId }, body }) =>
    signInTurns.run(cameraId, () => changeCredentials(deps, change, { cameraId, body })),
  )

type CredentialsPatch = z.infer<typeof cameraCredentialsPatch>

async function changeCredentials(
  { db, media, encryption, now }: Deps,
  change: Change<MemberCaller, CameraCredentialsReply>,
  { cameraId, body }: { readonly cameraId: number; readonly body: CredentialsPatch },
): Promise<Result<CameraCredentialsReply, ApiError>> {
  const stored = await unchanged(db, change, { cameraId, toReply: toCredentials })
  if (!stored.ok) return stored
  const context = cameraPasswordContext({ accountId: change.caller.accountId, cameraId })
  const given = withCredentials(stored.value, body, (password) => encryption.seal(context, password))
  const found = await tryOut(media, stored.value, given)
  if (!found.ok) return found
  return changeCameras(change, media, async (tx, caller) => {
    const before = await lockConnection(tx, caller, cameraId)
    if (before === undefined) return fail(noSuchCamera)
    change.ifMatch(toCredentials(before))
    const { accountId } = caller
    await saveCameraCredentials(tx, { accountId, cameraId }, given)
    const after = toCredentials(await loadConnection(tx, { accountId, cameraId }))
    const changed = {
      action: 'patchCameraCredentials',
      before: toCredentials(before),
      after: { ...after, ...(body.password === undefined ? {} : { password: 'changed' }) },
    }
    await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
    await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
    return ok(after)
  })
}

const settingPassword = (deps: Deps) =>
  serveChange(setCameraPassword, (change, { params: { cameraId }, body }) =>
    signInTurns.run(cameraId, async () => {
      const stored = await changeable(deps.db, change.caller, cameraId)
      return stored.ok ? await changePassword(deps, change, { stored: stored.value, body }) : stored
    }),
  )
