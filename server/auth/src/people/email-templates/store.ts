import type { Db } from '@sightline/platform/db'

/** A host at which that reseller's people sign in; undefined where they have the provider's only. */
export async function hostOfReseller(db: Db, resellerId: number): Promise<string | undefined> {
  const row = await db.plain
    .selectFrom('brand_hosts')
    .select('host')
    .where('reseller_id', '=', resellerId)
    .orderBy('host')
    .executeTakeFirst()
  return row?.host
}
