import type { SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Db } from '@sightline/platform/db'
import { findByUserId, isInAudience, type Person } from '../people/index.ts'
import type { Interaction, SignInVisit } from './interaction.ts'
import { findSuspendedUser, passwordChecked } from './password-checked.ts'

/** Names the brand that the customer knows: that of the host, or of the account at a host of the provider. */
export const suspendedProblem = (
  { brand }: Pick<SignInVisit, 'brand'>,
  { resellerName }: Pick<Person, 'resellerName'>,
): SignInProblem => ({
  kind: 'suspended',
  company: brand.resellerId === undefined ? resellerName : brand.theme.companyName,
})

/**
 * The person who is signed in to this browser, where the account was suspended since: an application whose token is refused
 * leads here, and the page would otherwise ask for the password without a reason.
 */
export async function suspendedPerson(
  { provider, req, res, among }: Pick<SignInVisit, 'provider' | 'req' | 'res' | 'among'>,
  { db }: { readonly db: Db },
): Promise<Person | undefined> {
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
): Promise<Person | undefined> {
  const password = passwordChecked(interaction)
  const userId = chosen ?? password?.codeOf
  return password === undefined || userId === undefined ? undefined : findSuspendedUser(db, password, userId)
}
