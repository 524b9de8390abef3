import {
  type AudioDetector,
  getAudioDetector,
  getDetectionAreas,
  getDetectors,
  getMotionPreview,
  getPirDetector,
  getVideoDetector,
  type PirDetector,
  patchAudioDetector,
  patchPirDetector,
  patchVideoDetector,
  putDetectionAreas,
  type VideoDetector,
  withoutCoveredTripwires,
} from '@sightline/contract/detectors'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, Tx } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { changeCameras } from '../cameras/index.ts'
import { lastMotionSource, loadDetection, type SavedDetection, saveDetection } from './store.ts'

const notFound: ApiError = { error: 'notFound' }
const lastDetection: ApiError = {
  error: 'businessRule',
  detail: 'Unable to turn off all detections. To stop recording and alerts, set the camera to disarmed.',
}

const notMeasurable = ({ microphone }: SavedDetection, decodesSound: boolean): ApiError => {
  const codecs = decodesSound ? 'G.711, AAC or Opus' : 'G.711 (this server has no decoder for AAC and Opus)'
  const detail = microphone
    ? `the camera has to be online and send sound as ${codecs}, or report loud sounds itself`
    : 'the microphone of this camera is turned off in its settings'
  return { error: 'mediaNotSupported', detail }
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged' | 'decodesSound' | 'motionPreview'>
  readonly now: () => number
}

/** The loudness of G.711 is measured without a decoder. */
const isMeasurable = (codec: string | null, decodesSound: boolean): boolean =>
  codec === 'pcma' || codec === 'pcmu' || (decodesSound && (codec === 'aac' || codec === 'opus'))

const toAudioDetector = (saved: SavedDetection, decodesSound: boolean): AudioDetector => ({
  ...saved.audio,
  available: saved.microphone && (saved.reportsSounds || isMeasurable(saved.audioCodec, decodesSound)),
})

const toPirDetector = ({ pir, isOnvif, lacksPir }: SavedDetection): PirDetector => ({
  ...pir,
  available: isOnvif && !lacksPir,
})

type Watched = Pick<SavedDetection, 'video' | 'audio' | 'pir'>

const isAnyOn = ({ video, audio, pir }: Watched): boolean => video.enabled || audio.enabled || pir.enabled

/** The last detection stays on (specification §6). */
const turnsAllOff = (before: Watched, next: Watched): boolean => isAnyOn(before) && !isAnyOn(next)

/** What cameras are watched for. The workers obey a change within a second. */
export const detectors = (deps: Deps) => [...ofMotion(deps), ...ofSound(deps), ...ofPir(deps), ...ofAreas(deps)]

/** As stored and as shown; `lock`: until the transaction ends. */
async function loadVideoDetector(
  tx: Tx,
  caller: Pick<MemberCaller, 'accountId' | 'access'>,
  { cameraId, lock = false, now }: { readonly cameraId: number; readonly lock?: boolean; readonly now: number },
) {
  const saved = await loadDetection(tx, caller, { cameraId, lock })
  if (saved === undefined) return undefined
  const source = await lastMotionSource(tx, { accountId: caller.accountId, cameraId }, now)
  const video: VideoDetector = { enabled: saved.video.enabled, sensitivity: saved.video.sensitivity, source }
  return { saved, video }
}

const ofMotion = ({ db, media, now }: Deps) => [
  serve(getDetectors, async (caller, { params }) => {
    const found = await db.inTenant(caller, (tx) => loadVideoDetector(tx, caller, { ...params, now: now() }))
    if (found === undefined) return fail(notFound)
    const { saved, video } = found
    return ok({ video, audio: toAudioDetector(saved, media.decodesSound), pir: toPirDetector(saved) })
  }),

  serve(getVideoDetector, async (caller, { params }) => {
    const found = await db.inTenant(caller, (tx) => loadVideoDetector(tx, caller, { ...params, now: now() }))
    return found === undefined ? fail(notFound) : ok(found.video)
  }),

  serve(getMotionPreview, async (caller, { params, query: { sensitivity } }) => {
    const found = await db.inTenant(caller, (tx) => loadDetection(tx, caller, params))
    return found === undefined ? fail(notFound) : ok(await media.motionPreview({ ...params, sensitivity }))
  }),

  serveChange(patchVideoDetector, async (change, { params: { cameraId }, body }) =>
    changeCameras(change, media, async (tx, caller) => {
      const before = await loadVideoDetector(tx, caller, { cameraId, lock: true, now: now() })
      if (before === undefined) return fail(notFound)
      change.ifMatch(before.video)
      const next = { ...before.saved, video: { ...before.saved.video, ...body } }
      if (turnsAllOff(before.saved, next)) return fail(lastDetection)
      await saveDetection(tx, { accountId: caller.accountId, cameraId }, next)
      const target = { kind: 'camera', id: cameraId }
      const after = { ...before.video, enabled: next.video.enabled, sensitivity: next.video.sensitivity }
      const changed = { action: 'patchVideoDetector', before: before.video, after }
      await change.audit({ target, ...changed })
      const data = { enabled: String(after.enabled), sensitivity: String(after.sensitivity) }
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data })
      return ok(after)
    }),
  ),
]

