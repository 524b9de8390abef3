import { randomBytes } from 'node:crypto'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import { foldEmail } from '@sightline/contract/user-details'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { type LetterBrand, writeLetter } from '@sightline/platform/mail'
import { tokenSha256 } from '@sightline/platform/sessions'
import { addLimited, brandFor, languageFor, orOpenIn, type SignInMailParts } from '../sign-in-mails/index.ts'
import { askingLetter, EMAIL_CHANGE_PATH, ownerLetter } from './letter.ts'
import { findReader, saveChange } from './store.ts'

type Asked = Parameters<AuthPlane['askForNewEmail']>[0]

const LIFE_MS = 7 * MS_PER_DAY
const TOKEN_BYTES = 32

/**
 * Writes the question and its mails down in one transaction. The token is nowhere but in the mail to the present address,
 * which is sealed until it is sent. @throws TooManyMails
 */
export async function askForNewEmail(given: Asked, parts: SignInMailParts): Promise<void> {
  const { userId, accountId, email, newEmail, askedBy } = given
  const { db, ids, clock } = parts
  const brand = await brandFor(given, parts)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = clock.now() + LIFE_MS
  const letter = askingLetter({
    language: given.language,
    company: brand.theme.companyName,
    askedBy: askedBy.name,
    address: `${brand.origin}${EMAIL_CHANGE_PATH}${token}?lang=${languageFor(given.language)}`,
    orOpen: orOpenIn(given.language),
  })
  const question = { ...writeLetter(letter, brand), accountId, mailId: await ids.next(), to: email }
  const note = await noteToOwner(given, brand, parts)
  const mails = [{ ...question, kind: 'emailChange' as const, uselessAt: expiresAt }, ...note]
  await db.transaction(async (tx) => {
    await addLimited(tx, mails, parts)
    await saveChange(tx, {
      userId,
      accountId,
      tokenSha256: tokenSha256(token),
      oldEmailFolded: foldEmail(email),
      email: newEmail,
      emailFolded: foldEmail(newEmail),
      askedBy,
      expiresAt,
    })
  })
}

/** None where the owner is the one who is asked. */
async function noteToOwner(given: Asked, brand: LetterBrand, { db, ids }: SignInMailParts) {
  const { userId, accountId, askedBy } = given
  if (userId === accountId) return []
  const [owner, person] = await Promise.all([
    findReader(db, { accountId, userId: accountId }),
    findReader(db, { accountId, userId }),
  ])
  if (owner === undefined || person === undefined) return []
  const company = brand.theme.companyName
  const letter = ownerLetter({ language: owner.language, company, askedBy: askedBy.name, person: person.name })
  const mail = { ...writeLetter(letter, brand), accountId, mailId: await ids.next(), to: owner.email }
  return [{ ...mail, kind: 'emailChangeNote' as const }]
}
