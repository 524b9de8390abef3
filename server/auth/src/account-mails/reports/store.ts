import { isUniqueViolation } from '@sightline/platform/db'
import type { NewMail } from '@sightline/platform/mail'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'

/** Queues an email unless its number is already queued, so that a schedule that runs again sends no second email. */
export async function addOnce(mail: NewMail, { db, outbox }: Pick<SignInMailDeps, 'db' | 'outbox'>): Promise<void> {
  try {
    await db.transaction((tx) => outbox.add(tx, mail))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
}
