import * as z from 'zod/mini'
import { idText, nothing, route } from '../wire/index.ts'

export {
  MAX_TALK_S,
  TALK_PATH,
  TALK_SAMPLE_RATE,
  type TalkEnd,
  type TalkServerMessage,
  talkEnd,
  talkRule,
  talkServerMessage,
} from './talking.ts'

/**
 * Media types of sound for a camera: G.711, one channel, 8000 samples a second (RFC 2046 §4.3, RFC 3551 §4.5.14), or AAC in ADTS frames,
 * which takes a decoder on the server.
 */
export const AUDIO_TYPES = ['audio/basic', 'audio/PCMU', 'audio/PCMA', 'audio/aac'] as const

/** One request carries this many seconds of sound; a client that has more continues with the next request. */
export const LONGEST_TALK_S = 50

export const sendCameraAudio = route({
  name: 'sendCameraAudio',
  summary:
    'Talk through the loudspeaker of a camera (ONVIF back channel): the body is G.711 or AAC sound (ADTS), sent as it is recorded, for at most 50 seconds',
  method: 'POST',
  path: 'cameras/{cameraId}/audio',
  access: 'object',
  right: 'microphone',
  support: 'no',
  apiKey: 'no',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  bodyMedia: AUDIO_TYPES,
  waitsForOthers: true,
  status: 204,
  reply: nothing,
  notReplayed: 'sound is heard once',
  errors: [
    'notFound',
    'validation',
    'businessRule',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})

/** Which sound of a camera is used. Both switches are off for a new camera. */
export const audioSettings = z.object({
  /** Off: sound isn't recorded, shown or measured. */
  microphone: z.boolean(),
  /** Off: nobody can talk through the camera. */
  speaker: z.boolean(),
  /** Always null: there is no standard way to set it. */
  gain: z.nullable(z.number()),
  unavailable: z.object({ gain: z.literal('notStandard') }),
})
export type AudioSettings = z.infer<typeof audioSettings>

const ofSettings = {
  path: 'cameras/{cameraId}/settings/audio',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  reply: audioSettings,
} as const

export const getAudioSettings = route({
  ...ofSettings,
  name: 'getAudioSettings',
  summary: 'Get whether the microphone and the loudspeaker of a camera are used',
  method: 'GET',
  errors: ['notFound'],
})

export const patchAudioSettings = route({
  ...ofSettings,
  name: 'patchAudioSettings',
  summary: 'Turn the microphone and the loudspeaker of a camera on or off; it applies within a second',
  method: 'PATCH',
  body: z.partial(z.object({ microphone: z.boolean(), speaker: z.boolean(), gain: z.nullable(z.number()) })),
  errors: ['validation', 'notFound', 'capabilityNotSupported'],
})
