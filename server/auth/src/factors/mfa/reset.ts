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

/** Everything that somebody signs in by besides the password; each answers whether there was something to take. */
const factors: readonly ((tx: Tx, userId: number) => Promise<boolean>)[] = [takeFactor, takePasskeys]

/**
 * Takes the second factor from somebody who lost it and every recovery code: the operator's act, because nobody inside the
 * product may be talked into it. In one transaction with a line in the audit log, a mail to the person and the end of every
 * token and sign-in; a service that runs beside finds these gone within a second. False where there was none.
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
