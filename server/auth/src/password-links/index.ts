import { randomBytes } from 'node:crypto'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import { foldEmail } from '@sightline/contract/user-details'
import type { Brand, BrandSource } from '@sightline/platform/brands'
import { type Clock, MS_PER_DAY, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { type MailOutbox, writeLetter } from '@sightline/platform/mail'
import { tokenSha256 } from '@sightline/platform/sessions'
import { languageFor, letterFor } from './letter.ts'
import { PASSWORD_LINK_PATH } from './page.ts'
import { hostOfReseller, insertLink, type LinkKind } from './store.ts'

export { PASSWORD_LINK_PATH, type PasswordPageParts, passwordLink } from './page.ts'

export interface LinkParts {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly brands: BrandSource
  readonly outbox: MailOutbox
}

/** How long a link may be used. */
const LIFE_MS: Readonly<Record<LinkKind, number>> = { invitation: 7 * MS_PER_DAY, reset: 30 * MS_PER_MINUTE }
const TOKEN_BYTES = 32

type Invitation = Parameters<AuthPlane['invite']>[0]
type LinkMail = Omit<Invitation, 'invitedBy'> & { readonly kind: LinkKind; readonly invitedBy?: string }

/** Writes a link and the mail that brings it in one transaction. The token is nowhere but in the mail, which is sealed until it is sent. */
export async function sendPasswordLink(given: LinkMail, parts: LinkParts): Promise<void> {
  const { userId, accountId, kind, email } = given
  const { db, ids, clock, outbox } = parts
  const { theme, origin } = await brandFor(given, parts)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = clock.now() + LIFE_MS[kind]
  const address = `${origin}${PASSWORD_LINK_PATH}${token}?lang=${languageFor(given.language)}`
  const invitedBy = given.invitedBy === undefined ? {} : { invitedBy: given.invitedBy }
  const letter = letterFor({ kind, language: given.language, company: theme.companyName, address, ...invitedBy })
  const content = writeLetter(letter, { theme, origin })
  const mailId = await ids.next()
  const link = { userId, accountId, kind, tokenSha256: tokenSha256(token), emailFolded: foldEmail(email), expiresAt }
  await db.transaction(async (tx) => {
    await insertLink(tx, link)
    await outbox.add(tx, { ...content, accountId, mailId, kind, to: email, uselessAt: expiresAt })
  })
}

/** The brand of the host that was asked, unless its people are not the user's: then one of the user's own, else the provider's. */
async function brandFor({ host, resellerId }: LinkMail, { brands, db }: LinkParts): Promise<Brand> {
  const asked = await brands.forHost(host)
  if (asked.resellerId === undefined || asked.resellerId === resellerId) return asked
  return brands.forHost((await hostOfReseller(db, resellerId)) ?? '')
}
