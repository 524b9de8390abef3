import { instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** How long what was removed at once, without days of grace before, stays in the log by name: as long as those. */
export const HELD_MS = 14 * 86_400_000

export interface Removal {
  readonly accountId: number
  readonly removedAt: number
  /** From then on the log forgets them as well. */
  readonly eraseAfter: number
}

/**
 * Removes an account and everything in it but its log, footage and sign-ins, for which it writes down what is to be erased
 * (docs/decisions/0021). The transaction's scope is the account's, of staff. The one way in which an account goes.
 */
export async function removeAccount(tx: Tx, { accountId, ...when }: Removal): Promise<void> {
  // Whoever signs in or is added at this moment holds the account's row.
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forUpdate().execute()
  await planErasure(tx, { accountId, userIds: 'all', ...when })
  await tx.deleteFrom('users').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('cameras').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('devices').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('zones').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('idempotency_keys').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('permission_profiles').where('organisation_id', '=', accountId).execute()
  await tx.deleteFrom('accounts').where('account_id', '=', accountId).execute()
}

/** Removes one person of an account, not its owner, and writes down what is to be erased. */
export async function removeMember(
  tx: Tx,
  { userId, ...removal }: Removal & { readonly userId: number },
): Promise<void> {
  await planErasure(tx, { ...removal, userIds: [userId] })
  const { accountId } = removal
  const ofMember = (table: 'idempotency_keys' | 'users') =>
    tx.deleteFrom(table).where('account_id', '=', accountId).where('user_id', '=', userId).execute()
  await ofMember('idempotency_keys')
  await ofMember('users')
}

async function planErasure(
  tx: Tx,
  { accountId, userIds, removedAt, eraseAfter }: Removal & { readonly userIds: readonly number[] | 'all' },
): Promise<void> {
  await sql`
    insert into erasures (user_id, account_id, removed_at, erase_after)
    select user_id, account_id, ${instant(removedAt)}, ${instant(eraseAfter)} from users
     where account_id = ${accountId} and (${userIds === 'all'} or user_id = any (${userIds === 'all' ? [] : userIds}::bigint[]))
    `.execute(tx)
}
