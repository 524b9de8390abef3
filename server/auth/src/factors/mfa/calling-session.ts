import type { EpochMs } from '@sightline/platform/clock'
import type { StoredFactor } from './store.ts'

/** The session that a call comes with. */
export interface CallingSession {
  /** Undefined where nobody signed in to it, as where a client acts on its own. */
  readonly signedInAt: EpochMs | undefined
}

const isOlder = (since: EpochMs | undefined, { signedInAt }: CallingSession): boolean =>
  since !== undefined && signedInAt !== undefined && since < signedInAt

/**
 * What of a factor proves somebody who is signed in already. What was switched on since shows only that somebody holds that
 * session: switching on takes no password, so whoever has stolen a token can do it with an app of their own.
 */
export const olderThan = (session: CallingSession, factor: StoredFactor): StoredFactor => ({
  ...factor,
  on: isOlder(factor.on?.since, session) ? factor.on : undefined,
  recoverySalt: isOlder(factor.recoverySince, session) ? factor.recoverySalt : undefined,
})

/**
 * Whether that session was begun with a second factor, so that the password does not prove it. Where that is not known, it is
 * taken to be so.
 */
export function asksForCode(factor: StoredFactor | undefined, session: CallingSession): boolean {
  if (session.signedInAt === undefined) return factor?.on !== undefined || factor?.asksPasskeys === true
  return isOlder(factor?.on?.since, session) || isOlder(factor?.passkeysSince, session)
}
