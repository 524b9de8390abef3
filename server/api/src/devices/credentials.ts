import { type DeviceStatus, patchDeviceCredentials } from '@sightline/contract/devices'
import type { ApiError } from '@sightline/contract/errors'
import type { ConnectionFailure, MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Change, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import type * as z from 'zod/mini'
import { CameraTurns } from '../camera-settings/index.ts'
import { changeCameras } from '../cameras/index.ts'
import { loadSignIn, passwordContext, saveCredentials } from './addition-store.ts'
import { type DeviceKey, listDeviceStatuses, loadDetails, lockDevice } from './store.ts'

const noSuchDevice: ApiError = { error: 'notFound' }

const failures: Readonly<Record<ConnectionFailure, ApiError>> = {
  credentialsIncorrect: {
    error: 'deviceCredentialsIncorrect',
    detail: 'the recorder rejected this user name and password, so nothing was changed',
  },
  needsBasic: {
    error: 'capabilityNotSupported',
    detail:
      "the recorder accepts the password only in plain text, which the server doesn't send, so nothing was changed",
  },
  deviceOffline: { error: 'deviceOffline', detail: "the device doesn't respond, so nothing was changed" },
  unusable: { error: 'deviceInternal', detail: "the recorder's answer can't be understood, so nothing was changed" },
  timedOut: { error: 'timedOut', detail: "the recorder didn't respond in time, so nothing was changed" },
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
}

type CredentialsPatch = z.infer<typeof patchDeviceCredentials.body>

/** One queue for each recorder of all that changes who signs in to it: the server's sign-in, and the recorder's own users. */
export const deviceSignInTurns = new CameraTurns()

/** Other credentials of a recorder, which are saved once it accepts them: with wrong ones all its cameras would go offline. */
export const changingCredentials = (deps: Deps) =>
  serveChange(patchDeviceCredentials, (change, { params: { deviceId }, body }) =>
    deviceSignInTurns.run(deviceId, async () => {
      const { media, encryption } = deps
      const tried = await trySignIn(deps, change, { deviceId, given: body })
      if (!tried.ok) return tried
      return changeCameras(change, media, async (tx, caller) => {
        const device = await lockDevice(tx, caller, deviceId)
        if (device === undefined) return fail(noSuchDevice)
        const before = await loadDetails(tx, caller, deviceId)
        if (before === undefined) return fail(noSuchDevice)
        change.ifMatch(before.credentials)
        await saveCredentials(tx, { accountId: caller.accountId, deviceId, given: body, encryption })
        const after = await loadDetails(tx, caller, deviceId)
        if (after === undefined) return fail(noSuchDevice)
        await change.audit({
          action: 'patchDeviceCredentials',
          target: { kind: 'device', id: deviceId },
          before: { username: before.credentials.username },
          after: { username: after.credentials.username },
        })
        return ok(after.credentials)
      })
    }),
  )

/** Whether nothing can tell if other credentials are right. A device that rejects the present ones is offline too, but answers. */
const isOutOfReach = (status: DeviceStatus | undefined): boolean =>
  status?.online !== true && status?.lastConnectionResult !== 'credentialsIncorrect'

interface Attempt {
  readonly deviceId: number
  readonly given: CredentialsPatch
}

/** Has the recorder say whether it accepts them. */
async function trySignIn(
  { db, media, encryption }: Deps,
  change: Change<MemberCaller>,
  { deviceId, given }: Attempt,
): Promise<Result<undefined, ApiError>> {
  const { caller } = change
  const key: DeviceKey = { accountId: caller.accountId, deviceId }
  const stored = await db.inTenant(caller, async (tx) => {
    const details = await loadDetails(tx, caller, deviceId)
    if (details === undefined) return undefined
    const statuses = await listDeviceStatuses(tx, caller, deviceId)
    return { details, status: statuses.get(deviceId), signIn: await loadSignIn(tx, key) }
  })
  if (stored === undefined) return fail(noSuchDevice)
  const refusal = change.conditionFailure(stored.details.credentials)
  if (refusal !== undefined) return fail(refusal)
  if (given.username === undefined && given.password === undefined) return ok(undefined)
  if (isOutOfReach(stored.status)) return fail(failures.deviceOffline)
  const { password, username = stored.signIn.username } = given
  const sealed = password === undefined ? stored.signIn.passwordSealed : encryption.seal(passwordContext(key), password)
  const input = { username, passwordSealed: sealed?.toString('base64') ?? null }
  const answer = await media.command({ cameraId: deviceId, name: 'trySignIn', input })
  if (answer.kind !== 'done') return fail(failures[answer.kind === 'timedOut' ? 'timedOut' : 'deviceOffline'])
  return answer.output.kind === 'accepted' ? ok(undefined) : fail(failures[answer.output.reason])
}
