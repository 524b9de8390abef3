import * as z from 'zod/mini'
import { idText, route } from '../wire/index.ts'

/** What setting a camera's clock changed, as differences from the server's clock. */
export const cameraClock = z.object({
  /** Seconds the camera's clock was ahead; negative if it was behind. */
  secondsAheadBefore: z.number(),
  /** The same, read from the camera afterwards. Precise to half a second. */
  secondsAhead: z.number(),
})
export type CameraClock = z.infer<typeof cameraClock>

export const setCameraClock = route({
  name: 'setCameraClock',
  summary:
    "Set a camera's clock to the server's time (ONVIF); its time zone stays, and a camera that uses NTP isn't set",
  method: 'POST',
  path: 'cameras/{cameraId}/clock',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
  reply: cameraClock,
  errors: [
    'notFound',
    'businessRule',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})
