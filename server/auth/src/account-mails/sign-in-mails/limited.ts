import type { Tx } from '@sightline/platform/db'
import type { NewMail } from '@sightline/platform/mail'
import { byRecipient, type MailRequestKind, recipientWaitS } from '@sightline/platform/mail-requests'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'

/** The recipient reached the limit for emails that others cause: 5 an hour, 20 a day. Nothing was written. */
export class TooManyMails extends Error {
  readonly retryAfterS: number
  constructor(retryAfterS: number) {
    super(`too many emails; the next one can be sent in ${retryAfterS} s`)
    this.retryAfterS = retryAfterS
  }
}

/** The kinds that other people can trigger, and could repeat without this limit. */
export interface LimitedMail extends NewMail {
  readonly kind: MailRequestKind
}

/** Queues emails, up to the limit for one address in an hour and a day. @throws TooManyMails */
export async function addLimited(
  tx: Tx,
  mails: readonly LimitedMail[],
  { outbox, clock }: Pick<SignInMailDeps, 'outbox' | 'clock'>,
): Promise<void> {
  for (const mail of mails.toSorted(byRecipient)) {
    const waitS = await recipientWaitS(tx, { to: mail.to, now: clock.now() })
    if (waitS !== undefined) throw new TooManyMails(waitS)
    await outbox.add(tx, mail)
  }
}
