import type { EpochMs } from '@sightline/platform/clock'
import type { StoredFactor } from './store.ts'

/** The session of a call. */
export interface CallingSession {
  /** Undefined without a user sign-in, for example if a client acts on its own. */
  readonly signedInAt: EpochMs | undefined
}

const isOlder = (since: EpochMs | undefined, { signedInAt }: CallingSession): boolean =>
  since !== undefined && signedInAt !== undefined && since < signedInAt

/**
 * The parts of a factor that confirm a signed-in user's identity. A factor added since the session began proves only
 * possession of the session: adding takes no password, so a stolen token is enough to add an attacker's app.
 */
export const olderThan = (session: CallingSession, factor: StoredFactor): StoredFactor => ({
  ...factor,
  on: isOlder(factor.on?.since, session) ? factor.on : undefined,
  recoverySalt: isOlder(factor.recoverySince, session) ? factor.recoverySalt : undefined,
})

/** Whether the session began with a second factor, so that the password alone isn't enough. Assumed true if unknown. */
export function asksForCode(factor: StoredFactor | undefined, session: CallingSession): boolean {
  if (session.signedInAt === undefined) return factor?.on !== undefined || factor?.asksPasskeys === true
  return isOlder(factor?.on?.since, session) || isOlder(factor?.passkeysSince, session)
}
