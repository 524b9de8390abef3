import { appendAudit } from '@sightline/platform/audit'
import type { Tx } from '@sightline/platform/db'
import { hostOfReseller, type SignInMailDeps } from '../../people/email-templates/index.ts'
import type { AuthUser } from '../../people/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import { notifyUser } from './notify.ts'
import { takeFactor, takePasskeys } from './store.ts'

export interface ResetDeps extends Pick<SignInMailDeps, 'db' | 'ids' | 'brands' | 'outbox'> {
  readonly sessions: Pick<Sessions, 'endUserWith'>
}

/** Everything except the password that a user signs in with; each returns whether there was something to remove. */
const factors: readonly ((tx: Tx, userId: number) => Promise<boolean>)[] = [takeFactor, takePasskeys]

/**
 * Removes the second factor and every recovery code of a user who lost them. Only the operator can, so that staff can't
 * be talked into it. One transaction with an audit entry, an email to the user and the end of every token and sign-in;
 * services running alongside notice within a second. False if there was nothing to remove.
 */
export async function resetSecondFactor(person: AuthUser, deps: ResetDeps): Promise<boolean> {
  const { db, ids } = deps
  const { userId, accountId, resellerId } = person
  const host = resellerId === undefined ? undefined : await hostOfReseller(db, resellerId)
  return deps.sessions.endUserWith(async (tx) => {
    const taken: boolean[] = []
    for (const take of factors) taken.push(await take(tx, userId))
    if (!taken.includes(true)) return false
    const entry = { action: 'mfaReset', target: { kind: 'user', id: userId } }
    await appendAudit(tx, { ids, caller: { accountId, userId: null, clientId: 'operator' }, address: '', entry })
    await notifyUser(tx, { person, host: host ?? '', news: { kind: 'mfaReset' } }, deps)
    return true
  }, userId)
}
