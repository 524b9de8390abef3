import * as z from 'zod/mini'

/**
 * Text frames of a stream socket (api.md §12). Binary frames between them are fMP4: one initialization segment after
 * each `init`, then fragments. Times of day are milliseconds since 1970; media times are the presentation times of the
 * fragments, in seconds.
 */
export const streamServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('init'),
    /** For MediaSource: `video/mp4; codecs="avc1.4d0028, mp4a.40.2"`. */
    mime: z.string(),
    /** For VideoDecoder: `avc1.4d0028`. */
    codec: z.string(),
    width: z.int(),
    height: z.int(),
    audio: z.boolean(),
  }),
  /** The time of day of the picture at `mediaTime`. Sent once a second, and with the first picture. */
  z.object({ type: z.literal('pos'), wallclock: z.number(), mediaTime: z.number() }),
  /** Playback: nothing was recorded between these times; pictures continue after it. */
  z.object({ type: z.literal('gap'), from: z.number(), till: z.number() }),
  /** Live: someone talks through the loudspeaker of this camera, or no longer. Sent first only if someone does. */
  z.object({ type: z.literal('talk'), isTalking: z.boolean() }),
  /** The last message, with a code of the error catalog. `0` is the end of the footage. */
  z.object({ type: z.literal('end'), code: z.int() }),
])
export type StreamServerMessage = z.infer<typeof streamServerMessage>

/** Until the year 9999: of later times there is no date. */
const time = z.number().check(z.gte(0), z.lt(253_402_300_800_000))

/** Messages of a viewer of recordings. */
export const streamClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('seek'), time }),
  /** Below zero, from -16 to -0.25, playback runs backwards: only with media times of the clock. */
  z.object({
    type: z.literal('rate'),
    value: z.number().check(z.refine((value) => Math.abs(value) >= 0.25 && Math.abs(value) <= 16)),
  }),
  /** The time of the picture on the screen: what is sent ahead is measured from here. */
  z.object({ type: z.literal('shown'), time }),
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('step'), frames: z.int().check(z.gte(-250), z.lte(250)) }),
])
export type StreamClientMessage = z.infer<typeof streamClientMessage>
