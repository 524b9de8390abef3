import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'

export interface AgreementUser {
  readonly accountId: number
  readonly userId: number
}

/** Whether the brand of that reseller requires acceptance of the agreement. */
export async function asksForAgreement(tx: Tx, resellerId: number): Promise<boolean> {
  const resellers = tx.selectFrom('resellers').select('asks_for_agreement').where('reseller_id', '=', resellerId)
  return (await resellers.executeTakeFirst())?.asks_for_agreement === true
}

/** When that user accepted that version, as a date-time; undefined if they haven't. */
export async function loadAcceptance(
  tx: Tx,
  { accountId, userId }: AgreementUser,
  version: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('agreements')
    .select('accepted_at')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row === undefined ? undefined : toDateTime(row.accepted_at)
}

/** Stores the acceptance once; false if it already existed. */
export async function insertAcceptance(
  tx: Tx,
  { accountId, userId }: AgreementUser,
  { version, at }: { readonly version: string; readonly at: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('agreements')
    .values({ account_id: accountId, user_id: userId, version, accepted_at: instant(at) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return row !== undefined
}

/** The agreements of a brand that a user accepted, and when. */
export async function loadAgreements(tx: Tx, { accountId, userId }: { accountId: number; userId: number }) {
  const rows = await tx
    .selectFrom('agreements')
    .select(['version', 'accepted_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('accepted_at')
    .execute()
  return rows.map((row) => ({ version: row.version, acceptedAt: toDateTime(row.accepted_at) }))
}
