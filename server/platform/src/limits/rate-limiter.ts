/** How often one key may do something in this process. */
export interface RateLimit {
  /** In the long run, each second. */
  readonly perSecond: number
  /** The number of calls allowed in one go after a quiet time. */
  readonly burst: number
}

export interface RateLimiter {
  /**
   * Counts one use of `key`; returns the milliseconds to wait if it exceeds the limit, otherwise undefined. A rejected
   * use doesn't count.
   */
  consume(key: string): number | undefined
}

/** About 10 MB. An attacker with more keys than that is not held back by a limit per key. */
const MAX_KEYS = 100_000

/**
 * The generic cell rate algorithm (ITU-T I.371): one number per key, the time at which its uses so far would end at an
 * even rate.
 *
 * @param now monotonic milliseconds
 */
export function createRateLimiter({ perSecond, burst }: RateLimit, now: () => number): RateLimiter {
  const intervalMs = 1000 / perSecond
  const toleranceMs = (burst - 1) * intervalMs
  const theoreticalArrivals = new Map<string, number>()
  /** Inserted last, so that the first key is the least recently used. */
  const remember = (key: string, arrival: number) => {
    theoreticalArrivals.delete(key)
    theoreticalArrivals.set(key, arrival)
    const [oldest] = theoreticalArrivals.size > MAX_KEYS ? theoreticalArrivals.keys() : []
    if (oldest !== undefined) theoreticalArrivals.delete(oldest)
  }
  return {
    consume(key) {
      const at = now()
      const arrival = Math.max(at, theoreticalArrivals.get(key) ?? 0)
      const isOver = arrival - at > toleranceMs
      remember(key, isOver ? arrival : arrival + intervalMs)
      return isOver ? arrival - at - toleranceMs : undefined
    },
  }
}
