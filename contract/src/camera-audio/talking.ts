import * as z from 'zod/mini'
import type { Rule } from '../rights/index.ts'

/**
 * Talking through a camera's loudspeaker: `wss://host/stream/talk/open?camera_id=…&ticket=…`, with a ticket for live video. The server
 * says `open`; then binary frames are G.711 µ-law sound, 8000 samples a second, as it is recorded.
 */
export const TALK_PATH = '/stream/talk/open'

/** The requirements beyond those of live video; checked when a talk begins and repeatedly while it lasts. */
export const talkRule = {
  method: 'POST',
  callers: 'members',
  right: 'microphone',
  support: 'no',
  apiKey: 'no',
} as const satisfies Rule

/** One talk lasts five minutes at most (security.md §6.9). */
export const MAX_TALK_S = 300

/** Of G.711, with one byte a sample. */
export const TALK_SAMPLE_RATE = 8000

/** Why a talk ended or did not begin. */
export const talkEnd = z.enum([
  /** Someone else talks through this camera. */
  'busy',
  'noLoudspeaker',
  /** The loudspeaker is turned off in the camera's settings. */
  'speakerOff',
  'credentialsIncorrect',
  'rejected',
  'cameraOffline',
  'timedOut',
  'notAllowed',
  /** The longest time of a talk is over. */
  'timeOver',
  /** The camera closed its loudspeaker. */
  'ended',
])
export type TalkEnd = z.infer<typeof talkEnd>

export const talkServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), longestSeconds: z.int() }),
  /** Without a reason, a code of the error catalog, as of other streams: the camera can't be watched live either. */
  z.object({ type: z.literal('end'), reason: z.optional(talkEnd), code: z.optional(z.int()) }),
])
export type TalkServerMessage = z.infer<typeof talkServerMessage>
