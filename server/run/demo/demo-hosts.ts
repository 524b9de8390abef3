import { normalHost } from '@sightline/platform/brands'
import type { Db } from '@sightline/platform/db'
import { guest, owner } from './demo-people.ts'

/** The host of a demo brand, and one of its users. */
const namesOf = { [owner.email]: 'demo.localhost', [guest.email]: 'beacon-hill.localhost' } as const

export interface BrandAddress {
  readonly company: string
  readonly origin: string
}

/**
 * Gives each demo brand its own host on this port, which may have changed since the last start. Browsers resolve every
 * name below `localhost` to this machine (RFC 6761 §6.3), so no setup is needed. Returns their addresses.
 */
export async function openDemoHosts(
  db: Db,
  at: { readonly scheme: 'http' | 'https'; readonly port: number },
): Promise<readonly BrandAddress[]> {
  return db.transaction(async (tx) => {
    await tx.deleteFrom('brand_hosts').where('host', '~', '^(demo|beacon-hill)[.]localhost(:[0-9]+)?$').execute()
    const addresses: BrandAddress[] = []
    for (const [email, name] of Object.entries(namesOf)) {
      const host = normalHost(`${name}:${at.port}`, at.scheme) ?? name
      const brand = await tx
        .selectFrom('users as u')
        .innerJoin('resellers as r', 'r.reseller_id', 'u.reseller_id')
        .select(['r.reseller_id', 'r.name'])
        .where('u.email_folded', '=', email)
        .executeTakeFirst()
      if (brand === undefined) continue
      await tx.insertInto('brand_hosts').values({ host, reseller_id: brand.reseller_id }).execute()
      addresses.push({ company: brand.name, origin: `${at.scheme}://${host}` })
    }
    return addresses
  })
}
