import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CameraNetwork,
  type CameraNetworkPatch,
  getCameraNetwork,
  patchCameraNetwork,
} from '@sightline/contract/camera-network'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, NetworkState, TriedConnection } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import {
  atAddress,
  cameraPasswordContext,
  isTakenConnection,
  loadConnection,
  passwordFault,
  recorderFault,
  type StoredConnection,
  triedResult,
} from '../camera-connection/index.ts'
import { CameraTurns } from '../camera-settings/index.ts'
import { changeCameras, commandError, findCamera, findCameraInScope, lockCamera } from '../cameras/index.ts'
import {
  type CameraEndpoint,
  expectedState,
  movedEndpoint,
  patchDenyReason,
  patchedParts,
  pickParts,
  settingFault,
  togetherFault,
  toNetwork,
  withoutKnown,
} from './rules.ts'
import { isEndpointTaken, saveEndpoint } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const taken: ApiError = { error: 'duplicate', detail: 'the account already has a camera at this address' }
const outOfNetworks: ApiError = {
  error: 'businessRule',
  detail: 'the new address is in no network that cameras of this account may be in, so nothing was changed',
}

const stayed: ApiError = {
  error: 'deviceInternal',
  detail:
    'the camera accepted the change and is still where it was: restart it, or set its address on the camera itself',
}

const sentences = {
  noOnvif: 'only the network of cameras that are connected by ONVIF can be set',
  unsupported: "the camera's network can't be set by ONVIF",
  rejected: 'the camera refused these network settings: read them again before you try others',
  cameraOffline: "the camera doesn't respond, so its network settings can't be read or changed",
  timedOut: "the camera didn't respond in time: read its network settings before you try again",
} as const

/** How long the call waits for a camera that changes its address or restarts; clients wait half a minute for a reply. */
const WAIT_MS = 15_000
const TRY_EVERY_MS = 1000

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
  /** {@link WAIT_MS} by default. */
  readonly waitMs?: number
}

/**
 * The network settings of cameras, which the camera alone keeps: read from it, written to it, read again. The stored connection
 * follows once the camera accepted a new address or port (docs/decisions/0173).
 */
export const cameraNetwork = (deps: Deps) => {
  const turns = new CameraTurns()
  return [
    serve(getCameraNetwork, async (caller, { params: { cameraId } }) => {
      const camera = await findCameraInScope(deps.db, caller, cameraId)
      if (!camera.ok) return camera
      const state = await readState(deps, cameraId)
      return state.ok ? ok(toNetwork(cameraId, state.value, caller.rights)) : state
    }),

    serveChange(patchCameraNetwork, (change, { params: { cameraId }, body }) =>
      turns.run(cameraId, () => changeNetwork(deps, change, { cameraId, patch: body })),
    ),
  ]
}

async function readState({ media }: Pick<Deps, 'media'>, cameraId: number): Promise<Result<NetworkState, ApiError>> {
  const answer = await media.command({ cameraId, name: 'readNetwork', input: null })
  return answer.kind === 'done' ? ok(answer.output) : fail(commandError(answer, sentences))
}

interface Wish {
  readonly cameraId: number
  readonly patch: CameraNetworkPatch
}

async function changeNetwork(
  deps: Deps,
  change: Change<MemberCaller>,
  { cameraId, patch }: Wish,
): Promise<Result<CameraNetwork, ApiError>> {
  const { caller } = change
  const stored = await changeable(deps.db, caller, cameraId)
  if (!stored.ok) return stored
  const denied = patchDenyReason(caller.rights, patch)
  if (denied !== undefined) return fail(denied)
  const before = await readState(deps, cameraId)
  if (!before.ok) return before
  const shown = toNetwork(cameraId, before.value, caller.rights)
  const wanted = withoutKnown(before.value, patch)
  const refusal = change.conditionFailure(shown) ?? settingFault(before.value, patch) ?? togetherFault(wanted)
  if (refusal !== undefined) return fail(refusal)
  if (patchedParts(wanted).length === 0) return ok(shown)
  const endpoint = movedEndpoint(stored.value, before.value, wanted)
  const move = await prepareMove(deps, caller, { stored: stored.value, endpoint, password: patch.password })
  if (!move.ok) return move
  const answer = await deps.media.command({ cameraId, name: 'changeNetwork', input: wanted })
  if (answer.kind !== 'done') return fail(commandError(answer, sentences))
  if (answer.output.kind === 'addressRefused') return fail(outOfNetworks)
  const isFound = move.value === undefined || (await isReached(deps, stored.value, move.value))
  if (!isFound && (await readState(deps, cameraId)).ok) return fail(stayed)
  const noted = await note(deps, change, { cameraId, endpoint, before: before.value, wanted })
  if (!noted.ok) return noted
  const state = answer.output.kind === 'changed' ? ok(answer.output.network) : await readAgain(deps, cameraId, isFound)
  return ok(toNetwork(cameraId, state.ok ? state.value : expectedState(before.value, wanted), caller.rights, state.ok))
}

