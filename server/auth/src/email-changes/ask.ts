import { randomBytes } from 'node:crypto'
import type { Tx } from '@sightline/platform/db'
import { writeLetter } from '@sightline/platform/mail'
import { tokenSha256 } from '@sightline/platform/sessions'
import { brandFor, languageFor, orOpenIn, type SignInMailParts } from '../sign-in-mails/index.ts'
import { askingLetter, EMAIL_CHANGE_PATH, ownerLetter } from './letter.ts'
import { findReader, giveToken } from './store.ts'

const TOKEN_BYTES = 32

interface Asked {
  readonly userId: number
  readonly accountId: number
  readonly mailId: number
  readonly resellerId: number | undefined
  readonly host: string
  /** The name of who asks. */
  readonly askedBy: string
  readonly to: string
  /** Of the user. */
  readonly name: string
  readonly language: string
}

/**
 * Asks whether a user may have the address that waits, in a mail to the present one. Nothing is written where none waits any
 * more.
 */
export async function questionMail(asked: Asked, parts: SignInMailParts): Promise<(tx: Tx) => Promise<void>> {
  const { userId, accountId, mailId, to, language, askedBy } = asked
  const brand = await brandFor(asked, parts)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const letter = askingLetter({
    language,
    company: brand.theme.companyName,
    askedBy,
    address: `${brand.origin}${EMAIL_CHANGE_PATH}${token}?lang=${languageFor(language)}`,
    orOpen: orOpenIn(language),
  })
  const mail = { ...writeLetter(letter, brand), accountId, mailId, to, kind: 'emailChange' }
  return async (tx) => {
    const expiresAt = await giveToken(tx, { userId, accountId, tokenSha256: tokenSha256(token) })
    if (expiresAt !== undefined) await parts.outbox.add(tx, { ...mail, uselessAt: expiresAt })
  }
}

/** Tells the owner of the account that a user was asked. */
export async function noteToOwner(asked: Asked, parts: SignInMailParts): Promise<(tx: Tx) => Promise<void>> {
  const { accountId, mailId, to, askedBy, name: person } = asked
  const brand = await brandFor(asked, parts)
  const owner = await findReader(parts.db, { accountId, userId: accountId })
  const { language } = owner ?? asked
  const letter = ownerLetter({ language, company: brand.theme.companyName, askedBy, person })
  const mail = { ...writeLetter(letter, brand), accountId, mailId, to, kind: 'emailChangeNote' }
  return (tx) => parts.outbox.add(tx, mail)
}
