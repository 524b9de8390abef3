import type { Clock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import type { TestDatabase } from '@sightline/platform/db-testing'
import { runJobs } from '@sightline/platform/jobs/testing'
import { type MailRequest, requestMail } from '@sightline/platform/mail-requests'
import { TooManyMails } from './account-mails/sign-in-mails/index.ts'
import type { Auth } from './index.ts'

export type MailRequestCall = MailRequest & {
  readonly host: string
  /** The requester. */
  readonly by: string
  /** Of the user from now on. */
  readonly language?: string
}

/**
 * Requests an email like the API, in a transaction of the account; its job is done when this resolves. @throws
 * TooManyMails
 */
export async function askForMail(
  mail: MailRequestCall,
  to: { readonly database: TestDatabase; readonly auth: Pick<Auth, 'tasks'>; readonly clock: Clock },
): Promise<void> {
  const { database, auth, clock } = to
  const { host, by, language, ...request } = mail
  const { accountId, userId } = request
  if (language !== undefined) {
    await database.db('owner').plain.updateTable('users').set({ language }).where('user_id', '=', userId).execute()
  }
  const app = database.db('app')
  const mailId = await idSource(app).next()
  const requester = { userId: 900, name: by, host }
  const waitS = await app.inTenant({ accountId, userId }, (tx) =>
    requestMail(tx, { mailId, request, by: requester, at: clock.now() }),
  )
  if (waitS !== undefined) throw new TooManyMails(waitS)
  await runJobs(database.connection, auth.tasks)
}
