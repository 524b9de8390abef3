import * as z from 'zod/mini'
import { cameraWarning } from '../cameras/index.ts'
import { idText, route } from '../wire/index.ts'

export const warningDismissal = z.object({ warning: cameraWarning, dismissed: z.boolean() })
export type WarningDismissal = z.infer<typeof warningDismissal>

export const patchCameraWarning = route({
  name: 'patchCameraWarning',
  summary:
    'Dismiss a warning about a camera for the caller alone, or show it again; it stays dismissed if it comes back',
  method: 'PATCH',
  path: 'cameras/{cameraId}/warnings/{warning}',
  access: 'object',
  right: 'CameraView',
  support: 'no',
  apiKey: 'no',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText, warning: z.string().check(z.maxLength(32)) }),
  body: z.object({ dismissed: z.optional(z.boolean()) }),
  reply: warningDismissal,
  errors: ['validation', 'notFound'],
})
