import {
  type CameraVideo,
  getVideoSettings,
  patchVideoSettings,
  type VideoSettingsPatch,
  videoSettingFault,
} from '@sightline/contract/camera-settings'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'
import { CameraTurns } from './camera-turns.ts'
import { patchDenyReason, pickSettings, settingNames, unavailableFault } from './rules.ts'

export { CameraTurns } from './camera-turns.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const sentences = {
  noOnvif: 'only the video of cameras that are connected by ONVIF can be set',
  unsupported: "the camera's video can't be set by ONVIF",
  rejected: "the camera didn't accept these settings",
  cameraOffline: "the camera doesn't respond, so its settings can't be read or changed",
  timedOut: "the camera didn't respond in time: read its settings before you try again",
} as const

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

/**
 * Settings that are in the camera: read from it, written to it, read again. Changes of one camera run one after the other, so that
 * If-Match means something although no database row can be locked.
 */
export const cameraSettings = ({ db, media, now }: Deps) => {
  const turns = new CameraTurns()
  return [
    serve(getVideoSettings, async (caller, { params: { cameraId } }) => {
      const camera = await findCameraInScope(db, caller, cameraId)
      return camera.ok ? await readVideo(media, cameraId) : camera
    }),

    serveChange(patchVideoSettings, async (change, { params: { cameraId }, body }) => {
      const camera = await findCameraInScope(db, change.caller, cameraId)
      if (!camera.ok) return camera
      const denied = patchDenyReason(change.caller.rights, body)
      if (denied !== undefined) return fail(denied)
      const written = await turns.run(cameraId, async () => {
        const before = await readVideo(media, cameraId)
        if (!before.ok) return before
        const refusal = change.conditionFailure(before.value) ?? settingFault(before.value, body)
        if (refusal !== undefined) return fail(refusal)
        const answer = await media.command({ cameraId, name: 'writeVideoSettings', input: body })
        if (answer.kind !== 'done') return fail(commandError(answer, sentences))
        return ok({ before: before.value, after: answer.output })
      })
      if (!written.ok) return written
      const { before, after } = written.value
      const { caller } = change
      return change.tx(caller, async (tx) => {
        if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
        const names = settingNames(body)
        const changed = {
          action: 'patchVideoSettings',
          before: pickSettings(before, names),
          // A lamp says nothing about what it was told.
          after: { ...pickSettings(after, names), ...(body.illumination && { illumination: body.illumination }) },
        }
        await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
        await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
        return ok(after)
      })
    }),
  ]
}

async function readVideo(media: Pick<MediaPlane, 'command'>, cameraId: number): Promise<Result<CameraVideo, ApiError>> {
  const answer = await media.command({ cameraId, name: 'readVideoSettings', input: null })
  return answer.kind === 'done' ? ok(answer.output) : fail(commandError(answer, sentences))
}

/** Why a camera with these options can't be set like that. */
function settingFault({ options, unavailable }: CameraVideo, patch: VideoSettingsPatch): ApiError | undefined {
  const missing = unavailableFault(unavailable, patch)
  if (missing !== undefined) return { error: 'capabilityNotSupported', detail: missing }
  const fault = videoSettingFault(options, patch)
  return fault === undefined ? undefined : { error: 'validation', detail: fault }
}
