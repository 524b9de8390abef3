import type { Tx } from '@sightline/platform/db'

/** The operator's own package: the best quality, 30 days, the maximum number of cameras. */
export const FIRST_PACKAGE_SKU = 'HD2-30-200'

/** From today on, for a year, and on after it. */
export async function insertSubscription(
  tx: Tx,
  of: { readonly accountId: number; readonly resellerId: number; readonly sku: string },
): Promise<void> {
  const { subscription_package_id } = await tx
    .selectFrom('subscription_packages')
    .select('subscription_package_id')
    .where('reseller_id', '=', of.resellerId)
    .where('sku', '=', of.sku)
    .executeTakeFirstOrThrow()
  const today = new Date()
  const end = new Date(Date.UTC(today.getUTCFullYear() + 1, today.getUTCMonth(), today.getUTCDate() - 1))
  const day = (date: Date) => date.toISOString().slice(0, 10)
  await tx
    .insertInto('subscriptions')
    .values({
      account_id: of.accountId,
      reseller_id: of.resellerId,
      subscription_package_id,
      next_subscription_package_id: subscription_package_id,
      start_date: day(today),
      end_date: day(end),
    })
    .execute()
}
