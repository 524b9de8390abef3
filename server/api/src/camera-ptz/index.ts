import {
  deletePtzPreset,
  getPtzCapabilities,
  getPtzPresets,
  moveCamera,
  type PtzCapabilities,
  postPtzPreset,
  type ptzAction,
} from '@sightline/contract/camera-ptz'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, PtzAction } from '@sightline/contract/media-plane'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import type * as z from 'zod/mini'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'
import { SpansOfUse } from './spans-of-use.ts'

export { SpansOfUse } from './spans-of-use.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchPreset: ApiError = { error: 'notFound', detail: 'preset not found in the camera' }

const busy: ApiError = {
  error: 'businessRule',
  detail: 'someone else is moving this camera: try again when they are done',
}
const full: ApiError = { error: 'businessRule', detail: 'the camera has no room for another preset: delete one first' }

const sentences = {
  noOnvif: 'only cameras that are connected by ONVIF can be moved',
  unsupported: "the camera can't do this",
  rejected: 'the camera rejected the movement',
} as const

const fixed: PtzCapabilities = {
  ptz: false,
  panTilt: false,
  zoom: false,
  absolute: false,
  relative: false,
  continuous: false,
  center: false,
  presets: 0,
  home: false,
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

/** Cameras that turn and zoom. Each step of a move is a call, so that a caller who lost the right stops within a second. */
export const cameraPtz = (deps: Deps) => [...reading(deps), ...moving(deps), ...changing(deps)]

const reading = ({ db, media }: Deps) => [
  serve(getPtzCapabilities, async (caller, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'ptzAbilities', input: null })
    if (answer.kind === 'noOnvif' || answer.kind === 'unsupported') return ok(fixed)
    return answer.kind === 'done' ? ok({ ptz: true, ...answer.output }) : fail(commandError(answer))
  }),

  serve(getPtzPresets, async (caller, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'ptzPresets', input: null })
    return answer.kind === 'done' ? ok([...answer.output]) : fail(commandError(answer, sentences))
  }),
]

/** Until someone who moved a camera and does it again is in the audit log once more. */
const PAUSE_MS = 120 * MS_PER_SECOND

const moving = ({ db, media, now }: Deps) => {
  const uses = new SpansOfUse(PAUSE_MS, now)
  return [
    serveChange(moveCamera, async (change, { params: { cameraId }, body }) => {
      const { caller } = change
      const camera = await findCameraInScope(db, caller, cameraId)
      if (!camera.ok) return camera
      const answer = await media.command({ cameraId, name: 'ptz', input: toAction(caller, body) })
      if (answer.kind !== 'done') return fail(commandError(answer, sentences))
      const { kind } = answer.output
      if (kind !== 'done') return fail(kind === 'busy' ? busy : noSuchPreset)
      // Stopping what someone else began is no use of one's own.
      if (body.action === 'stop') return ok(undefined)
      const use = `${cameraId} ${toMover(caller)}`
      if (uses.goesOn(use)) return ok(undefined)
      const noted = await note(change, cameraId, { action: 'moveCamera', before: null, after: {} }, now)
      if (noted.ok) uses.begin(use)
      return noted
    }),
  ]
}

const changing = ({ db, media, now }: Deps) => [
  serveChange(postPtzPreset, async (change, { params: { cameraId }, body }) => {
    const camera = await findCameraInScope(db, change.caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'savePtzPreset', input: body })
    if (answer.kind !== 'done') return fail(commandError(answer, sentences))
    const { output } = answer
    if (output.kind !== 'saved') return fail(output.kind === 'full' ? full : noSuchPreset)
    const noted = await note(change, cameraId, { action: 'postPtzPreset', before: null, after: output.preset }, now)
    return noted.ok ? ok(output.preset) : noted
  }),

  serveChange(deletePtzPreset, async (change, { params: { cameraId, presetId } }) => {
    const camera = await findCameraInScope(db, change.caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'removePtzPreset', input: { presetId } })
    if (answer.kind !== 'done') return fail(commandError(answer, sentences))
    if (answer.output.kind !== 'removed') return fail(noSuchPreset)
    return await note(change, cameraId, { action: 'deletePtzPreset', before: { presetId }, after: null }, now)
  }),
]

interface Note {
  readonly action: 'moveCamera' | 'postPtzPreset' | 'deletePtzPreset'
  readonly before: object | null
  readonly after: object | null
}

/** What was done to a camera, in the audit log and among the camera's events. */
function note(
  change: Change<MemberCaller>,
  cameraId: number,
  done: Note,
  now: () => number,
): Promise<Result<undefined, ApiError>> {
  const { caller } = change
  return change.tx(caller, async (tx) => {
    if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
    await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
    await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...done, data: {} })
    return ok(undefined)
  })
}

const toMover = ({ userId, apiKeyId }: MemberCaller): string => `${userId} ${apiKeyId ?? ''}`

function toAction(caller: MemberCaller, body: z.output<typeof ptzAction>): PtzAction {
  const moverId = `${toMover(caller)} ${body.mover ?? ''}`
  const sequence = body.sequence ?? null
  switch (body.action) {
    case 'move': {
      const { pan, tilt, zoom, duration } = body
      return { kind: 'move', moverId, sequence, pan, tilt, zoom, holdMs: duration * MS_PER_SECOND }
    }
    case 'stop':
      return { kind: 'stop', moverId, sequence }
    case 'goto':
      return { kind: 'goto', moverId, presetId: body.presetId }
    case 'center':
      return { kind: 'center', moverId, x: body.x, y: body.y }
    case 'home':
      return { kind: 'home', moverId }
  }
}
