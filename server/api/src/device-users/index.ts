import { deleteDeviceUser, getDeviceUsers, patchDeviceUser, postDeviceUser } from '@sightline/contract/device-users'
import type { ApiError } from '@sightline/contract/errors'
import type { Db } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { addUser, listUsers, patchUser, removeUser, type UserDeps, type UserHost } from '../camera-users/index.ts'
import { commandError } from '../cameras/index.ts'
import { deviceSignInTurns, listDevices, loadSignIn, lockDevice, passwordContext } from '../devices/index.ts'

const noSuchDevice: ApiError = { error: 'notFound' }

interface Deps extends UserDeps {
  readonly db: Db
}

/** The users that recorders themselves have, as those of cameras (docs/decisions/0180): nothing of them is stored here. */
export const deviceUsers = (deps: Deps) => {
  const changed = (action: string, change: Change<MemberCaller>, deviceId: number) =>
    recordedHost(deps, change, { action, deviceId })
  return [
    serve(getDeviceUsers, (caller, { params: { deviceId } }) => listUsers(deps, deviceHost(deps.db, caller, deviceId))),

    serveChange(postDeviceUser, (change, { params: { deviceId }, body }) =>
      deviceSignInTurns.run(deviceId, () =>
        addUser(deps, change, { host: changed('postDeviceUser', change, deviceId), body }),
      ),
    ),

    serveChange(patchDeviceUser, (change, { params: { deviceId, username }, body }) =>
      deviceSignInTurns.run(deviceId, () =>
        patchUser(deps, change, { host: changed('patchDeviceUser', change, deviceId), username, body }),
      ),
    ),

    serveChange(deleteDeviceUser, (change, { params: { deviceId, username } }) =>
      deviceSignInTurns.run(deviceId, () =>
        removeUser(deps, change, { host: changed('deleteDeviceUser', change, deviceId), username }),
      ),
    ),
  ]
}

const deviceHost = (db: Db, caller: MemberCaller, deviceId: number): Omit<UserHost, 'record'> => {
  const key = { accountId: caller.accountId, deviceId }
  return {
    id: deviceId,
    noun: 'recorder',
    async signIn() {
      const stored = await db.inTenant(caller, async (tx) => {
        const isSeen = (await listDevices(tx, caller, { deviceId })).length > 0
        return isSeen ? await loadSignIn(tx, key) : undefined
      })
      if (stored === undefined) return fail(noSuchDevice)
      return ok({ ...stored, onvif: { isSecure: stored.isSecure } })
    },
    passwordContext: passwordContext(key),
    commandError(answer, sentences) {
      const error = commandError(answer, sentences)
      return error.error === 'cameraOffline' ? { ...error, error: 'deviceOffline' } : error
    },
  }
}

const recordedHost = (
  { db }: Deps,
  change: Change<MemberCaller>,
  { action, deviceId }: { readonly action: string; readonly deviceId: number },
): UserHost => ({
  ...deviceHost(db, change.caller, deviceId),
  async record(tx, changed) {
    if ((await lockDevice(tx, change.caller, deviceId)) === undefined) return fail(noSuchDevice)
    await change.audit({ target: { kind: 'device', id: deviceId }, action, ...changed })
    return ok(undefined)
  },
})
