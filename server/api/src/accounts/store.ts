import type { Tx } from '@sightline/platform/db'

/** The account's time zone, a name of the TZ database. */
export async function loadTimeZone(tx: Tx, accountId: number): Promise<string> {
  const row = await tx
    .selectFrom('accounts')
    .select('time_zone')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.time_zone
}

/** Locks the account until the transaction ends. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forUpdate().execute()
}

export async function saveTimeZone(tx: Tx, accountId: number, timeZone: string): Promise<void> {
  await tx.updateTable('accounts').set({ time_zone: timeZone }).where('account_id', '=', accountId).execute()
}
