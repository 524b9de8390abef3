import type { Tx } from '@sightline/platform/db'
import { renderEmail } from '@sightline/platform/mail'
import {
  chooseMailLanguage,
  findMailBrand,
  getOpenLinkText,
  type SignInMailDeps,
} from '../../people/email-templates/index.ts'
import { insertLink, listLinks, newActionLink } from '../action-links/index.ts'
import { confirmationEmail, ownerEmail } from './email.ts'
import { findReader, holdChange } from './store.ts'

interface Asked {
  readonly userId: number
  readonly accountId: number
  readonly mailId: number
  readonly resellerId: number | undefined
  readonly host: string
  /** The name of the requester. */
  readonly askedBy: string
  readonly to: string
  /** Of the user. */
  readonly name: string
  readonly email: string
  readonly language: string
}

/**
 * Asks for confirmation of the pending address with an email to the current one. Does nothing if no change is pending,
 * it was already asked, or the pending change now needs confirmation from another address.
 */
export async function questionMail(asked: Asked, deps: SignInMailDeps): Promise<(tx: Tx) => Promise<void>> {
  const { accountId, mailId, to, language, askedBy } = asked
  const brand = await findMailBrand(asked, deps)
  const page = { origin: brand.origin, language: chooseMailLanguage(language), now: deps.clock.now() }
  const { link, address } = newActionLink('emailChange', { ...asked, email: to }, page)
  const template = confirmationEmail({
    language,
    company: brand.theme.companyName,
    askedBy,
    address,
    orOpen: getOpenLinkText(language),
  })
  const mail = { ...renderEmail(template, brand), accountId, mailId, to, kind: 'emailChange' }
  return async (tx) => {
    const change = await holdChange(tx, link)
    if (change?.oldEmailFolded !== link.emailFolded) return
    const { expiresAt } = change
    const before = await listLinks(tx, { userId: link.userId, kinds: ['emailChange'] })
    if (before.length > 0) return
    await insertLink(tx, { ...link, expiresAt })
    await deps.outbox.add(tx, { ...mail, uselessAt: expiresAt })
  }
}

/** Notifies the account's owner that a user was asked. */
export async function noteToOwner(asked: Asked, deps: SignInMailDeps): Promise<(tx: Tx) => Promise<void>> {
  const { accountId, mailId, to, askedBy, name: person } = asked
  const brand = await findMailBrand(asked, deps)
  const owner = await findReader(deps.db, { accountId, userId: accountId })
  const { language } = owner ?? asked
  const template = ownerEmail({ language, company: brand.theme.companyName, askedBy, person })
  const mail = { ...renderEmail(template, brand), accountId, mailId, to, kind: 'emailChangeNote' }
  return (tx) => deps.outbox.add(tx, mail)
}
