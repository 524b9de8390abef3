import { deleteCameraUser, getCameraUsers, patchCameraUser, postCameraUser } from '@sightline/contract/camera-users'
import type { ApiError } from '@sightline/contract/errors'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { cameraPasswordContext, loadConnection, recorderFault, signInTurns } from '../camera-connection/index.ts'
import { commandError, findCamera, lockCamera } from '../cameras/index.ts'
import { addUser, listUsers, patchUser, removeUser, type UserDeps, type UserHost } from './user-host.ts'

export { addUser, listUsers, patchUser, removeUser, type UserDeps, type UserHost } from './user-host.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

interface Deps extends UserDeps {
  readonly db: Db
  readonly now: () => number
}

/**
 * The users that cameras themselves have: listed by the camera, changed in it, and read again. Nothing of them is stored here
 * (docs/decisions/0180).
 */
export const cameraUsers = (deps: Deps) => {
  const changed = (action: string, change: Change<MemberCaller>, cameraId: number) =>
    recordedHost(deps, change, { action, cameraId })
  return [
    serve(getCameraUsers, (caller, { params: { cameraId } }) => listUsers(deps, cameraHost(deps.db, caller, cameraId))),

    serveChange(postCameraUser, (change, { params: { cameraId }, body }) =>
      signInTurns.run(cameraId, () =>
        addUser(deps, change, { host: changed('postCameraUser', change, cameraId), body }),
      ),
    ),

    serveChange(patchCameraUser, (change, { params: { cameraId, username }, body }) =>
      signInTurns.run(cameraId, () =>
        patchUser(deps, change, { host: changed('patchCameraUser', change, cameraId), username, body }),
      ),
    ),

    serveChange(deleteCameraUser, (change, { params: { cameraId, username } }) =>
      signInTurns.run(cameraId, () =>
        removeUser(deps, change, { host: changed('deleteCameraUser', change, cameraId), username }),
      ),
    ),
  ]
}

const cameraHost = (db: Db, caller: MemberCaller, cameraId: number): Omit<UserHost, 'record'> => {
  const { accountId } = caller
  return {
    id: cameraId,
    noun: 'camera',
    async signIn() {
      const stored = await db.inTenant(caller, async (tx) => {
        const isSeen = (await findCamera(tx, caller, cameraId)) !== undefined
        return isSeen ? await loadConnection(tx, { accountId, cameraId }) : undefined
      })
      if (stored === undefined) return fail(noSuchCamera)
      const fault = recorderFault(stored)
      return fault === undefined ? ok(stored) : fail(fault)
    },
    passwordContext: cameraPasswordContext({ accountId, cameraId }),
    commandError,
  }
}

const recordedHost = (
  { db, now }: Deps,
  change: Change<MemberCaller>,
  { action, cameraId }: { readonly action: string; readonly cameraId: number },
): UserHost => ({
  ...cameraHost(db, change.caller, cameraId),
  async record(tx, changed) {
    const { caller } = change
    if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
    await change.audit({ target: { kind: 'camera', id: cameraId }, action, ...changed })
    await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], action, ...changed })
    return ok(undefined)
  },
})
