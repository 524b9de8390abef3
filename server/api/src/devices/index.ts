import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import { PASSWORD_HEADER } from '@sightline/contract/credentials'
import { getDeviceJobs } from '@sightline/contract/device-jobs'
import {
  deleteDevice,
  getDevice,
  getDeviceAddition,
  getDeviceConnection,
  getDeviceCredentials,
  getDeviceStatus,
  getDevices,
  getRecorderInfo,
  getSingularRecorderInfo,
  type NewDevice,
  patchDevice,
  postDevice,
  type RecorderDevice,
} from '@sightline/contract/devices'
import type { ApiError } from '@sightline/contract/errors'
import type { FollowedDevice } from '@sightline/contract/event-states'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { getDenyReason } from '@sightline/contract/rights'
import { holdsZone } from '@sightline/contract/zones'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import {
  additionDenyReason,
  additionFailure,
  addressFault,
  followingDenyReason,
  isNews,
  recentlyRemoved,
  wasJustRemoved,
} from '../camera-additions/index.ts'
import { changeCameras, keepZone, passwordFault, slotFault } from '../cameras/index.ts'
import { lockUsers } from '../permission-profiles/index.ts'
import { detachCameras, isAlreadyAdded, loadAddition, lockFailedAddition, saveAddition } from './addition-store.ts'
import { changingCredentials } from './credentials.ts'
import { deviceKey, toAddition, toAuditSettings, toSettings } from './rules.ts'
import {
  type BareDevice,
  type DeviceDetails,
  listAttached,
  listChannels,
  listDeviceStatuses,
  listDevices,
  listJobs,
  loadDetails,
  lockDevice,
  removeDevice,
  saveDevice,
} from './store.ts'

export { loadSignIn, passwordContext } from './addition-store.ts'
export { deviceSignInTurns } from './credentials.ts'
export { MAX_INPUTS } from './rules.ts'
export {
  type DeviceKey,
  listChannels,
  listDevices,
  lockDevice,
  toDeviceJob,
} from './store.ts'

const noSuchDevice: ApiError = { error: 'notFound' }
const noSuchZone: ApiError = { error: 'notFound', detail: "zone not found, or you don't have access to it" }

const POLL_MS = 180_000
/** Of the poll, whose texts say why an addition failed. */
const ADDITION_OPERATION = 241
const LOOK_EVERY_MS = 300

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly auth: Pick<AuthPlane, 'verifyPassword'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

/** Recorders: devices with several video inputs, which can be cameras (docs/decisions/0126). */
export const devices = (deps: Deps) => [...reading(deps), ...adding(deps), ...changing(deps), removing(deps)]

/** The device if it is in the caller's scope; one of another account, and one that doesn't exist, get the same reply. */
export async function findDeviceInScope(
  db: Db,
  caller: MemberCaller,
  deviceId: number,
): Promise<Result<BareDevice, ApiError>> {
  const [device] = await db.inTenant(caller, (tx) => listDevices(tx, caller, { deviceId }))
  return device === undefined ? fail(noSuchDevice) : ok(device)
}

/** The recorders in a caller's scope, as in their list, each with its status. */
export async function listFollowedDevices(tx: Tx, caller: MemberCaller): Promise<FollowedDevice[]> {
  const devices = await withParts(tx, caller, await listDevices(tx, caller))
  const statuses = await listDeviceStatuses(tx, caller)
  return devices.flatMap((device) => {
    const connection = statuses.get(device.deviceId)
    return connection === undefined ? [] : [{ ...device, connection }]
  })
}

/** With what belongs to inputs and jobs; jobs are for those who may list them. */
async function withParts(tx: Tx, caller: MemberCaller, bare: readonly BareDevice[]): Promise<RecorderDevice[]> {
  const deviceIds = bare.map(({ deviceId }) => deviceId)
  const channels = await listChannels(tx, caller, deviceIds)
  const seesJobs = getDenyReason(getDeviceJobs, caller) === undefined
  const jobs = seesJobs ? await listJobs(tx, caller, deviceIds) : undefined
  return bare.map((device) => ({
    ...device,
    channels: channels.get(device.deviceId) ?? [],
    jobs: jobs?.get(device.deviceId) ?? [],
  }))
}

async function findWhole(tx: Tx, caller: MemberCaller, deviceId: number): Promise<Result<RecorderDevice, ApiError>> {
  const [device] = await withParts(tx, caller, await listDevices(tx, caller, { deviceId }))
  return device === undefined ? fail(noSuchDevice) : ok(device)
}

const reading = ({ db }: Deps) => {
  const details = async <T>(caller: MemberCaller, deviceId: number, part: (details: DeviceDetails) => T) => {
    const found = await db.inTenant(caller, (tx) => loadDetails(tx, caller, deviceId))
    return found === undefined ? fail(noSuchDevice) : ok(part(found))
  }
  return [
    serve(getDevices, async (caller, { query: { online } }) => {
      const filter = { online: online === undefined ? undefined : online === 'true' }
      return ok(await db.inTenant(caller, async (tx) => withParts(tx, caller, await listDevices(tx, caller, filter))))
    }),

    serve(getDevice, async (caller, { params }) => db.inTenant(caller, (tx) => findWhole(tx, caller, params.deviceId))),

    serve(getDeviceStatus, async (caller, { params }) => {
      const statuses = await db.inTenant(caller, (tx) => listDeviceStatuses(tx, caller, params.deviceId))
      const status = statuses.get(params.deviceId)
      return status === undefined ? fail(noSuchDevice) : ok(status)
    }),

    serve(getDeviceCredentials, (caller, { params }) => details(caller, params.deviceId, (of) => of.credentials)),
    serve(getDeviceConnection, (caller, { params }) =>
      details(caller, params.deviceId, ({ connection }) =>
        caller.rights.has('localExceptions') ? connection : { ...connection, localIp: null, localPort: null },
      ),
    ),
    serve(getRecorderInfo, (caller, { params }) => details(caller, params.deviceId, (of) => of.info)),
    serve(getSingularRecorderInfo, (caller, { params }) => details(caller, params.deviceId, (of) => of.info)),
  ]
}

