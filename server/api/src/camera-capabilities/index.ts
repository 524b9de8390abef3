import {
  type AbilityName,
  type AbilityState,
  abilityNames,
  type CameraCapabilities,
  getCameraCapabilities,
  getDeviceInfo,
  refreshCameraCapabilities,
} from '@sightline/contract/camera-capabilities'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { commandError, findCameraInScope } from '../cameras/index.ts'
import { findAbilities, findDeviceInfo, type KnownAbilities } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

const sentences = {
  noOnvif: 'only cameras that are connected by ONVIF can be asked what they can do',
  rejected: "the camera didn't say what it can do",
  cameraOffline: "the camera doesn't respond, so it can't be asked what it can do",
} as const

/** A camera that was never asked: everything is unknown. */
function toCapabilities(cameraId: number, known: KnownAbilities | undefined): CameraCapabilities {
  const { abilities = {}, codecs = [], resolutions = [], services = [] } = known?.abilities ?? {}
  const states = Object.fromEntries(abilityNames.map((name) => [name, abilities[name]?.state ?? 'unknown']))
  const tried = abilityNames.flatMap((name) => {
    const found = abilities[name]
    return found === undefined ? [] : [[name, found.tried] as const]
  })
  return {
    cameraId,
    ...(states as Record<AbilityName, AbilityState>),
    codecs: [...codecs],
    resolutions: [...resolutions],
    services: [...services],
    tried: Object.fromEntries(tried),
    askedAt: known === undefined ? null : toDateTime(known.askedAt),
  }
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'command'>
  readonly now: () => number
}

/** What a camera can do and what it is, as its worker found out. */
export const cameraCapabilities = ({ db, media, now }: Deps) => [
  serve(getCameraCapabilities, async (caller, { params: { cameraId } }) => {
    const found = await db.inTenant(caller, (tx) => findAbilities(tx, caller, cameraId))
    return found === undefined ? fail(noSuchCamera) : ok(toCapabilities(cameraId, found.known))
  }),

  serveChange(refreshCameraCapabilities, async (change, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, change.caller, cameraId)
    if (!camera.ok) return camera
    const answer = await media.command({ cameraId, name: 'readAbilities', input: null })
    if (answer.kind !== 'done') return fail(commandError(answer, sentences))
    return change.tx(change.caller, async () => {
      await change.audit({ action: 'refreshCameraCapabilities', target: { kind: 'camera', id: cameraId } })
      return ok(toCapabilities(cameraId, { abilities: answer.output, askedAt: now() }))
    })
  }),

  serve(getDeviceInfo, async (caller, { params: { cameraId } }) => {
    const info = await db.inTenant(caller, (tx) => findDeviceInfo(tx, caller, cameraId))
    return info === undefined ? fail(noSuchCamera) : ok(info)
  }),
]
