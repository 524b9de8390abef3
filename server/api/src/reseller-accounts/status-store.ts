import type { UserType } from '@sightline/contract/rights'
import type { Tx } from '@sightline/platform/db'

/** Undefined if the account doesn't exist; otherwise it is locked until the transaction ends. */
export async function lockVisibility(
  tx: Tx,
  accountId: number,
): Promise<{ readonly publicDemo: boolean; readonly userType: UserType } | undefined> {
  const row = await tx
    .selectFrom('accounts')
    .select(['public_demo', 'user_type'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { publicDemo: row.public_demo, userType: row.user_type }
}

/** The trigger end_visits ends guest sessions. */
export async function saveVisibility(tx: Tx, accountId: number, publicDemo: boolean): Promise<void> {
  await tx.updateTable('accounts').set({ public_demo: publicDemo }).where('account_id', '=', accountId).execute()
}
