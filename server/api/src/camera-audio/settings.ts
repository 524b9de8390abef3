import { type AudioSettings, getAudioSettings, patchAudioSettings } from '@sightline/contract/camera-audio'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { changeCameras, findCamera, lockCamera } from '../cameras/index.ts'
import { loadSound, type SoundSwitches, saveSound } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noGain: ApiError = {
  error: 'capabilityNotSupported',
  detail: 'gain: ONVIF has no way to set how sensitive a microphone is',
}

const toSettings = ({ microphone, speaker }: SoundSwitches): AudioSettings => ({
  microphone,
  speaker,
  gain: null,
  unavailable: { gain: 'notStandard' },
})

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Whether a camera's sound is used. The workers obey a change within a second. */
export const audioSettingCalls = ({ db, media, now }: Deps) => [
  serve(getAudioSettings, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      if ((await findCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      return ok(toSettings(await loadSound(tx, { accountId: caller.accountId, cameraId })))
    }),
  ),

  serveChange(patchAudioSettings, async (change, { params: { cameraId }, body }) => {
    const { gain = null, ...switches } = body
    return changeCameras(change, media, async (tx, caller) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      if (gain !== null) return fail(noGain)
      const key = { accountId: caller.accountId, cameraId }
      const before = await loadSound(tx, key)
      change.ifMatch(toSettings(before))
      const after = { ...before, ...switches }
      await saveSound(tx, key, after)
      const changed = { action: 'patchAudioSettings', before, after }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
      return ok(toSettings(after))
    })
  }),
]
