import type { AuthPlane } from '@sightline/contract/auth-plane'
import { isUniqueViolation } from '@sightline/platform/db'
import { writeLetter } from '@sightline/platform/mail'
import { brandFor, type SignInMailParts } from '../sign-in-mails/index.ts'
import { reportLetter } from './letter.ts'

/** Tells whoever wanted a report that it is there. Not limited as other mails are: only the reader causes it. */
export async function tellOfReport(
  given: Parameters<AuthPlane['tellOfReport']>[0],
  parts: SignInMailParts,
): Promise<void> {
  const { accountId, reportId, email: to, ...about } = given
  const { theme, origin } = await brandFor(given, parts)
  const address = `${origin}/app/reports/${reportId}`
  const letter = reportLetter({ ...about, company: theme.companyName, address })
  const mail = { ...writeLetter(letter, { theme, origin }), accountId, mailId: reportId, kind: 'report', to }
  try {
    await parts.db.transaction((tx) => parts.outbox.add(tx, mail))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
}
