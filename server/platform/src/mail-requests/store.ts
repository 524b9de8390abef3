import { foldEmail } from '@sightline/contract/user-details'
import { sql } from 'kysely'
import { type EpochMs, MS_PER_DAY } from '../clock/index.ts'
import { instant, type Tx } from '../db/index.ts'
import type { NewMailRequest } from './index.ts'

/** How long a change of address may be confirmed. */
const CHANGE_LIFE_MS = 7 * MS_PER_DAY

export async function insertRequest(tx: Tx, { mailId, request, by, at }: NewMailRequest): Promise<void> {
  const { kind, accountId, userId, to } = request
  const row = {
    account_id: accountId,
    mail_id: mailId,
    kind,
    user_id: userId,
    recipient: to,
    host: by.host,
    asked_by_name: by.name,
    requested_at: new Date(at).toISOString(),
  }
  const change =
    request.kind === 'emailChange'
      ? {
          new_email: request.newEmail,
          new_email_folded: foldEmail(request.newEmail),
          asked_by: by.userId,
          expires_at: new Date(at + CHANGE_LIFE_MS).toISOString(),
        }
      : {}
  await sql`select request_mail(${JSON.stringify({ ...row, ...change })}::jsonb)`.execute(tx)
}

/**
 * When limited emails to that address were written or requested, newest first. Locks the address until the transaction
 * ends.
 */
export async function listLimitedMails(tx: Tx, to: string, since: EpochMs): Promise<readonly EpochMs[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails to ${to.toLowerCase()}`}, 0))`.execute(tx)
  const { rows } = await sql<{ at: EpochMs }>`select at from limited_mails_to(${to}, ${instant(since)}) at`.execute(tx)
  return rows.map(({ at }) => at)
}
