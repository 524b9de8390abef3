import { z } from 'zod'
import { type Clock, type EpochMs, MS_PER_DAY } from '../clock/index.ts'
import { instant, type Tx } from '../db/index.ts'
import type { EnvelopeEncryption } from '../envelope-encryption/index.ts'
import { enqueue } from '../jobs/index.ts'
import { headerText, isMailAddress } from './address.ts'
import type { MailContent } from './delivery.ts'

/** How long an email is retried, unless it expires earlier. */
const LONGEST_TRYING_MS = MS_PER_DAY

export interface NewMail extends MailContent {
  readonly accountId: number
  /** From the id source, taken before the transaction. */
  readonly mailId: number
  /** The subject, for readers of the log. */
  readonly kind: string
  readonly to: string
  /** When it expires; retries end after 24 hours in any case. */
  readonly uselessAt?: EpochMs
}

export interface MailOutbox {
  /**
   * Queues an email in the transaction of its event: both are written, or neither. Its content is encrypted until it is
   * sent.
   *
   * @throws if the address is invalid; callers check users' input.
   */
  add(tx: Tx, mail: NewMail): Promise<void>
}

const content = z.object({
  senderName: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  language: z.string(),
  pictures: z.array(
    z.object({ name: z.string(), type: z.enum(['image/png', 'image/jpeg', 'image/gif']), base64: z.string() }),
  ),
})

const getEncryptionContext = (mail: { readonly accountId: number; readonly mailId: number }) => ({
  accountId: mail.accountId,
  table: 'mail_outbox',
  row: mail.mailId,
  column: 'content_sealed',
})

/** The outbox, for a role that may write that kind of email to it. */
export const mailOutbox = (encryption: EnvelopeEncryption, clock: Clock): MailOutbox => ({
  async add(tx, mail) {
    if (!isMailAddress(mail.to)) throw new Error(`email ${mail.mailId}: the recipient's address is not valid`)
    const { senderName, subject, text, html, language, pictures } = mail
    const written = { senderName: headerText(senderName), subject: headerText(subject), text, html, language, pictures }
    const now = clock.now()
    await tx
      .insertInto('mail_outbox')
      .values({
        account_id: mail.accountId,
        mail_id: mail.mailId,
        kind: mail.kind,
        recipient: mail.to,
        content_sealed: encryption.seal(getEncryptionContext(mail), JSON.stringify(written)),
        created_at: instant(now),
        give_up_at: instant(Math.min(now + LONGEST_TRYING_MS, mail.uselessAt ?? Number.POSITIVE_INFINITY)),
      })
      .execute()
    const { accountId, mailId } = mail
    await enqueue(tx, { task: 'sendMail', payload: { accountId, mailId }, jobKey: `${accountId}.${mailId}` })
  },
})

/**
 * The content of an email in the outbox.
 *
 * @throws if it was changed or moved.
 */
export const openContent = (
  encryption: EnvelopeEncryption,
  mail: { readonly accountId: number; readonly mailId: number; readonly contentSealed: Buffer },
): MailContent => content.parse(JSON.parse(encryption.open(getEncryptionContext(mail), mail.contentSealed)))
