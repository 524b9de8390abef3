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

const MOST_REMEMBERED = 10_000

/**
 * The generic cell rate algorithm (ITU-T I.371): one number for each caller, the moment at which its calls so far would
 * have been over had they come evenly.
 * @param now milliseconds that never go back
 */
export function rateLimit({ perSecond, burst }: CallLimit, now: () => number): RateLimit {
  const each = 1000 / perSecond
  const ahead = (burst - 1) * each
  const evenUntil = new Map<string, number>()
  const forgetQuiet = (at: number) => {
    for (const [caller, until] of evenUntil) if (until <= at) evenUntil.delete(caller)
  }
  return {
    refusal(caller) {
      const at = now()
      const until = Math.max(at, evenUntil.get(caller) ?? 0)
      if (until - at > ahead) return until - at - ahead
      if (evenUntil.size >= MOST_REMEMBERED) forgetQuiet(at)
      evenUntil.set(caller, until + each)
      return undefined
    },
  }
}
