/** How many calls one caller may make in this process. */
export interface CallLimit {
  /** In the long run, each second. */
  readonly perSecond: number
  /** At once, after a quiet time. */
  readonly burst: number
}

export interface RateLimit {
  /** Counts a call; the milliseconds to wait where it is one too many, else undefined. */
  refusal(caller: string): number | undefined
}

/** About 10 MB. Whoever has more addresses than that is held by no limit of each. */
const MOST_REMEMBERED = 100_000

/**
 * The generic cell rate algorithm (ITU-T I.371): one number for each caller, the moment at which its calls so far would
 * have been over had they come evenly.
 * @param now milliseconds that never go back
 */
export function rateLimit({ perSecond, burst }: CallLimit, now: () => number): RateLimit {
  const each = 1000 / perSecond
  const ahead = (burst - 1) * each
  const evenUntil = new Map<string, number>()
  /** Behind all others, so that the first one is who was heard of longest ago. */
  const remember = (caller: string, until: number) => {
    evenUntil.delete(caller)
    evenUntil.set(caller, until)
    const [first] = evenUntil.size > MOST_REMEMBERED ? evenUntil.keys() : []
    if (first !== undefined) evenUntil.delete(first)
  }
  return {
    refusal(caller) {
      const at = now()
      const until = Math.max(at, evenUntil.get(caller) ?? 0)
      const isOver = until - at > ahead
      remember(caller, isOver ? until : until + each)
      return isOver ? until - at - ahead : undefined
    },
  }
}
