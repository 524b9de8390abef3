import type { EpochMs } from '@sightline/platform/clock'
import { type Db, type IdSource, instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

interface WhoseChange {
  readonly userId: number
  readonly accountId: number
}

/** A change as it waits. */
interface HeldChange {
  /** The address that is asked. */
  readonly oldEmailFolded: string
  readonly expiresAt: EpochMs
}

/** The pending change, locked until the transaction ends. Its link ends with it (trigger `end_email_change_link`). */
export async function holdChange(tx: Tx, { userId, accountId }: WhoseChange): Promise<HeldChange | undefined> {
  const row = await tx
    .selectFrom('email_changes')
    .select(['old_email_folded', 'expires_at'])
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { oldEmailFolded: row.old_email_folded, expiresAt: row.expires_at }
}

/** A change that can be confirmed now. */
export interface LiveChange {
  readonly userId: number
  readonly accountId: number
  readonly resellerId: number
  readonly language: string
  readonly email: string
  readonly newEmail: string
  readonly askedBy: string
}

/** The user's pending change; undefined if the user has another address by now. */
export async function findChange(db: Db, { userId, accountId }: WhoseChange): Promise<LiveChange | undefined> {
  const row = await db.plain
    .selectFrom('email_changes as c')
    .innerJoin('auth.people as p', (on) =>
      on
        .onRef('p.user_id', '=', 'c.user_id')
        .onRef('p.account_id', '=', 'c.account_id')
        .onRef('p.email_folded', '=', 'c.old_email_folded'),
    )
    .select(['c.email as new_email', 'c.asked_by_name'])
    .select(['p.reseller_id', 'p.language', 'p.email'])
    .where('c.user_id', '=', userId)
    .where('c.account_id', '=', accountId)
    .where('p.is_staff', '=', false)
    .executeTakeFirst()
  if (row === undefined || row.reseller_id === null) return undefined
  return {
    userId,
    accountId,
    resellerId: row.reseller_id,
    language: row.language,
    email: row.email,
    newEmail: row.new_email,
    askedBy: row.asked_by_name,
  }
}

/** Sets the new address and uses the token up; false if it has expired. Fails with {@link isTaken}. */
export async function moveEmail(tx: Tx, tokenSha256: Buffer, now: EpochMs): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select auth.move_email(${tokenSha256}, ${instant(now)}) as moved`.execute(tx)
  return rows[0]?.moved === true
}

/** Another user of the same reseller has the address. */
export const isTaken = (error: unknown): boolean => isUniqueViolation(error, 'users_reseller_id_email_folded_key')

/** Deletes the pending change. */
export async function removeChange(tx: Tx, { userId }: Pick<WhoseChange, 'userId'>): Promise<void> {
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}

/** A line in the log of the account: the user answered, and who had asked. */
export async function appendAnswer(
  tx: Tx,
  ids: IdSource,
  line: {
    readonly change: LiveChange
    readonly action: 'emailChangeConfirmed' | 'emailChangeRefused'
    readonly address: string
  },
): Promise<void> {
  const { change, action, address } = line
  const { userId, accountId, email, newEmail, askedBy } = change
  await tx
    .insertInto('audit_log')
    .values({
      account_id: accountId,
      audit_log_id: await ids.next(),
      user_id: userId,
      actor_name: sql<string>`(select name from auth.people where user_id = ${userId} and account_id = ${accountId})`,
      action,
      target_kind: 'user',
      target_id: userId,
      before: JSON.stringify({ email, pendingEmail: newEmail, askedBy }),
      after: JSON.stringify({ email: action === 'emailChangeConfirmed' ? newEmail : email, pendingEmail: null }),
      address,
    })
    .execute()
}

export interface EmailRecipient {
  readonly name: string
  readonly email: string
  readonly language: string
}

/** A user of the account, or undefined. */
export async function findReader(
  db: Db,
  of: { readonly accountId: number; readonly userId: number },
): Promise<EmailRecipient | undefined> {
  return db.plain
    .selectFrom('auth.people')
    .select(['name', 'email', 'language'])
    .where('account_id', '=', of.accountId)
    .where('user_id', '=', of.userId)
    .executeTakeFirst()
}
