import { sql } from 'kysely'
import type { EpochMs } from '../clock/index.ts'
import { type Db, instant } from '../db/index.ts'

interface MailKey {
  readonly accountId: number
  readonly mailId: number
}

/** An email that was neither sent nor deleted. */
export interface WaitingMail extends MailKey {
  readonly kind: string
  readonly to: string
  readonly contentSealed: Buffer
  readonly createdAt: EpochMs
  readonly giveUpAt: EpochMs
}

export async function findMail(db: Db, { accountId, mailId }: MailKey): Promise<WaitingMail | undefined> {
  const row = await db.plain
    .selectFrom('mail_outbox')
    .select(['kind', 'recipient', 'content_sealed', 'created_at', 'give_up_at'])
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .executeTakeFirst()
  if (row === undefined || row.content_sealed === null) return undefined
  const { kind, recipient: to, content_sealed: contentSealed, created_at: createdAt, give_up_at: giveUpAt } = row
  return { accountId, mailId, kind, to, contentSealed, createdAt, giveUpAt }
}

const ofMail = (db: Db, { accountId, mailId }: MailKey) =>
  db.plain.updateTable('mail_outbox').where('account_id', '=', accountId).where('mail_id', '=', mailId)

export async function markSent(db: Db, mail: MailKey, now: EpochMs): Promise<void> {
  await ofMail(db, mail)
    .set({ content_sealed: null, failure: null, given_up_at: null, sent_at: instant(now) })
    .execute()
}

/** An email that another process has sent meanwhile stays sent. */
const ofUnsent = (db: Db, mail: MailKey) => ofMail(db, mail).where('sent_at', 'is', null)

export async function noteFailure(db: Db, mail: MailKey, failure: string): Promise<void> {
  await ofUnsent(db, mail).set({ failure }).execute()
}

export async function markAbandoned(
  db: Db,
  mail: MailKey,
  given: { readonly at: EpochMs; readonly failure: string; readonly keepsContent: boolean },
): Promise<void> {
  await ofUnsent(db, mail)
    .set({ failure: given.failure, given_up_at: instant(given.at) })
    .$if(!given.keepsContent, (update) => update.set({ content_sealed: null }))
    .execute()
}

/** Deletes the content of emails that are no longer useful, whatever happened to their jobs. */
export async function giveUpOverdue(db: Db, given: { readonly at: EpochMs; readonly failure: string }): Promise<void> {
  await sql`
    update mail_outbox set content_sealed = null, given_up_at = coalesce(given_up_at, ${instant(given.at)}),
           failure = coalesce(failure, ${given.failure})
     where content_sealed is not null and give_up_at <= ${instant(given.at)}`.execute(db.plain)
}

/** Deletes the rows of emails that were sent or given up before that time. */
export async function forgetOld(db: Db, before: EpochMs): Promise<void> {
  await db.plain
    .deleteFrom('mail_outbox')
    .where('created_at', '<', instant(before))
    .where('content_sealed', 'is', null)
    .execute()
}

/** The state of the outbox. */
export interface OutboxFigures {
  readonly waiting: number
  /** Of the email that has waited longest; 0 if none waits. */
  readonly longestWaitMs: number
  /** Since `since`. */
  readonly givenUp: number
}

export async function readFigures(db: Db, now: EpochMs, since: EpochMs): Promise<OutboxFigures> {
  const { rows } = await sql<{ waiting: number; oldest: number | null; given_up: number }>`
    select (select count(*)::int from mail_outbox where content_sealed is not null and given_up_at is null) as waiting,
           (select min(created_at) from mail_outbox where content_sealed is not null and given_up_at is null) as oldest,
           (select count(*)::int from mail_outbox where given_up_at > ${instant(since)}) as given_up`.execute(db.plain)
  const { waiting = 0, oldest = null, given_up: givenUp = 0 } = rows[0] ?? {}
  return { waiting, longestWaitMs: oldest === null ? 0 : Math.max(0, now - oldest), givenUp }
}
