import type { BrandHost } from '@sightline/contract/brand-hosts'
import { toDateTime } from '@sightline/contract/wire'
import { isUniqueViolation, type Tx } from '@sightline/platform/db'

/** Of one brand, by name. */
export async function listHosts(tx: Tx, resellerId: number): Promise<BrandHost[]> {
  const rows = await tx
    .selectFrom('brand_hosts')
    .select(['host', 'created_at'])
    .where('reseller_id', '=', resellerId)
    .orderBy('host')
    .execute()
  return rows.map((row) => ({ host: row.host, createdAt: toDateTime(row.created_at) }))
}

/** Fails with {@link isHostTaken}. */
export async function insertHost(tx: Tx, resellerId: number, host: string): Promise<BrandHost> {
  const row = await tx
    .insertInto('brand_hosts')
    .values({ host, reseller_id: resellerId })
    .returning(['host', 'created_at'])
    .executeTakeFirstOrThrow()
  return { host: row.host, createdAt: toDateTime(row.created_at) }
}

/** Whether the brand had it. */
export async function removeHost(tx: Tx, resellerId: number, host: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('brand_hosts')
    .where('reseller_id', '=', resellerId)
    .where('host', '=', host)
    .executeTakeFirst()
  return removed.numDeletedRows > 0n
}

export const isHostTaken = (error: unknown): boolean => isUniqueViolation(error, 'brand_hosts_pkey')
