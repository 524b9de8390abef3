import { toDateTime } from '@sightline/contract/wire'
import { themeOf } from '@sightline/platform/brands'
import { instant, type Tx } from '@sightline/platform/db'

interface Person {
  readonly accountId: number
  readonly userId: number
}

/** Whether the brand of that reseller has its users accept the agreement. */
export async function asksForAgreement(tx: Tx, resellerId: number): Promise<boolean> {
  const resellers = tx.selectFrom('resellers').select('theme').where('reseller_id', '=', resellerId)
  const row = await resellers.executeTakeFirst()
  return row !== undefined && themeOf(row).asksForAgreement === true
}

/** When that person accepted that version, as the API says times; undefined where that is still to come. */
export async function loadAcceptance(
  tx: Tx,
  { accountId, userId }: Person,
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

/** Writes it down, once; false where it was accepted before. */
export async function insertAcceptance(
  tx: Tx,
  { accountId, userId }: Person,
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
