import { findPreviousKeyPicture } from './find-picture.ts'
import { openPlayback, type PlaybackMessage, type PlaybackQuery } from './open-playback.ts'

/** A smaller break between two groups is normal jitter of the camera. */
const GAP_MS = 1500
const TICKS_PER_MS = 90

/**
 * Plays one stream backwards from a given time, as fast as the caller reads: the last group of pictures first. The parts of a group
 * come in decoding order, because it can be decoded only from its key picture. Ends where the footage begins.
 */
export async function* openBackwards(
  query: Omit<PlaybackQuery, 'waitMs'>,
): AsyncGenerator<PlaybackMessage, void, undefined> {
  // The key picture of that very time counts too.
  let until = query.at + 1
  for (;;) {
    const key = await findPreviousKeyPicture(query, until)
    if (key === undefined || query.signal?.aborted === true) return
    const { messages, end } = await readGroup({ ...query, at: key }, until)
    if (until - end > GAP_MS) yield { kind: 'gap', from: end, till: until }
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
  for await (const message of openPlayback(query)) {
    if (message.kind === 'gap') continue
    if (message.kind === 'part') {
      if (message.wallClock >= until) break
      end = message.wallClock + message.duration / TICKS_PER_MS
    }
    messages.push(message)
  }
  return { messages, end: Math.min(end, until) }
}
