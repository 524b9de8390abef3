import type { EpochMs } from '../clock/index.ts'
import type { Tx } from '../db/index.ts'
import { recipientWaitS } from './recipient-limit.ts'
import { insertRequest } from './store.ts'

export { byRecipient, RECIPIENT_LIMITS, recipientWaitS } from './recipient-limit.ts'

/** An email about a user's sign-in that is requested by a plane other than the authorization server. */
export type MailRequest = {
  readonly accountId: number
  readonly userId: number
  /** The address, which has been checked. */
  readonly to: string
} & (
  | {
      /**
       * `invitation` and `reset` bring a link by which a password is set; an earlier one of the kind ends. `newEmail` says at the
       * address that a user had that there is another. `emailChangeNote` says to the owner that a user was asked.
       */
      readonly kind: 'invitation' | 'reset' | 'newEmail' | 'emailChangeNote'
    }
  | {
      /** Asks at the present address whether the user may have another one. What was asked before ends. */
      readonly kind: 'emailChange'
      readonly newEmail: string
    }
)

export type MailRequestKind = MailRequest['kind']

/** Who requests an email, and on which host: its brand is used if it is the user's own. */
export interface MailRequester {
  readonly userId: number
  readonly name: string
  readonly host: string
}

export interface NewMailRequest {
  /** Of the email. */
  readonly mailId: number
  readonly request: MailRequest
  readonly by: MailRequester
  readonly at: EpochMs
}

/**
 * Requests an email in the transaction of the change that it reports. A job of the authorization server creates the
 * link and writes the email. Returns the seconds to wait, without a request, if that address got too many emails
 * lately.
 */
export async function requestMail(tx: Tx, given: NewMailRequest): Promise<number | undefined> {
  const waitS = await recipientWaitS(tx, { to: given.request.to, now: given.at })
  if (waitS === undefined) await insertRequest(tx, given)
  return waitS
}
