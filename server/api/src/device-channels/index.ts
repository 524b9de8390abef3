import type { Camera } from '@sightline/contract/cameras'
import {
  type DeviceChannel,
  getChannelSnapshot,
  getDeviceChannel,
  getDeviceChannels,
  type NewChannelCamera,
  postChannelCamera,
} from '@sightline/contract/device-channels'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { holdsZone } from '@sightline/contract/zones'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Change, type RawReply, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { isAlreadyAdded } from '../camera-additions/index.ts'
import { commandError, findCamera, keepZone, recordSupportView, slotFault } from '../cameras/index.ts'
import { findDeviceInScope, listChannels, lockDevice } from '../devices/index.ts'
import { lockUsers } from '../permission-profiles/index.ts'
import { attachChannel, type ChannelSource, findChannel } from './store.ts'

const noSuchDevice: ApiError = { error: 'notFound' }
const noSuchChannel: ApiError = { error: 'notFound', detail: 'input not found' }
const noSuchZone: ApiError = { error: 'notFound', detail: "zone not found, or you don't have access to it" }
const noCamera: ApiError = {
  error: 'businessRule',
  detail: 'no camera is connected to this input, or it sends no video',
}
const alreadyCamera: ApiError = { error: 'businessRule', detail: 'this input is a camera of the account already' }

const notYourCamera: ApiError = {
  error: 'notFound',
  detail: "this input is a camera that you don't have access to",
}
const privateCamera: ApiError = {
  error: 'cameraOffline',
  detail: 'the camera at this input is private, so no picture of it is shown',
}

const pictureSentences = {
  noOnvif: "the device isn't known to the server yet: try again shortly",
  unsupported: "the device doesn't provide snapshots of its inputs",
  credentialsIncorrect: 'the device rejected its user name and password',
  rejected: "the device didn't provide a snapshot of this input",
  timedOut: "the device didn't provide a snapshot in time: try again",
} as const

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged' | 'command'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

/** The video inputs of recorders, and making them cameras of the account. */
export const deviceChannels = (deps: Deps) => [...reading(deps), snapshot(deps), attaching(deps)]

async function channelsOf(db: Db, caller: MemberCaller, deviceId: number): Promise<Result<DeviceChannel[], ApiError>> {
  const device = await findDeviceInScope(db, caller, deviceId)
  if (!device.ok) return device
  const channels = await db.inTenant(caller, (tx) => listChannels(tx, caller, [deviceId]))
  return ok(channels.get(deviceId) ?? [])
}

const reading = ({ db }: Deps) => [
  serve(getDeviceChannels, async (caller, { params, query: { attached } }) => {
    const channels = await channelsOf(db, caller, params.deviceId)
    if (!channels.ok || attached === undefined) return channels
    return ok(channels.value.filter((channel) => String(channel.attached) === attached))
  }),

  serve(getDeviceChannel, async (caller, { params }) => {
    const channels = await channelsOf(db, caller, params.deviceId)
    if (!channels.ok) return channels
    const channel = channels.value.find(({ channelId }) => channelId === params.channelId)
    return channel === undefined ? fail(noSuchChannel) : ok(channel)
  }),
]

async function findChannelInScope(
  db: Db,
  caller: MemberCaller,
  { deviceId, channelId }: { readonly deviceId: number; readonly channelId: number },
): Promise<Result<ChannelSource, ApiError>> {
  const device = await findDeviceInScope(db, caller, deviceId)
  if (!device.ok) return device
  const channel = await db.inTenant(caller, (tx) => findChannel(tx, device.value, channelId))
  return channel === undefined ? fail(noSuchChannel) : ok(channel)
}

/** A picture of an input that is a camera is a picture of that camera: it needs access to it, and none exists in private mode. */
async function pictureFault(db: Db, caller: MemberCaller, { camera }: ChannelSource): Promise<ApiError | undefined> {
  if (camera === undefined) return undefined
  const seen = await db.inTenant(caller, (tx) => findCamera(tx, caller, camera.cameraId))
  if (seen === undefined) return notYourCamera
  return camera.isPrivate ? privateCamera : undefined
}

