import { setCameraClock } from '@sightline/contract/camera-clock'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const usesNtp: ApiError = {
  error: 'businessRule',
  detail: "the camera gets its time from NTP servers: check them in the camera's own settings",
}

const sentences = {
  noOnvif: 'only the clocks of cameras that are connected by ONVIF can be set',
  rejected: "the camera didn't set its clock",
  cameraOffline: "the camera doesn't respond, so its clock can't be set",
  timedOut: "the camera didn't respond in time: check its clock before you try again",
} as const

const toSeconds = (ms: number): number => Math.round(ms / 100) / 10

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

export const cameraClock = ({ db, media, now }: Deps) => [
  serveChange(setCameraClock, async (change, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, change.caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'setClock', input: null })
    if (answer.kind !== 'done') return fail(commandError(answer, sentences))
    const { output } = answer
    if (output.kind === 'usesNtp') return fail(usesNtp)
    const { caller } = change
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const clock = { secondsAheadBefore: toSeconds(output.aheadBeforeMs), secondsAhead: toSeconds(output.aheadMs) }
      const before = { secondsAhead: clock.secondsAheadBefore }
      const changed = { action: 'setCameraClock', before, after: { secondsAhead: clock.secondsAhead } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
      return ok(clock)
    })
  }),
]