/** The connection that may be changed, or why not. */
const changeable = (db: Db, caller: MemberCaller, cameraId: number): Promise<Result<StoredConnection, ApiError>> =>
  db.inTenant(caller, async (tx) => {
    if ((await findCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
    const stored = await loadConnection(tx, { accountId: caller.accountId, cameraId })
    const fault = recorderFault(stored)
    return fault === undefined ? ok(stored) : fail(fault)
  })

interface Move {
  readonly stored: StoredConnection
  readonly endpoint: CameraEndpoint | undefined
  readonly password: string | undefined
}

/** How the camera is tried after its move; undefined if it doesn't move. What would be refused later is refused before anything is sent. */
async function prepareMove(
  { db, media, encryption }: Deps,
  caller: MemberCaller,
  { stored, endpoint, password }: Move,
): Promise<Result<TriedConnection | undefined, ApiError>> {
  if (endpoint === undefined) return ok(undefined)
  const key = { accountId: caller.accountId, cameraId: stored.cameraId }
  const named = password === undefined ? {} : { password }
  const fault = passwordFault(stored, { localIp: endpoint.address, ...named })
  if (fault !== undefined) return fail(fault)
  if (await db.inTenant(caller, (tx) => isEndpointTaken(tx, key, { endpoint, stored }))) return fail(taken)
  const seal = (text: string) => encryption.seal(cameraPasswordContext(key), text)
  if (password !== undefined && endpoint.address !== stored.address) {
    const input = atAddress(stored, named, seal)
    const tried = triedResult(stored, await media.command({ cameraId: stored.cameraId, name: 'tryConnection', input }))
    if (tried.kind === 'refused') return fail(tried.error)
  }
  return ok(atAddress(stored, { localIp: endpoint.address, localPort: endpoint.onvifPort, ...named }, seal))
}

/** Whether the camera responds where it was sent to. */
async function isReached(
  { media, waitMs = WAIT_MS }: Deps,
  stored: StoredConnection,
  input: TriedConnection,
): Promise<boolean> {
  const until = Date.now() + waitMs
  do {
    const answer = await media.command({ cameraId: stored.cameraId, name: 'tryConnection', input })
    if (triedResult(stored, answer).kind === 'found') return true
    await sleep(Math.min(TRY_EVERY_MS, waitMs))
  } while (Date.now() < until)
  return false
}

/** A camera that restarts, or whose channel opens again at its new address, takes a while. */
async function readAgain(deps: Deps, cameraId: number, isFound: boolean): Promise<Result<NetworkState, ApiError>> {
  const { waitMs = WAIT_MS } = deps
  const until = Date.now() + (isFound ? waitMs : 0)
  for (;;) {
    await sleep(Math.min(TRY_EVERY_MS, waitMs))
    const state = await readState(deps, cameraId)
    if (state.ok || Date.now() >= until) return state
  }
}

interface MadeChange {
  readonly cameraId: number
  readonly endpoint: CameraEndpoint | undefined
  readonly before: NetworkState
  readonly wanted: CameraNetworkPatch
}

/** Saves where the camera is now, and notes the change. */
async function note(
  { media, now }: Deps,
  change: Change<MemberCaller>,
  { cameraId, endpoint, before, wanted }: MadeChange,
): Promise<Result<undefined, ApiError>> {
  try {
    return await changeCameras(change, media, async (tx, caller) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const key = { accountId: caller.accountId, cameraId }
      if (endpoint !== undefined) await saveEndpoint(tx, key, { endpoint, stored: await loadConnection(tx, key) })
      const names = patchedParts(wanted)
      const after = pickParts(expectedState(before, wanted), names)
      const changed = { action: 'patchCameraNetwork', before: pickParts(before, names), after }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
      return ok(undefined)
    })
  } catch (error) {
    if (isTakenConnection(error)) return fail(taken)
    throw error
  }
}