const adding = ({ db, ids, media, encryption, now }: Deps) => [
  serveChange(postDevice, async (change, { body }) => {
    const unaddressed = addressFault(body)
    if (unaddressed !== undefined) return fail(unaddressed)
    try {
      const newId = await ids.next()
      const added = await addDevice(change, { given: body, newId, encryption, now: now() })
      if (added.ok) media.camerasChanged()
      return added
    } catch (error) {
      if (isAlreadyAdded(error)) return fail({ error: 'duplicate', detail: 'this device has already been added' })
      const full = slotFault(error, postDevice)
      if (full !== undefined) return fail(full)
      throw error
    }
  }),

  serve(getDeviceAddition, async (caller, { params: { deviceId }, query }) => {
    const denial = followingDenyReason(caller)
    if (denial !== undefined) return fail(denial)
    const until = performance.now() + POLL_MS
    for (;;) {
      const state = await db.inTenant(caller, async (tx) => {
        const [device] = await listDevices(tx, caller, { deviceId })
        return device === undefined ? undefined : loadAddition(tx, device)
      })
      if (state === undefined) return fail(noSuchDevice)
      const addition = toAddition(deviceId, state, additionFailure(state, ADDITION_OPERATION))
      if (isNews(addition, query) || performance.now() >= until) return ok(addition)
      await sleep(LOOK_EVERY_MS)
    }
  }),
]

interface Adding {
  readonly given: NewDevice
  readonly newId: number
  readonly encryption: EnvelopeEncryption
  readonly now: number
}

const addDevice = (
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize' | 'audit'>,
  { given, newId, encryption, now }: Adding,
): Promise<Result<RecorderDevice, ApiError>> =>
  change.tx(change.caller, async (tx) => {
    const { accountId } = change.caller
    await lockUsers(tx, accountId)
    const asked = await change.reauthorize()
    if (!asked.ok) return asked
    const caller = asked.value
    const { zoneId } = given
    if (!(holdsZone(caller, { accountId, zoneId }) && (await keepZone(tx, { accountId, zoneId }))))
      return fail(noSuchZone)
    const denial = additionDenyReason(caller, given)
    if (denial !== undefined) return fail(denial)
    const { ethMacAddress } = given
    if (await wasJustRemoved(tx, { accountId, key: deviceKey(given), machines: given.machines ?? [], ethMacAddress }))
      return fail(recentlyRemoved)
    const failedId = await lockFailedAddition(tx, { accountId, given })
    const deviceId = failedId ?? newId
    await saveAddition(tx, { accountId, deviceId, given, encryption, now }, failedId !== undefined)
    const target = { kind: 'device', id: deviceId }
    await change.audit({ action: 'postDevice', target, after: toAuditSettings(given) })
    return findWhole(tx, caller, deviceId)
  })

const changing = (deps: Deps) => [
  changingCredentials(deps),

  serveChange(patchDevice, async (change, { params, body }) =>
    changeCameras(change, deps.media, async (tx, caller) => {
      const before = await lockDevice(tx, caller, params.deviceId)
      if (before === undefined) return fail(noSuchDevice)
      const { name = before.name, zoneId = before.zoneId } = body
      const { accountId } = caller
      const isTheirs = holdsZone(caller, { accountId, zoneId }) && (await keepZone(tx, { accountId, zoneId }))
      if (!isTheirs) return fail(noSuchZone)
      // Moving decides who has access to the device, as with cameras.
      if (zoneId !== before.zoneId && caller.support !== undefined)
        return fail({ error: 'notAuthorized', detail: "devices can't be moved in a support session" })
      const whole = await findWhole(tx, caller, params.deviceId)
      if (!whole.ok) return whole
      change.ifMatch(whole.value)
      const next = { ...whole.value, name, zoneId }
      await saveDevice(tx, next)
      const target = { kind: 'device', id: params.deviceId }
      await change.audit({
        action: 'patchDevice',
        target,
        before: toSettings(whole.value),
        after: toSettings(next),
      })
      return ok(next)
    }),
  ),
]

const removing = ({ db, media, auth }: Deps) =>
  serveChange(deleteDevice, async (change, { params: { deviceId }, header, address }) => {
    const seen = await findDeviceInScope(db, change.caller, deviceId)
    if (!seen.ok) return seen
    const isFailed = seen.value.additionStatus === 'failure'
    // Of a device that could not be added nothing is lost.
    if (!isFailed) {
      const question = { userId: change.caller.userId, given: header(PASSWORD_HEADER), address }
      const refusal = await passwordFault(auth, question)
      if (refusal !== undefined) return fail(refusal)
    }
    return changeCameras(change, media, async (tx, caller) => {
      const before = await lockDevice(tx, caller, deviceId)
      if (before === undefined) return fail(noSuchDevice)
      const [whole] = await withParts(tx, caller, [before])
      if (whole === undefined) return fail(noSuchDevice)
      if (before.additionStatus === 'failure') await detachCameras(tx, before)
      const attached = await listAttached(tx, before)
      if (attached.length > 0)
        return fail({ error: 'businessRule', detail: `inputs ${attached.join(', ')} are cameras: remove them first` })
      await removeDevice(tx, before)
      const target = { kind: 'device', id: deviceId }
      await change.audit({ action: 'deleteDevice', target, before: toSettings(whole) })
      return ok(undefined)
    })
  })
