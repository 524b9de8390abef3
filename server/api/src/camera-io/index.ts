import { type CameraPort, getCameraPort, getCameraPorts, patchCameraPort } from '@sightline/contract/camera-io'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'
import { loadPortNames, savePortName } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchPort: ApiError = { error: 'notFound', detail: 'input or output not found in the camera' }
const isInput: ApiError = { error: 'capabilityNotSupported', detail: 'an input can be read, not switched' }

const sentences = {
  noOnvif: 'only inputs and outputs of cameras that are connected by ONVIF are known',
  unsupported: 'the camera has no inputs and outputs of its own',
  rejected: "the camera didn't switch the output",
  cameraOffline: "the camera doesn't respond, so its outputs can't be read or switched",
  timedOut: "the camera didn't respond in time: check the output before you try again",
} as const

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

/** Relays and contacts at cameras: a gate, a light, a doorbell. The names are ours, everything else is the camera's. */
export const cameraIo = ({ db, media, now }: Deps) => [
  serve(getCameraPorts, async (caller, { params: { cameraId } }) => readPorts({ db, media }, caller, cameraId)),

  serve(getCameraPort, async (caller, { params }) => portOf({ db, media }, caller, params)),

  serveChange(patchCameraPort, async (change, { params: { cameraId, portId }, body }) => {
    const { caller } = change
    const before = await portOf({ db, media }, caller, { cameraId, portId })
    if (!before.ok) return before
    const refusal = change.conditionFailure(before.value)
    if (refusal !== undefined) return fail(refusal)
    const { state = before.value.state, name = before.value.name } = body
    const wanted: WantedPort = { cameraId, before: before.value, state, name, isNamed: body.name !== undefined }
    // Nothing is switched without a trace: the entry is written before the camera is asked.
    const recorded = await recordChange(change, wanted)
    if (!recorded.ok) return recorded
    const switched =
      body.state === undefined ? ok(undefined) : await switchPort(media, { cameraId, portId, state: body.state })
    const finished = switched.ok
      ? await finishChange(change, wanted, now())
      : await recordFailure(change, wanted, switched.failure)
    if (!finished.ok) return finished
    return switched.ok ? ok({ ...before.value, state, name }) : switched
  }),
]

/** What a port is to become. */
interface WantedPort extends Pick<CameraPort, 'state' | 'name'> {
  readonly cameraId: number
  readonly before: CameraPort
  /** Whether the request names it. */
  readonly isNamed: boolean
}

type PortChange = Change<MemberCaller, CameraPort>

const entryOf = ({ cameraId, before: { portId, ...before }, state, name }: WantedPort) => ({
  action: 'patchCameraPort',
  target: { kind: 'camera', id: cameraId },
  before: { portId, state: before.state, name: before.name },
  after: { portId, state, name },
})

const keyOf = ({ caller }: PortChange, { cameraId, before }: WantedPort) => ({
  accountId: caller.accountId,
  cameraId,
  portId: before.portId,
})

const recordChange = (change: PortChange, wanted: WantedPort): Promise<Result<undefined, ApiError>> =>
  change.tx(change.caller, async (tx) => {
    const camera = await lockCamera(tx, change.caller, wanted.cameraId)
    if (camera === undefined) return fail(noSuchCamera)
    // Another change may have named it since.
    const known = (await loadPortNames(tx, camera)).get(wanted.before.portId) ?? null
    change.ifMatch({ ...wanted.before, name: known })
    await change.audit(entryOf(wanted))
    // With the entry, so that of two changes of the same state one is refused before it switches anything.
    if (wanted.isNamed) await savePortName(tx, { ...keyOf(change, wanted), name: wanted.name })
    return ok(undefined)
  })

const recordFailure = (change: PortChange, wanted: WantedPort, why: ApiError): Promise<Result<undefined, ApiError>> =>
  change.tx(change.caller, async (tx) => {
    const { before, after, ...entry } = entryOf(wanted)
    if (wanted.isNamed) await savePortName(tx, { ...keyOf(change, wanted), name: before.name })
    await change.audit({ ...entry, before: after, after: { ...before, failed: why.detail ?? why.error } })
    return ok(undefined)
  })

const finishChange = (change: PortChange, wanted: WantedPort, at: number): Promise<Result<undefined, ApiError>> =>
  change.tx(change.caller, async (tx) => {
    const { caller } = change
    const { cameraId } = wanted
    if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
    const { target: _target, ...changed } = entryOf(wanted)
    await addUserActions(tx, { caller, at, cameraIds: [cameraId], ...changed, data: {} })
    return ok(undefined)
  })

async function portOf(
  deps: Pick<Deps, 'db' | 'media'>,
  caller: MemberCaller,
  { cameraId, portId }: { readonly cameraId: number; readonly portId: string },
): Promise<Result<CameraPort, ApiError>> {
  const ports = await readPorts(deps, caller, cameraId)
  return ports.ok ? findPort(ports.value, portId) : ports
}

const findPort = (ports: readonly CameraPort[], portId: string): Result<CameraPort, ApiError> => {
  const port = ports.find((one) => one.portId === portId)
  return port === undefined ? fail(noSuchPort) : ok(port)
}

async function readPorts(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  caller: MemberCaller,
  cameraId: number,
): Promise<Result<CameraPort[], ApiError>> {
  const camera = await findCameraInScope(db, caller, cameraId)
  if (!camera.ok) return camera
  const answer = await media.command({ cameraId, name: 'readPorts', input: null })
  if (answer.kind !== 'done') return fail(commandError(answer, sentences))
  // The right to switch outputs shows nothing of the inputs.
  const visible = answer.output.filter(({ direction }) => direction === 'output' || caller.rights.has('deviceIORead'))
  const names = await db.inTenant(caller, (tx) => loadPortNames(tx, camera.value))
  return ok(visible.map((port) => ({ ...port, name: names.get(port.portId) ?? null })))
}

async function switchPort(
  media: Pick<MediaPlane, 'command'>,
  { cameraId, ...input }: { readonly cameraId: number; readonly portId: string; readonly state: 'active' | 'inactive' },
): Promise<Result<undefined, ApiError>> {
  const answer = await media.command({ cameraId, name: 'switchPort', input })
  if (answer.kind !== 'done') return fail(commandError(answer, sentences))
  if (answer.output.kind === 'switched') return ok(undefined)
  return fail(answer.output.kind === 'isInput' ? isInput : noSuchPort)
}
