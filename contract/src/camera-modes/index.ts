import * as z from 'zod/mini'
import { id, idText, route } from '../wire/index.ts'
import { recordingMode, zoneMode } from '../zones/index.ts'

/**
 * What a camera does: armed records and notifies, silent only records, disarmed only shows live video, private does
 * nothing at all, scheduled records at the times of its schedule (specification §4).
 */
export const cameraMode = z.object({ mode: zoneMode, recordingMode })
export type CameraMode = z.infer<typeof cameraMode>

/** Seconds that a camera which records on events can be recorded before an event. The last ones are in memory until then. */
export const MIN_PRE_ROLL_SECONDS = 5
export const MAX_PRE_ROLL_SECONDS = 30

/** A camera's mode as it is. */
export const cameraModeState = z.extend(cameraMode, {
  /**
   * Seconds recorded before an event, if only events are recorded. Fewer if the server has no memory for them: 64 MiB per camera at
   * most, and less while viewers and recorders need it.
   */
  preRollSeconds: z.int(),
  /** What the camera does again when private mode is turned off; null unless it is private. */
  modeBeforePrivate: z.nullable(zoneMode),
})
export type CameraModeState = z.infer<typeof cameraModeState>

/** A camera that could not be changed, and the error code. */
const failedCamera = z.object({ cameraId: id, code: z.int() })

export const zoneCameraMode = z.extend(cameraMode, { failed: z.array(failedCamera) })
export type ZoneCameraMode = z.infer<typeof zoneCameraMode>

export const modePatch = z.partial(cameraMode)
export type ModePatch = z.infer<typeof modePatch>

export const cameraModePatch = z.extend(modePatch, {
  preRollSeconds: z.optional(z.int().check(z.gte(MIN_PRE_ROLL_SECONDS), z.lte(MAX_PRE_ROLL_SECONDS))),
})

const ofCamera = {
  path: 'cameras/{cameraId}/mode',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  reply: cameraModeState,
} as const

const ofZone = {
  path: 'zones/{zoneId}/mode',
  access: 'object',
  support: 'yes',
  ids: { 'params.zoneId': 'zone' },
  params: z.object({ zoneId: idText }),
  reply: zoneCameraMode,
} as const

export const getCameraMode = route({
  ...ofCamera,
  name: 'getCameraMode',
  summary: 'Get the mode of a camera',
  method: 'GET',
  errors: ['notFound'],
})

export const patchCameraMode = route({
  ...ofCamera,
  name: 'patchCameraMode',
  summary:
    'Change the mode of a camera; needs the right editCamera, or cameraPrivacyButton to turn private mode on and off',
  method: 'PATCH',
  operation: 131,
  body: cameraModePatch,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const getZoneMode = route({
  ...ofZone,
  name: 'getZoneMode',
  summary: 'Get the mode of a zone',
  method: 'GET',
  right: 'ZonesView',
  errors: ['notFound'],
})

export const patchZoneMode = route({
  ...ofZone,
  name: 'patchZoneMode',
  summary: 'Change the mode of a zone and of all its cameras',
  method: 'PATCH',
  right: 'editZone',
  body: modePatch,
  errors: ['validation', 'notFound', 'businessRule'],
})
