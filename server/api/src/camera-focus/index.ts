import { type FocusCapabilities, type focusAction, getFocus, moveFocus } from '@sightline/contract/camera-focus'
import type { ApiError } from '@sightline/contract/errors'
import type { FocusAction, MediaPlane } from '@sightline/contract/media-plane'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import type * as z from 'zod/mini'
import { SpansOfUse } from '../camera-ptz/index.ts'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const sentences = {
  noOnvif: 'only cameras that are connected by ONVIF can be focused',
  unsupported: "the camera's lens can't be focused like that",
  rejected: 'the camera rejected the movement of its lens',
} as const

const fixed: FocusCapabilities = { focus: false, continuous: false, relative: false, auto: false, mode: null }

/** Until someone who focused a camera and does it again is in the audit log once more. */
const PAUSE_MS = 120 * MS_PER_SECOND

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

/** The lens of a camera: nearer, farther, or autofocus. Each step of a move is a call, as of a camera that turns (decision 0112). */
export const cameraFocus = ({ db, media, now }: Deps) => {
  const uses = new SpansOfUse(PAUSE_MS, now)
  return [
    serve(getFocus, async (caller, { params: { cameraId } }) => {
      const camera = await findCameraInScope(db, caller, cameraId)
      if (!camera.ok) return camera
      const answer = await media.command({ cameraId, name: 'focusAbilities', input: null })
      if (answer.kind === 'noOnvif' || answer.kind === 'unsupported') return ok(fixed)
      return answer.kind === 'done' ? ok({ focus: true, ...answer.output }) : fail(commandError(answer))
    }),

    serveChange(moveFocus, async (change, { params: { cameraId }, body }) => {
      const { caller } = change
      const camera = await findCameraInScope(db, caller, cameraId)
      if (!camera.ok) return camera
      const answer = await media.command({ cameraId, name: 'focus', input: toAction(body) })
      if (answer.kind !== 'done') return fail(commandError(answer, sentences))
      const span = spanOf(caller, cameraId)
      if (body.action === 'stop' || uses.goesOn(span)) return ok(undefined)
      const noted = await change.tx(caller, async (tx) => {
        if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
        const done = { action: 'moveFocus', before: null, after: {} }
        await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
        await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...done, data: {} })
        return ok(undefined)
      })
      if (noted.ok) uses.begin(span)
      return noted
    }),
  ]
}

const spanOf = ({ userId, apiKeyId }: MemberCaller, cameraId: number): string =>
  `${cameraId} ${userId} ${apiKeyId ?? ''}`

function toAction(body: z.output<typeof focusAction>): FocusAction {
  switch (body.action) {
    case 'move':
      return { kind: 'move', speed: body.speed, holdMs: body.duration * MS_PER_SECOND }
    case 'step':
      return { kind: 'step', distance: body.distance }
    default:
      return { kind: body.action }
  }
}
