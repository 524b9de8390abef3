import { setCameraClock } from '@sightline/contract/camera-clock'
import type { ApiError } from '@sightline/contract/errors'
import type { CameraClockAnswer, MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope, lockCamera } from '../cameras/index.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const failures: Readonly<Record<Exclude<CameraClockAnswer['kind'], 'set'>, ApiError>> = {
  usesNtp: {
    error: 'businessRule',
    detail: "the camera gets its time from NTP servers: check them in the camera's own settings",
  },
  noOnvif: {
    error: 'capabilityNotSupported',
    detail: 'only the clocks of cameras that are connected by ONVIF can be set',
  },
  credentialsIncorrect: {
    error: 'deviceCredentialsIncorrect',
    detail: 'the camera rejected the change: its user name and password need to be those of an administrator',
  },
  rejected: { error: 'deviceInternal', detail: "the camera didn't set its clock" },
  cameraOffline: { error: 'cameraOffline', detail: "the camera doesn't respond, so its clock can't be set" },
  timedOut: { error: 'timedOut', detail: "the camera didn't respond in time: check its clock before you try again" },
}

const toSeconds = (ms: number): number => Math.round(ms / 100) / 10

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'setCameraClock'>
  readonly now: () => number
}

export const cameraClock = ({ db, media, now }: Deps) => [
  serveChange(setCameraClock, async (change, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, change.caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.setCameraClock({ cameraId })
    if (answer.kind !== 'set') return fail(failures[answer.kind])
    const { caller } = change
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const clock = { secondsAheadBefore: toSeconds(answer.aheadBeforeMs), secondsAhead: toSeconds(answer.aheadMs) }
      const before = { secondsAhead: clock.secondsAheadBefore }
      const changed = { action: 'setCameraClock', before, after: { secondsAhead: clock.secondsAhead } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
      return ok(clock)
    })
  }),
]
