import { patchSupportAccess, type SupportAccess } from '@sightline/contract/support-access'
import type { Tx } from '@sightline/platform/db'
import type { Change } from '@sightline/platform/http'
import { loadAccess } from '../support-access/index.ts'

export { loadAccess } from '../support-access/index.ts'

/**
 * A separate entry in the account's log if a change of the account ended the owner's grant for support: it ends
 * automatically when the account becomes a demo, is suspended or moves (migration grants-end). A grant that had already
 * ended causes none.
 */
export async function recordEndedGrant(
  tx: Tx,
  before: SupportAccess,
  by: {
    readonly accountId: number
    /** Milliseconds since 1970. */
    readonly now: number
    readonly change: Pick<Change, 'audit'>
  },
): Promise<void> {
  const { accountId, now, change } = by
  const until = before.allowsHelpdeskExpirationDate
  if (until === null || Date.parse(until) <= now) return
  const after = await loadAccess(tx, accountId)
  if (after.allowsHelpdeskExpirationDate !== null) return
  const entry = {
    action: patchSupportAccess.name,
    accountId,
    target: { kind: 'account', id: accountId },
    before,
    after,
  }
  await change.audit(entry)
}
