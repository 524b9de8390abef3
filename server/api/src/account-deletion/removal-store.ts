import { instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** After a deletion without a grace period, the log keeps names for this long: as long as the grace period. */
export const HELD_MS = 14 * 86_400_000

export interface Removal {
  readonly accountId: number
  readonly removedAt: number
  /** When the log's personal values are erased too. */
  readonly eraseAfter: number
}

/**
 * Removes an account with everything except its log, footage and sign-ins, which it marks for erasure
 * (docs/decisions/0021). The transaction has the account's scope, as staff. All deletions of an account use this
 * function.
 */
export async function removeAccount(tx: Tx, { accountId, ...when }: Removal): Promise<void> {
  // A concurrent sign-in or a new user locks the account's row.
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

/** Removes one user of an account, not its owner, and marks the rest of their data for erasure. */
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
