import * as z from 'zod/mini'
import { filledText } from '../user-details/index.ts'
import { idText, route } from '../wire/index.ts'
import { zoneOrCameraName } from '../zones/index.ts'

/** `active`: the contact is not in its idle state, whether that is open or closed. */
export const portState = z.enum(['active', 'inactive'])
export type PortState = z.infer<typeof portState>

/** A relay output or a digital input of a camera (api.md §8). */
export const cameraPort = z.object({
  portId: z.string(),
  direction: z.enum(['input', 'output']),
  /** As the camera reported it, or as an output was switched; null: not known. */
  state: z.nullable(portState),
  /** What users call it; null: it has no name yet. */
  name: z.nullable(z.string()),
  /** An output switches back automatically after this many seconds; null: it stays as it is. */
  pulseSeconds: z.nullable(z.number()),
})
export type CameraPort = z.infer<typeof cameraPort>

/** With the camera's own token in it. */
export const cameraPortId = filledText(80)

/** With the name null, the port has none. */
export const cameraPortPatch = z.object({
  state: z.optional(portState),
  name: z.optional(z.nullable(zoneOrCameraName('Camera'))),
})
export type CameraPortPatch = z.infer<typeof cameraPortPatch>

const common = {
  access: 'object',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText, portId: cameraPortId }),
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

export const getCameraPorts = route({
  ...common,
  name: 'getCameraPorts',
  summary:
    'List the relay outputs and digital inputs of a camera (ONVIF), with their states; without deviceIORead only the outputs',
  method: 'GET',
  path: 'cameras/{cameraId}/io',
  right: 'deviceIORead',
  // What may be switched can be listed.
  orRight: 'deviceIOWrite',
  support: 'yes',
  params: z.object({ cameraId: idText }),
  reply: z.array(cameraPort),
  list: { key: 'portId', sort: ['portId'], defaultLimit: 'all' },
  errors: cameraErrors,
})

export const getCameraPort = route({
  ...common,
  name: 'getCameraPort',
  summary: 'Get a relay output or a digital input of a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/io/{portId}',
  right: 'deviceIORead',
  orRight: 'deviceIOWrite',
  support: 'yes',
  reply: cameraPort,
  errors: cameraErrors,
})

export const patchCameraPort = route({
  ...common,
  name: 'patchCameraPort',
  summary: 'Switch a relay output of a camera, or name an input or output',
  method: 'PATCH',
  path: 'cameras/{cameraId}/io/{portId}',
  right: 'deviceIOWrite',
  support: 'no',
  body: cameraPortPatch,
  reply: cameraPort,
  errors: ['validation', ...cameraErrors],
})
