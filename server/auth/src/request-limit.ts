import { addressGroup, createRateLimiter } from '@sightline/platform/limits'

/** A morning's office comes at once: several hundred people behind one address, each with two or three applications. */
const BURST_SECONDS = 100
/** The page, its form, the way back and the token; twice of some. */
const REQUESTS_OF_A_SIGN_IN = 5

/** Of requests to `/oauth/…` and `/sign-in/…`, by address; a /64 of IPv6 counts as one. */
export interface RequestLimit {
  /** Counts a request; the seconds to wait where it is one too many, else undefined. */
  refusal(address: string, kind: 'beginsSignIn' | 'other'): number | undefined
}

/**
 * Each sign-in begun is a row in the database until it is finished or over, so those are counted by themselves: whoever
 * was let begin is not kept from finishing by those who are not.
 * @param signInsPerSecond of one address, in the long run
 * @param now milliseconds that never go back
 */
export function requestLimit(signInsPerSecond: number, now: () => number): RequestLimit {
  const limitOf = (perSecond: number) => createRateLimiter({ perSecond, burst: perSecond * BURST_SECONDS }, now)
  const begun = limitOf(signInsPerSecond)
  const others = limitOf(signInsPerSecond * REQUESTS_OF_A_SIGN_IN)
  return {
    refusal(address, kind) {
      const waitMs = (kind === 'beginsSignIn' ? begun : others).consume(addressGroup(address))
      return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1000))
    },
  }
}
