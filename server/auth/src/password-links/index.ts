import { randomBytes } from 'node:crypto'
import { foldEmail } from '@sightline/contract/user-details'
import { MS_PER_DAY, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Tx } from '@sightline/platform/db'
import { type NewMail, writeLetter } from '@sightline/platform/mail'
import { tokenSha256 } from '@sightline/platform/sessions'
import { addLimited, brandFor, languageFor, linkLetter, type SignInMailParts } from '../sign-in-mails/index.ts'
import { PASSWORD_LINK_PATH } from './page.ts'
import { insertLink, type LinkKind } from './store.ts'

export { PASSWORD_LINK_PATH, type PasswordPageParts, passwordLink } from './page.ts'
export { type ResetByLinkParts, resetByToken } from './set-password.ts'
export { removeLinksOf } from './store.ts'

/** How long a link may be used. */
const LIFE_MS: Readonly<Record<LinkKind, number>> = { invitation: 7 * MS_PER_DAY, reset: 30 * MS_PER_MINUTE }
const TOKEN_BYTES = 32

interface LinkMail {
  readonly userId: number
  readonly accountId: number
  /** Undefined of staff above the resellers. */
  readonly resellerId: number | undefined
  readonly email: string
  readonly language: string
  readonly host: string
  readonly kind: LinkKind
  readonly invitedBy?: string
  /** Named where somebody has several under the same address. */
  readonly account?: string
}

/** Writes a link and the mail that brings it in one transaction. @throws TooManyMails */
export async function sendPasswordLink(given: LinkMail, parts: SignInMailParts): Promise<void> {
  const mail = await passwordLinkMail(given, parts)
  await parts.db.transaction((tx) => addPasswordLink(tx, mail, parts))
}

/** The same in a transaction of the caller's, which can go on after it throws. @throws TooManyMails */
export async function addPasswordLink(tx: Tx, { link, mail }: PasswordLinkMail, parts: SignInMailParts): Promise<void> {
  await link(tx)
  await addLimited(tx, [mail], parts)
}

export interface PasswordLinkMail {
  /** Writes the link. */
  readonly link: (tx: Tx) => Promise<void>
  readonly mail: NewMail & { readonly kind: LinkKind }
}

/** A link and the mail that brings it, for one transaction. The token is nowhere but in the mail, which is sealed until it is sent. */
export async function passwordLinkMail(given: LinkMail, parts: SignInMailParts): Promise<PasswordLinkMail> {
  const { userId, accountId, kind, email } = given
  const { theme, origin } = await brandFor(given, parts)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = parts.clock.now() + LIFE_MS[kind]
  const address = `${origin}${PASSWORD_LINK_PATH}${token}?lang=${languageFor(given.language)}`
  const { language, invitedBy, account } = given
  const letter = linkLetter({ kind, language, company: theme.companyName, address, invitedBy, account })
  const content = writeLetter(letter, { theme, origin })
  const mailId = await parts.ids.next()
  const link = { userId, accountId, kind, tokenSha256: tokenSha256(token), emailFolded: foldEmail(email), expiresAt }
  return {
    link: (tx) => insertLink(tx, link),
    mail: { ...content, accountId, mailId, kind, to: email, uselessAt: expiresAt },
  }
}
