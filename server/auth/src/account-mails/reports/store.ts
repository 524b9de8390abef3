import { isUniqueViolation } from '@sightline/platform/db'
import type { NewMail } from '@sightline/platform/mail'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'

/** Writes a mail down to be sent, unless one with its number was: a schedule that is run again tells nobody twice. */
export async function addOnce(mail: NewMail, { db, outbox }: Pick<SignInMailDeps, 'db' | 'outbox'>): Promise<void> {
  try {
    await db.transaction((tx) => outbox.add(tx, mail))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
}