const ofSound = ({ db, media, now }: Deps) => [
  serve(getAudioDetector, async (caller, { params }) => {
    const found = await db.inTenant(caller, (tx) => loadDetection(tx, caller, params))
    return found === undefined ? fail(notFound) : ok(toAudioDetector(found, media.decodesSound))
  }),

  serveChange(patchAudioDetector, async (change, { params: { cameraId }, body }) =>
    changeCameras(change, media, async (tx, caller) => {
      const saved = await loadDetection(tx, caller, { cameraId, lock: true })
      if (saved === undefined) return fail(notFound)
      const before = toAudioDetector(saved, media.decodesSound)
      change.ifMatch(before)
      const next = { ...saved, audio: { ...saved.audio, ...body } }
      if (next.audio.enabled && !saved.audio.enabled && !before.available)
        return fail(notMeasurable(saved, media.decodesSound))
      if (turnsAllOff(saved, next)) return fail(lastDetection)
      await saveDetection(tx, { accountId: caller.accountId, cameraId }, next)
      const target = { kind: 'camera', id: cameraId }
      const after = toAudioDetector(next, media.decodesSound)
      const changed = { action: 'patchAudioDetector', before, after }
      await change.audit({ target, ...changed })
      const data = { enabled: String(after.enabled), sensitivity: String(after.sensitivity) }
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data })
      return ok(after)
    }),
  ),
]

const noEvents: ApiError = {
  error: 'capabilityNotSupported',
  detail: 'what PIR sensors find is known from events of the camera by ONVIF, and this camera is connected without it',
}

const noSensor: ApiError = {
  error: 'capabilityNotSupported',
  detail: 'this camera said that it has no PIR sensor, and no input that one could be wired to',
}

const ofPir = ({ db, media, now }: Deps) => [
  serve(getPirDetector, async (caller, { params }) => {
    const found = await db.inTenant(caller, (tx) => loadDetection(tx, caller, params))
    return found === undefined ? fail(notFound) : ok(toPirDetector(found))
  }),

  serveChange(patchPirDetector, async (change, { params: { cameraId }, body }) =>
    changeCameras(change, media, async (tx, caller) => {
      const saved = await loadDetection(tx, caller, { cameraId, lock: true })
      if (saved === undefined) return fail(notFound)
      const before = toPirDetector(saved)
      change.ifMatch(before)
      const { enabled = saved.pir.enabled, inputs = saved.pir.inputs } = body
      const next = { ...saved, pir: { enabled, inputs: [...new Set(inputs)] } }
      if (enabled && !saved.pir.enabled && !before.available) return fail(saved.isOnvif ? noSensor : noEvents)
      if (turnsAllOff(saved, next)) return fail(lastDetection)
      await saveDetection(tx, { accountId: caller.accountId, cameraId }, next)
      const target = { kind: 'camera', id: cameraId }
      const after = toPirDetector(next)
      const changed = { action: 'patchPirDetector', before, after }
      await change.audit({ target, ...changed })
      await addUserActions(tx, {
        caller,
        at: now(),
        cameraIds: [cameraId],
        ...changed,
        data: { enabled: String(enabled) },
      })
      return ok(after)
    }),
  ),
]

const ofAreas = ({ db, media, now }: Deps) => [
  serve(getDetectionAreas, async (caller, { params }) => {
    const found = await db.inTenant(caller, (tx) => loadDetection(tx, caller, params))
    return found === undefined ? fail(notFound) : ok(found.video.areas)
  }),

  serveChange(putDetectionAreas, async (change, { params: { cameraId }, body }) =>
    changeCameras(change, media, async (tx, caller) => {
      const saved = await loadDetection(tx, caller, { cameraId, lock: true })
      if (saved === undefined) return fail(notFound)
      const before = saved.video.areas
      const areas = [...withoutCoveredTripwires(body)]
      change.ifMatch(before)
      await saveDetection(tx, { accountId: caller.accountId, cameraId }, { ...saved, video: { ...saved.video, areas } })
      const target = { kind: 'camera', id: cameraId }
      const changed = { action: 'putDetectionAreas', before: { areas: before }, after: { areas } }
      await change.audit({ target, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
      return ok(areas)
    }),
  ),
]
