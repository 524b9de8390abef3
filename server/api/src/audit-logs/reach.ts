import { reachesAccount, reachesReseller } from '@sightline/contract/rights'
import type { Db } from '@sightline/platform/db'
import type { StaffCaller } from '@sightline/platform/sessions'

/** Whose log staff ask for: a reseller's own, or that of one of its accounts. */
interface AskedLog {
  readonly resellerId: number | 'self'
  readonly accountId?: number
}

/** The log that is asked for, where it is in the caller's part of the tree; one beyond it is as unknown as none. */
export async function reachLog(
  db: Db,
  caller: StaffCaller,
  asked: AskedLog,
): Promise<{ readonly accountId: number } | undefined> {
  const resellerId = asked.resellerId === 'self' ? caller.resellerId : asked.resellerId
  if (resellerId === undefined) return undefined
  const { userId } = caller
  return db.inOrganisation({ organisationId: resellerId, userId, resellerId }, async (tx) => {
    const reseller = await tx
      .selectFrom('resellers')
      .select(['reseller_id as resellerId', 'distributor_id as distributorId'])
      .where('reseller_id', '=', resellerId)
      .executeTakeFirst()
    if (reseller === undefined || !reachesReseller(caller, reseller)) return undefined
    if (asked.accountId === undefined) return { accountId: resellerId }
    const account = await tx
      .selectFrom('accounts')
      .select('account_id as accountId')
      .where('reseller_id', '=', resellerId)
      .where('account_id', '=', asked.accountId)
      .executeTakeFirst()
    return account !== undefined && reachesAccount(caller, { ...reseller, ...account }) ? account : undefined
  })
}
