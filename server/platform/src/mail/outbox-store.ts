import { sql } from 'kysely'
import type { EpochMs } from '../clock/index.ts'
import { type Db, instant } from '../db/index.ts'

/** A mail that this process alone tries to send, until `next_try_at`. */
export interface ClaimedMail {
  readonly accountId: number
  readonly mailId: number
  readonly kind: string
  readonly to: string
  readonly contentSealed: Buffer
  readonly createdAt: EpochMs
  readonly giveUpAt: EpochMs
  /** This one counted. */
  readonly tries: number
}

/**
 * Takes the mail that waits longest, for itself until `until`; others skip it meanwhile. Who ends without settling it,
 * lets it go by that time passing, and it is tried again.
 */
export async function claimMail(db: Db, now: EpochMs, until: EpochMs): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<{
    account_id: number
    mail_id: number
    kind: string
    recipient: string
    content_sealed: Buffer
    created_at: number
    give_up_at: number
    tries: number
  }>`
    update mail_outbox set tries = tries + 1, next_try_at = ${instant(until)}
     where (account_id, mail_id) = (
       select account_id, mail_id from mail_outbox where next_try_at <= ${instant(now)}
        order by next_try_at limit 1 for update skip locked)
    returning account_id, mail_id, kind, recipient, content_sealed, created_at, give_up_at, tries`.execute(db.plain)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    accountId: row.account_id,
    mailId: row.mail_id,
    kind: row.kind,
    to: row.recipient,
    contentSealed: row.content_sealed,
    createdAt: row.created_at,
    giveUpAt: row.give_up_at,
    tries: row.tries,
  }
}

type MailKey = Pick<ClaimedMail, 'accountId' | 'mailId'>

const ofMail = (db: Db, { accountId, mailId }: MailKey) =>
  db.plain.updateTable('mail_outbox').where('account_id', '=', accountId).where('mail_id', '=', mailId)

export async function markSent(db: Db, mail: MailKey, now: EpochMs): Promise<void> {
  await ofMail(db, mail)
    .set({ content_sealed: null, next_try_at: null, failure: null, sent_at: instant(now) })
    .execute()
}

export async function markFailed(db: Db, mail: MailKey, given: { at: EpochMs; failure: string }): Promise<void> {
  const { at, failure } = given
  await ofMail(db, mail)
    .set({ content_sealed: null, next_try_at: null, failure, given_up_at: instant(at) })
    .execute()
}

/** A claim that was lost to somebody who has sent it meanwhile changes nothing. */
export async function tryLater(db: Db, mail: MailKey, given: { at: EpochMs; failure: string }): Promise<void> {
  await ofMail(db, mail)
    .set({ next_try_at: instant(given.at), failure: given.failure })
    .where('content_sealed', 'is not', null)
    .execute()
}

/** Forgets what was sent or given up before that time. */
export async function forgetOld(db: Db, before: EpochMs): Promise<void> {
  await db.plain
    .deleteFrom('mail_outbox')
    .where('created_at', '<', instant(before))
    .where('next_try_at', 'is', null)
    .execute()
}

/** How the outbox stands. */
export interface OutboxFigures {
  readonly waiting: number
  /** Of the one that waits longest; 0 where none does. */
  readonly longestWaitMs: number
  /** Since `since`. */
  readonly givenUp: number
}

export async function readFigures(db: Db, now: EpochMs, since: EpochMs): Promise<OutboxFigures> {
  const { rows } = await sql<{ waiting: number; oldest: number | null; given_up: number }>`
    select (select count(*)::int from mail_outbox where next_try_at is not null) as waiting,
           (select min(created_at) from mail_outbox where next_try_at is not null) as oldest,
           (select count(*)::int from mail_outbox where given_up_at > ${instant(since)}) as given_up`.execute(db.plain)
  const { waiting = 0, oldest = null, given_up: givenUp = 0 } = rows[0] ?? {}
  return { waiting, longestWaitMs: oldest === null ? 0 : Math.max(0, now - oldest), givenUp }
}
