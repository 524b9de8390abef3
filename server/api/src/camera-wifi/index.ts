import {
  type CameraWifi,
  deleteWifiNetwork,
  getCameraWifi,
  getWifiNetworks,
  patchCameraWifi,
  putWifiNetwork,
} from '@sightline/contract/camera-wifi'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, WifiChange, WifiChangeAnswer } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { CameraTurns } from '../camera-settings/index.ts'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const sentences = {
  noOnvif: 'only the Wi-Fi of cameras that are connected by ONVIF can be set',
  unsupported: 'the camera has no Wi-Fi that ONVIF can set',
  rejected: 'the camera refused to change its Wi-Fi',
  cameraOffline: "the camera doesn't respond, so its Wi-Fi can't be read or changed",
  timedOut: "the camera didn't respond in time: look at its Wi-Fi before you try again",
} as const

const refusals: Readonly<Record<Exclude<WifiChangeAnswer['kind'], 'accepted'>, ApiError>> = {
  notVisible: { error: 'businessRule', detail: 'the camera does not receive this network now' },
  notKnown: { error: 'notFound', detail: 'the camera is not set up for this network' },
  isCurrent: { error: 'businessRule', detail: 'the camera is in this network: connect it to another one first' },
  needsPassword: { error: 'validation', detail: 'body: password: this network needs one' },
  securityUnsupported: {
    error: 'capabilityNotSupported',
    detail: 'only networks without a password, or with one password for all (WPA), can be joined from here',
  },
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

/**
 * The Wi-Fi of cameras, which the camera alone keeps: no network and no password is stored here. Changes of one camera run one after
 * the other, so that If-Match means something although no database row can be locked.
 */
export const cameraWifi = (deps: Deps) => [...reading(deps), ...changing(deps, new CameraTurns())]

const reading = ({ db, media }: Deps) => [
  serve(getCameraWifi, (caller, { params: { cameraId } }) => readWifi({ db, media }, caller, cameraId)),

  serve(getWifiNetworks, async (caller, { params: { cameraId }, query: { scan } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'readWifiNetworks', input: { scan: scan === 'true' } })
    return answer.kind === 'done' ? ok([...answer.output]) : fail(commandError(answer, sentences))
  }),
]

const changing = (deps: Deps, turns: CameraTurns) => [
  serveChange(patchCameraWifi, async (change, { params: { cameraId }, body: { enabled } }) => {
    const changed = await turns.run(cameraId, async () => {
      const before = await readWifi(deps, change.caller, cameraId)
      if (!before.ok) return before
      const refusal = change.conditionFailure(before.value)
      if (refusal !== undefined) return fail(refusal)
      if (enabled === undefined || enabled === before.value.enabled) return before
      return await changeWifi(deps, cameraId, { kind: enabled ? 'enable' : 'disable' })
    })
    if (!changed.ok || enabled === undefined || !isUnderWay(changed.value)) return changed
    const action = { action: 'patchCameraWifi', before: { enabled: !enabled }, after: { enabled } }
    const noted = await note(deps, change, { cameraId, ...action })
    return noted.ok ? changed : noted
  }),

  serveChange(putWifiNetwork, async (change, { params: { cameraId, ssid }, body: { password = null } }) => {
    const camera = await findCameraInScope(deps.db, change.caller, cameraId)
    if (!camera.ok) return camera
    const changed = await changeWifi(deps, cameraId, { kind: 'join', ssid, password })
    if (!changed.ok) return changed
    return await note(deps, change, { cameraId, action: 'putWifiNetwork', before: null, after: { ssid } })
  }),

  serveChange(deleteWifiNetwork, async (change, { params: { cameraId, ssid } }) => {
    const camera = await findCameraInScope(deps.db, change.caller, cameraId)
    if (!camera.ok) return camera
    const changed = await changeWifi(deps, cameraId, { kind: 'forget', ssid })
    if (!changed.ok) return changed
    return await note(deps, change, { cameraId, action: 'deleteWifiNetwork', before: { ssid }, after: null })
  }),
]

/** The camera was told to switch it on or off just now. */
const isUnderWay = ({ state }: CameraWifi): boolean => state === 'enabling' || state === 'disabling'

async function readWifi(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  caller: MemberCaller,
  cameraId: number,
): Promise<Result<CameraWifi, ApiError>> {
  const camera = await findCameraInScope(db, caller, cameraId)
  if (!camera.ok) return camera
  const answer = await media.command({ cameraId, name: 'readWifi', input: null })
  return answer.kind === 'done' ? ok({ cameraId, ...answer.output }) : fail(commandError(answer, sentences))
}

async function changeWifi(
  { media }: Pick<Deps, 'media'>,
  cameraId: number,
  input: WifiChange,
): Promise<Result<CameraWifi, ApiError>> {
  const answer = await media.command({ cameraId, name: 'changeWifi', input })
  if (answer.kind !== 'done') return fail(commandError(answer, sentences))
  const { output } = answer
  return output.kind === 'accepted' ? ok({ cameraId, ...output.wifi }) : fail(refusals[output.kind])
}

interface NotedChange {
  readonly cameraId: number
  readonly action: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** Never with the password. */
const note = (
  { now }: Pick<Deps, 'now'>,
  change: Change<MemberCaller>,
  { cameraId, ...changed }: NotedChange,
): Promise<Result<undefined, ApiError>> =>
  change.tx(change.caller, async (tx) => {
    if ((await lockCamera(tx, change.caller, cameraId)) === undefined) return fail(noSuchCamera)
    await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
    await addUserActions(tx, { caller: change.caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
    return ok(undefined)
  })
