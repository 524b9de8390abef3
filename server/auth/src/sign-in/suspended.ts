import type { SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Db } from '@sightline/platform/db'
import { type AuthUser, findByUserId, isInAudience } from '../people/index.ts'
import type { Interaction, SignInRequest } from './interaction.ts'
import { findSuspendedUser, passwordChecked } from './verified-password.ts'

/** Names the brand that the customer knows: that of the host, or of the account at a host of the provider. */
export const suspendedProblem = (
  { brand }: Pick<SignInRequest, 'brand'>,
  { resellerName }: Pick<AuthUser, 'resellerName'>,
): SignInProblem => ({
  kind: 'suspended',
  company: brand.resellerId === undefined ? resellerName : brand.theme.companyName,
})

/**
 * The person who is signed in to this browser, where the account was suspended since: an application whose token is refused
 * leads here, and the page would otherwise ask for the password without a reason.
 */
export async function findSuspendedSession(
  { provider, req, res, among }: Pick<SignInRequest, 'provider' | 'req' | 'res' | 'among'>,
  { db }: { readonly db: Db },
): Promise<AuthUser | undefined> {
  const { accountId: userId } = await provider.Session.get(provider.createContext(req, res))
  const person = userId === undefined ? undefined : await findByUserId(db, Number(userId))
  return person?.isSuspended === true && isInAudience(among.audience, person) ? person : undefined
}

/**
 * The person whose password was right in this sign-in and whose account was suspended after that; `chosen` where the person
 * is asked which account is meant.
 */
export async function suspendedHalfway(
  interaction: Interaction,
  { db }: { readonly db: Db },
  chosen?: number,
): Promise<AuthUser | undefined> {
  const password = passwordChecked(interaction)
  const userId = chosen ?? password?.codeOf
  return password === undefined || userId === undefined ? undefined : findSuspendedUser(db, password, userId)
}
