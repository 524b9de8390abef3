import type { Permit } from '@sightline/platform/limits'

/** A reader who neither reads nor disconnects keeps the slot no longer than this. */
const MAX_HOLD_MS = 10 * 60_000

/** The same chunks. The slot is released when they end, or when the reader stops, even before the first chunk. */
export function heldChunks(permit: Permit, chunks: AsyncGenerator<string>): AsyncIterable<string> {
  const timer = setTimeout(permit.release, MAX_HOLD_MS).unref()
  const free = () => {
    clearTimeout(timer)
    permit.release()
  }
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await chunks.next()
          if (step.done === true) free()
          return step
        } catch (error) {
          free()
          throw error
        }
      },
      async return() {
        free()
        return chunks.return(undefined)
      },
    }),
  }
}
