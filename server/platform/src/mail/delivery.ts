import type { EpochMs } from '../clock/index.ts'
import type { Result } from '../result/index.ts'

/** The readable content. */
export interface MailContent {
  /** The brand's company name; the address is the installation's. */
  readonly senderName: string
  readonly subject: string
  readonly text: string
  /** A whole document. */
  readonly html: string
  /** BCP 47. */
  readonly language: string
  /** Pictures that the document names `cid:<name>`. */
  readonly pictures: readonly MailPicture[]
}

export interface MailPicture {
  readonly name: string
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif'
  readonly base64: string
}

export interface Mail extends MailContent {
  /** The same at every try, so that a duplicate email can be recognized. */
  readonly id: string
  readonly to: string
  /** When it was written. */
  readonly date: EpochMs
}

/** Why the email couldn't be handed over. Never contains a secret or the email's content. */
export interface DeliveryFailure {
  /** `server`: no email can be sent now; `mail`: this one can be retried; `never`: this one is refused permanently. */
  readonly concerns: 'server' | 'mail' | 'never'
  readonly reason: string
}

/** Hands an email over; ends within a minute or two in any case. */
export type Deliver = (mail: Mail) => Promise<Result<undefined, DeliveryFailure>>
