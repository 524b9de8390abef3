import type { MobileSubscription } from '@sightline/contract/mobile-subscriptions'
import { toDateTime } from '@sightline/contract/wire'
import { instant, isUniqueViolation, type MobileSubscriptionsTable, type Tx } from '@sightline/platform/db'
import type { Selectable } from 'kysely'

const toMobileSubscription = (row: Selectable<MobileSubscriptionsTable>): MobileSubscription => ({
  mobileSubscriptionId: row.mobile_subscription_id,
  iccid: row.iccid,
  sku: row.sku,
  status: row.status,
  startDate: toDateTime(row.started_at),
  endDate: row.ended_at === null ? null : toDateTime(row.ended_at),
  usedMB: null,
})

interface Key {
  readonly accountId: number
  readonly mobileSubscriptionId: number
}

const ofAccount = (tx: Tx, accountId: number) =>
  tx.selectFrom('mobile_subscriptions').selectAll().where('account_id', '=', accountId)
const one = (tx: Tx, { accountId, mobileSubscriptionId }: Key) =>
  ofAccount(tx, accountId).where('mobile_subscription_id', '=', mobileSubscriptionId)

/** Of one account, the newest first. */
export async function listMobileSubscriptions(tx: Tx, accountId: number): Promise<MobileSubscription[]> {
  const rows = await ofAccount(tx, accountId)
    .orderBy('started_at', 'desc')
    .orderBy('mobile_subscription_id', 'desc')
    .execute()
  return rows.map(toMobileSubscription)
}

export async function findMobileSubscription(tx: Tx, key: Key): Promise<MobileSubscription | undefined> {
  const row = await one(tx, key).executeTakeFirst()
  return row === undefined ? undefined : toMobileSubscription(row)
}

/** The same, locked until the transaction ends. */
export async function lockMobileSubscription(tx: Tx, key: Key): Promise<MobileSubscription | undefined> {
  const row = await one(tx, key).forUpdate().executeTakeFirst()
  return row === undefined ? undefined : toMobileSubscription(row)
}

/** The account is locked, so that its subscriptions are counted one after the other. */
export async function countMobileSubscriptions(tx: Tx, accountId: number): Promise<number> {
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forUpdate().execute()
  const { count } = await tx
    .selectFrom('mobile_subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** Fails with {@link isIccidInUse}. */
export async function insertMobileSubscription(
  tx: Tx,
  given: Key & { readonly iccid: string; readonly sku: string; readonly now: number },
): Promise<MobileSubscription> {
  const row = await tx
    .insertInto('mobile_subscriptions')
    .values({
      account_id: given.accountId,
      mobile_subscription_id: given.mobileSubscriptionId,
      iccid: given.iccid,
      sku: given.sku,
      started_at: instant(given.now),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toMobileSubscription(row)
}

/** Fails with {@link isIccidInUse} if it was ended and another subscription has its card now. */
export async function saveMobileSubscription(
  tx: Tx,
  key: Key,
  { sku, status, endedAt }: Pick<MobileSubscription, 'sku' | 'status'> & { readonly endedAt: number | null },
): Promise<MobileSubscription> {
  const row = await tx
    .updateTable('mobile_subscriptions')
    .set({ sku, status, ended_at: endedAt === null ? null : instant(endedAt) })
    .where('account_id', '=', key.accountId)
    .where('mobile_subscription_id', '=', key.mobileSubscriptionId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toMobileSubscription(row)
}

export async function removeMobileSubscription(tx: Tx, key: Key): Promise<void> {
  await tx
    .deleteFrom('mobile_subscriptions')
    .where('account_id', '=', key.accountId)
    .where('mobile_subscription_id', '=', key.mobileSubscriptionId)
    .execute()
}

export const isIccidInUse = (error: unknown): boolean => isUniqueViolation(error, 'mobile_subscriptions_in_use')
