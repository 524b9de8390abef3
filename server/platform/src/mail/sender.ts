import { type Clock, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, repeatUntil } from '../clock/index.ts'
import type { Db } from '../db/index.ts'
import type { Logger } from '../log/index.ts'
import type { Sealing } from '../sealing/index.ts'
import type { Deliver, DeliveryFailure } from './delivery.ts'
import { openContent } from './outbox.ts'
import { type ClaimedMail, claimMail, forgetOld, markFailed, markSent, tryLater } from './outbox-store.ts'
import { nextTryAt } from './retries.ts'

export interface SenderParts {
  /** Under the role `auth`. */
  readonly db: Db
  readonly sealing: Sealing
  readonly deliver: Deliver
  readonly clock: Clock
  readonly log: Logger
  /** How often it looks for mails; a second where left out. */
  readonly everyMs?: number
}

/** Longer than one delivery may take, so that no mail is tried by two at once. */
export const CLAIM_MS = 2 * MS_PER_MINUTE
/** Rows without content stay this long, for whoever asks whether a mail was sent. */
const REMEMBERED_MS = 30 * MS_PER_DAY

/**
 * Sends what is in the outbox until it is disposed. Several processes may: none tries a mail that another one has. One
 * that ends between handing a mail over and writing that down sends it again: at least once, under the same id.
 */
export function startMailSender(parts: SenderParts): AsyncDisposable {
  const { db, clock, log, everyMs = 1000 } = parts
  const closing = new AbortController()
  let forgottenAt = 0
  const round = async (): Promise<void> => {
    if (clock.now() - forgottenAt > MS_PER_HOUR) {
      await forgetOld(db, clock.now() - REMEMBERED_MS)
      forgottenAt = clock.now()
    }
    await sendDue(parts, closing.signal)
  }
  const sending = repeatUntil(closing.signal, everyMs, () =>
    round().catch((err: unknown) => log.warn({ err }, 'the outbox of mails cannot be read')),
  )
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await sending
    },
  }
}

/** Sends what is due, one after another, until nothing is left, no server answers, or the signal. */
export async function sendDue(parts: SenderParts, signal?: AbortSignal): Promise<void> {
  let last = await sendOne(parts)
  while (last === 'sent' && signal?.aborted !== true) last = await sendOne(parts)
}

/** Where no server answers, one mail is enough to learn that: the others wait for the next round. */
async function sendOne(parts: SenderParts): Promise<'sent' | 'none' | 'waiting'> {
  const { db, clock } = parts
  const now = clock.now()
  const mail = await claimMail(db, now, now + CLAIM_MS)
  if (mail === undefined) return 'none'
  if (now >= mail.giveUpAt) {
    await giveUp(mail, 'it was not sent in time', parts)
    return 'sent'
  }
  const failure = await attempt(mail, parts)
  if (failure !== undefined) return failed(mail, failure, parts)
  await markSent(db, mail, clock.now())
  parts.log.info({ mailId: mail.mailId, kind: mail.kind, tries: mail.tries }, 'a mail was handed over')
  return 'sent'
}

async function attempt(mail: ClaimedMail, { sealing, deliver }: SenderParts): Promise<DeliveryFailure | undefined> {
  try {
    const content = openContent(sealing, mail)
    const id = `${mail.accountId}.${mail.mailId}`
    const delivered = await deliver({ ...content, id, to: mail.to, date: mail.createdAt })
    return delivered.ok ? undefined : delivered.failure
  } catch (error) {
    // One mail that cannot be read or written must not keep the others.
    return { concerns: 'mail', reason: error instanceof Error ? error.message : 'unknown' }
  }
}

async function failed(
  mail: ClaimedMail,
  { concerns, reason }: DeliveryFailure,
  parts: SenderParts,
): Promise<'sent' | 'waiting'> {
  const { db, clock, log } = parts
  const { mailId, kind, tries, giveUpAt } = mail
  const at = concerns === 'never' ? undefined : nextTryAt({ tries, now: clock.now(), giveUpAt })
  if (at === undefined) await giveUp(mail, reason, parts)
  else {
    await tryLater(db, mail, { at, failure: reason })
    log.warn({ mailId, kind, tries, reason }, 'a mail could not be sent yet')
  }
  return concerns === 'server' ? 'waiting' : 'sent'
}

async function giveUp(mail: ClaimedMail, reason: string, { db, clock, log }: SenderParts): Promise<void> {
  await markFailed(db, mail, { at: clock.now(), failure: reason })
  const { mailId, kind, tries } = mail
  log.error({ mailId, kind, tries, reason }, 'a mail is given up')
}
