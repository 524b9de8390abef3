import type { Brand, BrandSource } from '@sightline/platform/brands'
import type { Clock } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { MailOutbox } from '@sightline/platform/mail'
import { hostOfReseller } from './store.ts'

export { hostOfReseller } from './store.ts'
export { chooseMailLanguage, fill, getOpenLinkText, harmlessName } from './texts.ts'

export interface SignInMailDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly brands: BrandSource
  readonly outbox: MailOutbox
}

/** The brand of the requested host if it is the user's; otherwise one of the user's own, or the provider's. */
export async function findMailBrand(
  { host, resellerId }: { readonly host: string; readonly resellerId: number | undefined },
  { brands, db }: Pick<SignInMailDeps, 'brands' | 'db'>,
): Promise<Brand> {
  const asked = await brands.forHost(host)
  if (asked.resellerId === undefined || asked.resellerId === resellerId) return asked
  const own = resellerId === undefined ? undefined : await hostOfReseller(db, resellerId)
  return brands.forHost(own ?? '')
}
