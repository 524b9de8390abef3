import * as z from 'zod/mini'
import { id, idText, route } from '../wire/index.ts'
import { recordingMode, zoneMode } from '../zones/index.ts'

/**
 * What a camera does: armed records and notifies, silent only records, disarmed only shows live video, private does
 * nothing at all, scheduled records at the times of its schedule (specification §4).
 */
export const cameraMode = z.object({ mode: zoneMode, recordingMode })
export type CameraMode = z.infer<typeof cameraMode>

/** A camera's mode as it is. */
export const cameraModeState = z.extend(cameraMode, {
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
  body: modePatch,
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
