import { foldEmail } from '@sightline/contract/user-details'
import type { Brand } from '@sightline/platform/brands'
import { addressGroup } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import { countAll, WINDOW_MS } from '../../factors/failures/index.ts'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'
import type { Lookup, UserMatches } from '../../people/index.ts'
import { sendPasswordLink } from '../password-links/index.ts'
import { TooManyMails } from '../sign-in-mails/index.ts'

/** Maximum links requested from one address in 15 minutes, for all recipients together; an IPv6 /64 counts as one. */
export const MAX_RESET_REQUESTS = 30

export interface AskDeps extends SignInMailDeps {
  readonly log: Logger
  readonly findByEmail: (emailFolded: string, among: Lookup) => Promise<UserMatches>
}

/**
 * Counts the request by its origin before any user is looked up; returns the seconds to wait, or undefined. Not counted
 * as wrong passwords, or a page of requests could lock an office out of signing in.
 */
export async function countResetRequest(
  address: string,
  { db, clock }: Pick<AskDeps, 'db' | 'clock'>,
): Promise<number | undefined> {
  const now = clock.now()
  const counter = { key: `password links asked from ${addressGroup(address)}`, limit: MAX_RESET_REQUESTS }
  const until = await countAll(db, [counter], { now, endsAt: now + WINDOW_MS })
  return until === undefined ? undefined : Math.max(1, Math.ceil((until - now) / 1000))
}

/**
 * Sends a link to every user with that address on this brand's host (decision 27), one email per account, which names
 * the account if there are several. Call it after the response: its work and timing reveal whether the address exists.
 * Blocked users get none; users without a password get one. Never throws.
 */
export async function sendResets(email: string, brand: Brand, deps: AskDeps): Promise<void> {
  try {
    const { people } = await deps.findByEmail(foldEmail(email), { resellerId: brand.resellerId, audience: 'both' })
    const able = people.filter((person) => person.mayResetPassword)
    for (const person of able) {
      const { userId, accountId, resellerId, language, accountName, resellerName } = person
      const account = able.length > 1 ? { account: `${accountName} - ${resellerName}` } : {}
      const whose = { userId, accountId, resellerId, email: person.email, language, host: brand.host }
      await sendPasswordLink({ ...whose, ...account, kind: 'reset' }, deps)
    }
  } catch (error) {
    if (error instanceof TooManyMails) deps.log.info('password link not sent: requested too often')
    else deps.log.error({ err: error }, 'could not send a password link')
  }
}