const snapshot = ({ db, media, now }: Deps) =>
  serveChange(getChannelSnapshot, async (change, { params, query }): Promise<Result<RawReply, ApiError>> => {
    const { caller } = change
    const channel = await findChannelInScope(db, caller, params)
    if (!channel.ok) return channel
    if (query.resolution !== undefined)
      return fail({
        error: 'mediaNotSupported',
        detail: "resolution is not supported: omit it to get the device's own",
      })
    const { deviceId, snapshotProfile, online } = channel.value
    const hidden = await pictureFault(db, caller, channel.value)
    if (hidden !== undefined) return fail(hidden)
    if (!online) return fail({ error: 'cameraOffline', detail: 'no camera is connected to this input' })
    const input = { profile: snapshotProfile }
    const answer = await media.command({ cameraId: deviceId, name: 'profilePicture', input })
    if (answer.kind === 'cameraOffline') return fail({ error: 'deviceOffline', detail: "the device doesn't respond" })
    if (answer.kind !== 'done') return fail(commandError(answer, pictureSentences))
    const view = { action: 'snapshot', target: { kind: 'device', id: deviceId }, format: 'jpeg' } as const
    const recorded = await recordSupportView(change, view)
    if (!recorded.ok) return recorded
    const headers = { 'x-taken-at': new Date(now()).toISOString(), 'cache-control': 'private, no-store' }
    return ok({ contentType: 'image/jpeg', bytes: answer.output.bytes, headers })
  })

const attaching = ({ db, ids, media, encryption, now }: Deps) =>
  serveChange(postChannelCamera, async (change, { params: { deviceId, channelId }, body }) => {
    const seen = await findDeviceInScope(db, change.caller, deviceId)
    if (!seen.ok) return seen
    const wanted = { ...body, deviceId, channelId, newId: await ids.next(), encryption, now: now() }
    try {
      const attached = await change.tx(change.caller, (tx) => attach(change, tx, wanted))
      if (attached.ok) media.camerasChanged()
      return attached
    } catch (error) {
      if (isAlreadyAdded(error)) return fail(alreadyCamera)
      const full = slotFault(error, postChannelCamera)
      if (full !== undefined) return fail(full)
      throw error
    }
  })

interface Attaching extends NewChannelCamera {
  readonly deviceId: number
  readonly channelId: number
  readonly newId: number
  readonly encryption: EnvelopeEncryption
  readonly now: number
}

async function attach(
  change: Pick<Change<MemberCaller>, 'reauthorize' | 'audit' | 'caller'>,
  tx: Tx,
  { deviceId, channelId, name, newId, encryption, now, ...wanted }: Attaching,
): Promise<Result<Camera, ApiError>> {
  await lockUsers(tx, change.caller.accountId)
  const asked = await change.reauthorize()
  if (!asked.ok) return asked
  const caller = asked.value
  // Its inputs are attached one after the other, and it isn't removed meanwhile.
  const device = await lockDevice(tx, caller, deviceId)
  if (device === undefined) return fail(noSuchDevice)
  const source = await findChannel(tx, device, channelId)
  if (source === undefined) return fail(noSuchChannel)
  const zone = { accountId: caller.accountId, zoneId: wanted.zoneId ?? source.zoneId }
  if (!(holdsZone(caller, zone) && (await keepZone(tx, zone)))) return fail(noSuchZone)
  if (source.camera !== undefined) return fail(alreadyCamera)
  if (!source.online) return fail(noCamera)
  const { zoneId } = zone
  const cameraId = await attachChannel(tx, { source, cameraId: newId, name, zoneId, encryption, now })
  const after = { name, zoneId, cameraId, channel: channelId }
  await change.audit({ action: 'postChannelCamera', target: { kind: 'device', id: deviceId }, after })
  const camera = await findCamera(tx, caller, cameraId)
  return camera === undefined ? fail(noSuchDevice) : ok(camera)
}
