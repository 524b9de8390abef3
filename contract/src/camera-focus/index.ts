import * as z from 'zod/mini'
import { idText, nothing, route } from '../wire/index.ts'

/** A movement of the lens ends after this time unless it is repeated. */
export const FOCUS_SECONDS = 1

const share = z.number().check(z.minimum(-1), z.maximum(1))

/** Farther is positive. A movement or a step turns automatic focus off. */
export const focusAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('move'),
    speed: share,
    /** Seconds until the lens stops, unless another move comes first. */
    duration: z._default(z.number().check(z.minimum(0.1), z.maximum(5)), FOCUS_SECONDS),
  }),
  z.object({ action: z.literal('stop') }),
  z.object({ action: z.literal('step'), distance: share }),
  z.object({ action: z.literal('auto') }),
])
export type FocusActionBody = z.input<typeof focusAction>

/** `focus` is false for a camera with a fixed lens, and for one that isn't connected by ONVIF. */
export const focusCapabilities = z.object({
  focus: z.boolean(),
  /** Whether the lens can be moved for as long as a control is held. */
  continuous: z.boolean(),
  /** Whether it can be moved by steps. */
  relative: z.boolean(),
  /** Whether the camera has autofocus. */
  auto: z.boolean(),
  /** Null if the camera doesn't say. */
  mode: z.nullable(z.enum(['auto', 'manual'])),
})
export type FocusCapabilities = z.infer<typeof focusCapabilities>

const ofCamera = {
  path: 'cameras/{cameraId}/focus',
  access: 'object',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
} as const

export const getFocus = route({
  ...ofCamera,
  name: 'getFocus',
  summary: 'Get whether a camera’s lens can be focused, and how',
  method: 'GET',
  right: 'CameraView',
  support: 'yes',
  reply: focusCapabilities,
  errors: ['notFound', 'deviceCredentialsIncorrect', 'deviceInternal', 'cameraOffline', 'timedOut'],
})

export const moveFocus = route({
  ...ofCamera,
  name: 'moveFocus',
  summary:
    'Focus a camera nearer or farther, or automatically: a move ends after a second, or after `duration`, unless it is repeated',
  method: 'POST',
  right: 'ptz',
  support: 'no',
  body: focusAction,
  status: 204,
  reply: nothing,
  notReplayed: 'a repeated move continues',
  errors: [
    'notFound',
    'validation',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})
