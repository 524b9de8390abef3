import * as z from 'zod/mini'
import { filledText } from '../user-details/index.ts'
import { idText, nothing, route } from '../wire/index.ts'
import { zoneOrCameraName } from '../zones/index.ts'

/** A move ends by itself after this, unless it is repeated: a client that is gone can't leave a camera turning. */
export const MOVE_SECONDS = 1

/** How often a client repeats a move while it lasts. */
export const MOVE_AGAIN_MS = 300

/** The longest that a client may ask for without repeating the move. */
export const LONGEST_MOVE_SECONDS = 10

const speed = z._default(z.number().check(z.minimum(-1), z.maximum(1)), 0)
const share = z.number().check(z.minimum(0), z.maximum(1))

/** A camera's own name for a preset (ONVIF ReferenceToken). */
export const ptzPresetId = filledText(64)

/** With `mover`, requests of one person in two windows are told apart; with `sequence`, late requests are ignored. */
const fromMover = {
  mover: z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/))),
  sequence: z.optional(z.int().check(z.minimum(0))),
}

export const ptzAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('move'),
    pan: speed,
    tilt: speed,
    zoom: speed,
    /** Seconds until the camera stops, unless another move comes first. */
    duration: z._default(z.number().check(z.minimum(0.1), z.maximum(LONGEST_MOVE_SECONDS)), MOVE_SECONDS),
    ...fromMover,
  }),
  z.object({ action: z.literal('stop'), ...fromMover }),
  z.object({ action: z.literal('goto'), presetId: ptzPresetId, ...fromMover }),
  /** A point of the picture, from its upper left corner. */
  z.object({ action: z.literal('center'), x: share, y: share, ...fromMover }),
  z.object({ action: z.literal('home'), ...fromMover }),
])
export type PtzActionBody = z.input<typeof ptzAction>

/** `ptz` is false for a camera that can neither turn nor zoom, or isn't connected by ONVIF. */
export const ptzCapabilities = z.object({
  ptz: z.boolean(),
  panTilt: z.boolean(),
  zoom: z.boolean(),
  absolute: z.boolean(),
  relative: z.boolean(),
  continuous: z.boolean(),
  center: z.boolean(),
  /** How many presets the camera has room for. */
  presets: z.int(),
  home: z.boolean(),
})
export type PtzCapabilities = z.infer<typeof ptzCapabilities>

export const ptzPreset = z.object({ presetId: z.string(), name: z.string() })
export type PtzPreset = z.infer<typeof ptzPreset>

/** With `presetId`, that preset gets the camera's current view and the name. */
export const newPtzPreset = z.object({ name: zoneOrCameraName('Camera'), presetId: z.optional(ptzPresetId) })

const ofCamera = {
  access: 'object',
  right: 'ptz',
  support: 'no',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
} as const

const cameraErrors = [
  'notFound',
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'cameraOffline',
  'timedOut',
] as const

export const moveCamera = route({
  ...ofCamera,
  name: 'moveCamera',
  summary:
    'Turn a camera and zoom (ONVIF PTZ): a move ends after a second, or after `duration`, unless it is repeated; one person at a time moves a camera',
  method: 'POST',
  path: 'cameras/{cameraId}/ptz',
  operation: 254,
  body: ptzAction,
  status: 204,
  reply: nothing,
  notReplayed: 'a repeated move continues',
  errors: [...cameraErrors, 'businessRule'],
})

export const getPtzCapabilities = route({
  ...ofCamera,
  name: 'getPtzCapabilities',
  summary: 'Get whether a camera can turn and zoom, and how',
  method: 'GET',
  path: 'cameras/{cameraId}/capabilities/ptz',
  operation: 255,
  right: 'CameraView',
  support: 'yes',
  reply: ptzCapabilities,
  errors: ['notFound', 'deviceCredentialsIncorrect', 'deviceInternal', 'cameraOffline', 'timedOut'],
})

export const getPtzPresets = route({
  ...ofCamera,
  name: 'getPtzPresets',
  summary: 'List the presets of a camera: views that it can turn to',
  method: 'GET',
  path: 'cameras/{cameraId}/ptz/presets',
  reply: z.array(ptzPreset),
  list: { key: 'presetId', sort: ['name'], defaultLimit: 'all' },
  errors: cameraErrors,
})

export const postPtzPreset = route({
  ...ofCamera,
  name: 'postPtzPreset',
  summary: "Save a camera's current view as a preset, or as one that it has already",
  method: 'POST',
  path: 'cameras/{cameraId}/ptz/presets',
  body: newPtzPreset,
  status: 201,
  created: 'cameras/{cameraId}/ptz/presets/{presetId}',
  reply: ptzPreset,
  notReplayed: 'the camera keeps its presets itself, and saving the same view again does no harm',
  errors: [...cameraErrors, 'validation', 'businessRule'],
})

export const deletePtzPreset = route({
  ...ofCamera,
  name: 'deletePtzPreset',
  summary: 'Delete a preset of a camera',
  method: 'DELETE',
  path: 'cameras/{cameraId}/ptz/presets/{presetId}',
  params: z.object({ cameraId: idText, presetId: ptzPresetId }),
  status: 204,
  reply: nothing,
  errors: cameraErrors,
})
