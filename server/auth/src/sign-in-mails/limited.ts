import { TooManyMails } from '@sightline/contract/auth-plane'
import type { Tx } from '@sightline/platform/db'
import { byRecipient, type NewMail, recipientWaitS } from '@sightline/platform/mail'
import type { SignInMailParts } from './index.ts'

/** Mails that somebody else than the reader causes, as often as that person likes were it not for the limit. */
const LIMITED_KINDS = ['invitation', 'reset', 'newEmail', 'emailChange', 'emailChangeNote'] as const

export interface LimitedMail extends NewMail {
  readonly kind: (typeof LIMITED_KINDS)[number]
}

/** Writes mails down to be sent, at most so many to one address in an hour and a day. @throws TooManyMails */
export async function addLimited(
  tx: Tx,
  mails: readonly LimitedMail[],
  { outbox, clock }: Pick<SignInMailParts, 'outbox' | 'clock'>,
): Promise<void> {
  for (const mail of mails.toSorted(byRecipient)) {
    const waitS = await recipientWaitS(tx, { to: mail.to, kinds: LIMITED_KINDS, now: clock.now() })
    if (waitS !== undefined) throw new TooManyMails(waitS)
    await outbox.add(tx, mail)
  }
}
