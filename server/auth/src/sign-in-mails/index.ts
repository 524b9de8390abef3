import type { SignInMail } from '@sightline/contract/auth-plane'
import type { Brand, BrandSource } from '@sightline/platform/brands'
import type { Clock } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { type MailOutbox, writeLetter } from '@sightline/platform/mail'
import { newEmailLetter } from './letter.ts'
import { addLimited } from './limited.ts'
import { hostOfReseller } from './store.ts'

export {
  fill,
  harmlessName,
  languageFor,
  linkLetter,
  newEmailLetter,
  orOpenIn,
  type SecondFactorNews,
  secondFactorLetter,
} from './letter.ts'
export { addLimited } from './limited.ts'
export { hostOfReseller } from './store.ts'

export interface SignInMailParts {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly brands: BrandSource
  readonly outbox: MailOutbox
}

/** The brand of the host that was asked, unless its people are not the user's: then one of the user's own, else the provider's. */
export async function brandFor(
  { host, resellerId }: { readonly host: string; readonly resellerId: number | undefined },
  { brands, db }: Pick<SignInMailParts, 'brands' | 'db'>,
): Promise<Brand> {
  const asked = await brands.forHost(host)
  if (asked.resellerId === undefined || asked.resellerId === resellerId) return asked
  const own = resellerId === undefined ? undefined : await hostOfReseller(db, resellerId)
  return brands.forHost(own ?? '')
}

/** Tells the address that a user had until now that somebody gave the user another one (security.md §2.13). @throws TooManyMails */
export async function tellOfNewEmail(
  given: SignInMail & { readonly changedBy: string },
  parts: SignInMailParts,
): Promise<void> {
  const { accountId, email: to, language, changedBy } = given
  const { theme, origin } = await brandFor(given, parts)
  const letter = newEmailLetter({ language, company: theme.companyName, changedBy })
  const mail = { ...writeLetter(letter, { theme, origin }), accountId, mailId: await parts.ids.next(), to }
  await parts.db.transaction((tx) => addLimited(tx, [{ ...mail, kind: 'newEmail' }], parts))
}
