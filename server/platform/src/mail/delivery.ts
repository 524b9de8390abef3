import type { EpochMs } from '../clock/index.ts'
import type { Result } from '../result/index.ts'

/** What a person gets to read. */
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
  /** The same at every try, so that a mail that came twice can be told. */
  readonly id: string
  readonly to: string
  /** When it was written. */
  readonly date: EpochMs
}

/** Why it could not be handed over. Never holds a secret, nor what is in the mail. */
export interface DeliveryFailure {
  /** `server`: nobody's mail goes at this moment; `mail`: this one, later; `never`: this one is refused for good. */
  readonly concerns: 'server' | 'mail' | 'never'
  readonly reason: string
}

/** Hands a mail over; ends by itself within a minute or two. */
export type Deliver = (mail: Mail) => Promise<Result<undefined, DeliveryFailure>>
