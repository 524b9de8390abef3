import type { SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Db } from '@sightline/platform/db'
import { type AuthUser, findByUserId, isInAudience } from '../people/index.ts'
import type { Interaction, SignInRequest } from './interaction.ts'
import { findSuspendedUser, passwordChecked } from './verified-password.ts'

/** Names the brand that the customer knows: the host's, or at a provider's host the account's. */
export const suspendedProblem = (
  { brand }: Pick<SignInRequest, 'brand'>,
  { resellerName }: Pick<AuthUser, 'resellerName'>,
): SignInProblem => ({
  kind: 'suspended',
  company: brand.resellerId === undefined ? resellerName : brand.theme.companyName,
})

/**
 * The user signed in to this browser if the account has been suspended since: an application with a rejected token
 * redirects here, and the page would otherwise ask for the password without a reason.
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
 * The user with a verified password in this sign-in whose account was suspended after that; `chosen` if the user is
 * asked to pick an account.
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
