import { type Clock, type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '../clock/index.ts'
import type { Db } from '../db/index.ts'
import type { EnvelopeEncryption } from '../envelope-encryption/index.ts'
import type { JobOutcome, JobTasks } from '../jobs/index.ts'
import type { Logger } from '../log/index.ts'
import { fail, ok } from '../result/index.ts'
import type { Deliver, DeliveryFailure } from './delivery.ts'
import { openContent } from './outbox.ts'
import {
  findMail,
  forgetOld,
  giveUpOverdue,
  markAbandoned,
  markSent,
  noteFailure,
  type WaitingMail,
} from './outbox-store.ts'

export interface MailTaskDeps {
  /** Under the role `auth`. */
  readonly db: Db
  readonly encryption: EnvelopeEncryption
  readonly deliver: Deliver
  readonly clock: Clock
  readonly log: Logger
}

/** Rows without content stay this long, to show whether an email was sent. */
const REMEMBERED_MS = 30 * MS_PER_DAY
/** If no server answers, one email per this interval is enough to learn when it does. */
const SERVER_PAUSE_MS = 10 * MS_PER_SECOND
const NOT_IN_TIME = 'not sent in time'

/**
 * Sends the emails of the outbox, each with its own job. A process that ends between handing an email over and
 * recording that sends it again: at least once, with the same id.
 */
export function mailTasks(deps: MailTaskDeps): JobTasks {
  const { db, clock } = deps
  let serverAwayUntil: EpochMs = 0
  const send = async (mail: WaitingMail): Promise<JobOutcome> => {
    const now = clock.now()
    if (now >= mail.giveUpAt) return giveUp(deps, mail)
    if (now < serverAwayUntil) {
      return fail({ reason: 'the mail server is not responding', retry: { kind: 'postponed', at: serverAwayUntil } })
    }
    const failure = await attempt(mail, deps)
    if (failure === undefined) {
      await markSent(db, mail, clock.now())
      deps.log.info({ mailId: mail.mailId, kind: mail.kind }, 'email sent')
      return ok(undefined)
    }
    if (failure.concerns === 'server') serverAwayUntil = clock.now() + SERVER_PAUSE_MS
    return failed(deps, mail, failure)
  }
  return {
    sendMail: {
      async run(of) {
        const mail = await findMail(db, of)
        return mail === undefined ? ok(undefined) : send(mail)
      },
    },
    forgetMails: {
      everyMs: MS_PER_HOUR,
      async run() {
        await giveUpOverdue(db, { at: clock.now(), failure: NOT_IN_TIME })
        await forgetOld(db, clock.now() - REMEMBERED_MS)
        return ok(undefined)
      },
    },
  }
}

async function attempt(mail: WaitingMail, { encryption, deliver }: MailTaskDeps): Promise<DeliveryFailure | undefined> {
  try {
    const content = openContent(encryption, mail)
    const id = `${mail.accountId}.${mail.mailId}`
    const delivered = await deliver({ ...content, id, to: mail.to, date: mail.createdAt })
    return delivered.ok ? undefined : delivered.failure
  } catch (error) {
    return { concerns: 'mail', reason: error instanceof Error ? error.message : 'unknown' }
  }
}

async function failed(
  { db, clock, log }: MailTaskDeps,
  mail: WaitingMail,
  failure: DeliveryFailure,
): Promise<JobOutcome> {
  const { reason } = failure
  const { mailId, kind } = mail
  if (failure.concerns !== 'never') {
    await noteFailure(db, mail, reason)
    log.warn({ mailId, kind, reason }, 'could not send an email; retrying')
    return fail({ reason, retry: { kind: 'backoff' } })
  }
  // Its content stays while it is of use: the rejection may be about the sender, and an administrator has it sent again.
  await markAbandoned(db, mail, { at: clock.now(), failure: reason, keepsContent: true })
  log.error({ mailId, kind, reason }, 'email not delivered; no more retries')
  return fail({ reason, retry: { kind: 'never' } })
}

async function giveUp({ db, clock, log }: MailTaskDeps, mail: WaitingMail): Promise<JobOutcome> {
  await markAbandoned(db, mail, { at: clock.now(), failure: NOT_IN_TIME, keepsContent: false })
  log.error({ mailId: mail.mailId, kind: mail.kind, reason: NOT_IN_TIME }, 'email not delivered; no more retries')
  return ok(undefined)
}
