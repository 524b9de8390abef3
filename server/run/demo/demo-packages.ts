import type { Tx } from '@sightline/platform/db'
import { type Package, standardPackages } from '../first-run/standard-packages.ts'

/** The usual ones, and one that the specification §3 calls custom: without sku, quality and days. */
export const demoPackages: readonly Package[] = [
  ...standardPackages,
  { name: 'Museum_10', sku: null, quality: null, retention_hours: null, max_cameras: 10, max_devices: 3 },
]

/** From today on, for a year. */
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
