/** Somebody who never reads on, nor goes away, keeps a place no longer than this. */
const LONGEST_MS = 10 * 60_000

/** Places for what is written while it is read: `most` at once, one for each user. Times in milliseconds. */
export function fewDownloads(most: number, now: () => number) {
  const since = new Map<number, number>()
  const isTaken = (userId: number) => (since.get(userId) ?? Number.NEGATIVE_INFINITY) > now() - LONGEST_MS
  return {
    /** False where there is no place at this moment. */
    take(userId: number): boolean {
      for (const user of [...since.keys()]) if (!isTaken(user)) since.delete(user)
      if (since.has(userId) || since.size >= most) return false
      since.set(userId, now())
      return true
    },
    free: (userId: number): void => void since.delete(userId),
    /** The same chunks; the place is free again when they end, or when nobody wants more, read or not. */
    holding(userId: number, chunks: AsyncGenerator<string>): AsyncIterable<string> {
      const free = () => void since.delete(userId)
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
    },
  }
}
