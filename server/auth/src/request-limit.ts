import { addressGroup, createRateLimiter } from '@sightline/platform/limits'

/**
 * An office arrives at once in the morning: several hundred users behind one address, each with two or three
 * applications.
 */
const BURST_SECONDS = 100
/** The page, its form, the return and the token; some of them twice. */
const REQUESTS_OF_A_SIGN_IN = 5

/** Of requests to `/oauth/…` and `/sign-in/…`, by address; a /64 of IPv6 counts as one. */
export interface RequestLimit {
  /** Counts a request; returns the seconds to wait if it exceeds the limit, otherwise undefined. */
  refusal(address: string, kind: 'beginsSignIn' | 'other'): number | undefined
}

/**
 * Each started sign-in is a row in the database until it ends, so starts are counted separately: rejected starts don't
 * keep others from finishing.
 *
 * @param signInsPerSecond of one address, on average
 * @param now monotonic milliseconds
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
