import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A deleted user. If the id is the account's, the whole account was deleted. */
export interface Erasure {
  readonly userId: number
  readonly accountId: number
  readonly removedAt: number
  readonly isSignInErased: boolean
  /** The log's personal values are due to be erased and haven't been. */
  readonly isLogDue: boolean
}

/** Users with data still to erase, by id, after the given one. */
export async function erasuresToDo(
  db: Db,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<readonly Erasure[]> {
  const { rows } = await sql<{
    user_id: number
    account_id: number
    removed_at: number
    is_sign_in_erased: boolean
    is_log_due: boolean
  }>`
    select user_id, account_id, removed_at, sign_in_erased_at is not null as is_sign_in_erased,
           log_erased_at is null and erase_after <= now() as is_log_due
      from erasures
     where (sign_in_erased_at is null or (log_erased_at is null and erase_after <= now())) and user_id > ${after}
     order by user_id limit ${most}`.execute(db.plain)
  return rows.map((row) => ({
    userId: row.user_id,
    accountId: row.account_id,
    removedAt: row.removed_at,
    isSignInErased: row.is_sign_in_erased,
    isLogDue: row.is_log_due,
  }))
}

export async function markErased(
  db: Db,
  userId: number,
  what: { readonly column: 'sign_in_erased_at' | 'log_erased_at'; readonly at: number },
): Promise<void> {
  await db.plain
    .updateTable('erasures')
    .set({ [what.column]: instant(what.at) })
    .where('user_id', '=', userId)
    .where(what.column, 'is', null)
    .execute()
}

/** Entries per statement, which locks their rows for some milliseconds. */
const LINES_AT_ONCE = 2000

/** Which entries: all of an account's log, or those about a user in any log. */
export type EntrySelection = { readonly accountId: number } | { readonly aboutUserId: number }

/** The last processed entry; entries are processed in the order of their ids. */
export interface LogCursor {
  readonly accountId: number
  readonly auditLogId: number
}

export const LOG_BEGIN: LogCursor = { accountId: 0, auditLogId: 0 }

/**
 * Removes the personal values from some signed entries (docs/design/audit-log.md); undefined after the last ones.
 * Unsigned entries are left, because their commitments must match their values.
 */
export async function eraseEntries(db: Db, of: EntrySelection, after: LogCursor): Promise<LogCursor | undefined> {
  const { rows } = await sql<{ account_id: number; audit_log_id: number }>`
    with found as materialized (
      select l.account_id, l.audit_log_id from audit_log l
       where ${which(of)} and (l.account_id, l.audit_log_id) > (${after.accountId}, ${after.auditLogId})
         and l.salt is not null
         and exists (select from audit_chain c where c.account_id = l.account_id and c.audit_log_id = l.audit_log_id)
       order by l.account_id, l.audit_log_id limit ${LINES_AT_ONCE}
    ), erased as (
      update audit_log l set actor_name = null, before = null, after = null, address = null, salt = null
        from found f where l.account_id = f.account_id and l.audit_log_id = f.audit_log_id
    )
    select account_id, audit_log_id from found order by account_id desc, audit_log_id desc limit 1`.execute(db.plain)
  const [last] = rows
  return last === undefined ? undefined : { accountId: last.account_id, auditLogId: last.audit_log_id }
}

const which = (of: EntrySelection) =>
  'accountId' in of
    ? sql`l.account_id = ${of.accountId}`
    : sql`l.target_kind in ('user', 'account') and l.target_id = ${of.aboutUserId}`

/** Whether entries with personal values are left. */
export async function hasLinesLeft(db: Db, of: EntrySelection): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
    select exists (select from audit_log l where ${which(of)} and l.salt is not null) as left`.execute(db.plain)
  return rows[0]?.left === true
}

/**
 * Removes emails of a deleted account, except the one about its deletion until it is sent. Returns whether some are
 * left.
 */
export async function eraseMails(db: Db, accountId: number): Promise<boolean> {
  await sql`
    delete from mail_outbox where account_id = ${accountId}
       and (sent_at is not null or given_up_at is not null or kind <> 'deletionDone')`.execute(db.plain)
  const { rows } = await sql<{ left: boolean }>`
    select exists (select from mail_outbox where account_id = ${accountId}) as left`.execute(db.plain)
  return rows[0]?.left === true
}
