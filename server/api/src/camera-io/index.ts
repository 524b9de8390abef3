import { type CameraPort, getCameraPort, getCameraPorts, patchCameraPort } from '@sightline/contract/camera-io'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
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

  serve(getCameraPort, async (caller, { params: { cameraId, portId } }) => {
    const ports = await readPorts({ db, media }, caller, cameraId)
    return ports.ok ? findPort(ports.value, portId) : ports
  }),

  serveChange(patchCameraPort, async (change, { params: { cameraId, portId }, body }) => {
    const { caller } = change
    const ports = await readPorts({ db, media }, caller, cameraId)
    if (!ports.ok) return ports
    const before = findPort(ports.value, portId)
    if (!before.ok) return before
    const refusal = change.conditionFailure(before.value)
    if (refusal !== undefined) return fail(refusal)
    const { state = before.value.state, name = before.value.name } = body
    if (body.state !== undefined) {
      const switched = await switchPort(media, { cameraId, portId, state: body.state })
      if (!switched.ok) return switched
    }
    const after = { ...before.value, state, name }
    return change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      // Another change may have named it since.
      const known = (await loadPortNames(tx, camera)).get(portId) ?? null
      change.ifMatch({ ...before.value, name: known })
      if (body.name !== undefined) await savePortName(tx, { accountId: caller.accountId, cameraId, portId, name })
      const changed = {
        action: 'patchCameraPort',
        before: { portId, state: before.value.state, name: before.value.name },
        after: { portId, state, name },
      }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
      return ok(after)
    })
  }),
]

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
  const names = await db.inTenant(caller, (tx) => loadPortNames(tx, camera.value))
  return ok(answer.output.map((port) => ({ ...port, name: names.get(port.portId) ?? null })))
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
