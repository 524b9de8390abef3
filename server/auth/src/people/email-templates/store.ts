import type { Db } from '@sightline/platform/db'

/** A host where that reseller's users sign in; undefined if they have only the provider's. */
export async function hostOfReseller(db: Db, resellerId: number): Promise<string | undefined> {
  const row = await db.plain
    .selectFrom('brand_hosts')
    .select('host')
    .where('reseller_id', '=', resellerId)
    .orderBy('host')
    .executeTakeFirst()
  return row?.host
}
