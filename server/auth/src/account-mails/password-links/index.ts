import type { Tx } from '@sightline/platform/db'
import { type NewMail, renderEmail } from '@sightline/platform/mail'
import { chooseMailLanguage, findMailBrand, type SignInMailDeps } from '../../people/email-templates/index.ts'
import { insertLink, newActionLink } from '../action-links/index.ts'
import { addLimited, linkEmail } from '../sign-in-mails/index.ts'
import type { PasswordLinkKind } from './set-password.ts'

export { type PasswordPageDeps, setPasswordAction } from './page.ts'
export { type ResetByLinkDeps, resetByToken } from './set-password.ts'

interface LinkMail {
  readonly userId: number
  readonly accountId: number
  /** Undefined of staff above the resellers. */
  readonly resellerId: number | undefined
  readonly email: string
  readonly language: string
  readonly host: string
  readonly kind: PasswordLinkKind
  readonly invitedBy?: string
  /** Set if several accounts share the address. */
  readonly account?: string
}

/** Creates a link and the email with it in one transaction. @throws TooManyMails */
export async function sendPasswordLink(given: LinkMail, deps: SignInMailDeps): Promise<void> {
  const mail = await passwordLinkMail(given, deps)
  await deps.db.transaction((tx) => addPasswordLink(tx, mail, deps))
}

/**
 * The same in the caller's transaction, which can continue after it throws.
 *
 * @throws TooManyMails
 */
export async function addPasswordLink(tx: Tx, { link, mail }: PasswordLinkMail, deps: SignInMailDeps): Promise<void> {
  await link(tx)
  await addLimited(tx, [mail], deps)
}

export interface PasswordLinkMail {
  /** Writes the link. */
  readonly link: (tx: Tx) => Promise<void>
  readonly mail: NewMail & { readonly kind: PasswordLinkKind }
}

/** A link and the email with it, for one transaction. */
export async function passwordLinkMail(given: LinkMail, deps: SignInMailDeps): Promise<PasswordLinkMail> {
  const { accountId, kind, email, language, invitedBy, account } = given
  const { theme, origin } = await findMailBrand(given, deps)
  const page = { origin, language: chooseMailLanguage(language), now: deps.clock.now() }
  const { link, address } = newActionLink(kind, given, page)
  const template = linkEmail({ kind, language, company: theme.companyName, address, invitedBy, account })
  const content = renderEmail(template, { theme, origin })
  const mailId = await deps.ids.next()
  return {
    link: (tx) => insertLink(tx, link),
    mail: { ...content, accountId, mailId, kind, to: email, uselessAt: link.expiresAt },
  }
}
