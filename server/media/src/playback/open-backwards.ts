import { findPreviousKeyPicture } from './find-picture.ts'
import { openPlayback, type PlaybackMessage, type PlaybackQuery, type PlayedPart } from './open-playback.ts'

/** A smaller break between two groups is normal jitter of the camera. */
const GAP_MS = 1500
const TICKS_PER_MS = 90
/** Of a longer group, which some cameras send, only the beginning is shown backwards. */
const MAX_GROUP_BYTES = 48 * 1024 * 1024

/** What follows is a whole group of pictures, which ends at `till`, milliseconds since 1970. */
export interface GroupBegins {
  readonly kind: 'group'
  readonly till: number
}

/**
 * Plays one stream backwards from a given time, as fast as the caller reads: the last group of pictures first. The parts of a group
 * come in decoding order, because it can be decoded only from its key picture. Ends where the footage begins.
 */
export async function* openBackwards(
  query: Omit<PlaybackQuery, 'waitMs'>,
): AsyncGenerator<PlaybackMessage | GroupBegins, void, undefined> {
  // The key picture of that very time counts too.
  let until = query.at + 1
  for (;;) {
    const key = await findPreviousKeyPicture(query, until)
    if (key === undefined || query.signal?.aborted === true) return
    const { messages, end } = await readGroup({ ...query, at: key }, until)
    if (until - end > GAP_MS) yield { kind: 'gap', from: end, till: until }
    yield { kind: 'group', till: end }
    yield* messages
    until = key
  }
}

/** What can be played from a key picture up to a time. */
async function readGroup(
  query: PlaybackQuery,
  until: number,
): Promise<{ readonly messages: readonly PlaybackMessage[]; readonly end: number }> {
  const messages: PlaybackMessage[] = []
  let end = query.at
  let bytes = 0
  for await (const message of openPlayback(query)) {
    if (message.kind === 'gap') continue
    if (message.kind === 'part') {
      if (message.wallClock >= until) break
      bytes += bytesOf(message)
      // What is left out is there, so it is no gap.
      if (bytes > MAX_GROUP_BYTES) return { messages, end: until }
      end = message.wallClock + message.duration / TICKS_PER_MS
    }
    messages.push(message)
  }
  return { messages, end: Math.min(end, until) }
}

const bytesOf = ({ samples }: PlayedPart): number => {
  let bytes = 0
  for (const { unit } of samples) for (const { length } of unit.units) bytes += length
  return bytes
}
