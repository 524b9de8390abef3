import type { EpochMs } from '@sightline/platform/clock'
import { type Db, type IdSource, instant, isUniqueViolation, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** Gives the change that waits its token; answers until when it may be confirmed, undefined where none waits for one. */
export async function giveToken(
  tx: Tx,
  of: { readonly userId: number; readonly accountId: number; readonly tokenSha256: Buffer },
): Promise<EpochMs | undefined> {
  const row = await tx
    .updateTable('email_changes')
    .set({ token_sha256: of.tokenSha256 })
    .where('user_id', '=', of.userId)
    .where('account_id', '=', of.accountId)
    .where('token_sha256', 'is', null)
    .returning('expires_at')
    .executeTakeFirst()
  return row?.expires_at
}

/** A change that can be confirmed at this moment. */
export interface LiveChange {
  readonly userId: number
  readonly accountId: number
  readonly resellerId: number
  readonly language: string
  readonly email: string
  readonly newEmail: string
  readonly askedBy: string
}

/** The change of that token, unless it is over by its time, or by what became of the user meanwhile. */
export async function findChange(db: Db, tokenSha256: Buffer, now: EpochMs): Promise<LiveChange | undefined> {
  const row = await db.plain
    .selectFrom('email_changes as c')
    .innerJoin('auth.people as p', (on) =>
      on
        .onRef('p.user_id', '=', 'c.user_id')
        .onRef('p.account_id', '=', 'c.account_id')
        .onRef('p.email_folded', '=', 'c.old_email_folded'),
    )
    .select(['c.user_id', 'c.account_id', 'c.email as new_email', 'c.asked_by_name'])
    .select(['p.reseller_id', 'p.language', 'p.email'])
    .where('c.token_sha256', '=', tokenSha256)
    .where('c.expires_at', '>', instant(now))
    .where('p.barred', '=', false)
    .where('p.is_staff', '=', false)
    .executeTakeFirst()
  if (row === undefined || row.reseller_id === null) return undefined
  return {
    userId: row.user_id,
    accountId: row.account_id,
    resellerId: row.reseller_id,
    language: row.language,
    email: row.email,
    newEmail: row.new_email,
    askedBy: row.asked_by_name,
  }
}

/** Gives the user the new address and uses the token up; false where it is over. Fails with {@link isTaken}. */
export async function moveEmail(tx: Tx, tokenSha256: Buffer, now: EpochMs): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select auth.move_email(${tokenSha256}, ${instant(now)}) as moved`.execute(tx)
  return rows[0]?.moved === true
}

/** Another user of the same reseller has the address. */
export const isTaken = (error: unknown): boolean => isUniqueViolation(error, 'users_reseller_id_email_folded_key')

/** Takes the question away; of several who answer at once, one gets true. */
export async function removeChange(tx: Tx, tokenSha256: Buffer): Promise<boolean> {
  const gone = await tx
    .deleteFrom('email_changes')
    .where('token_sha256', '=', tokenSha256)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
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

export interface Reader {
  readonly name: string
  readonly email: string
  readonly language: string
}

/** A user of the account; undefined where there is none. */
export async function findReader(
  db: Db,
  of: { readonly accountId: number; readonly userId: number },
): Promise<Reader | undefined> {
  return db.plain
    .selectFrom('auth.people')
    .select(['name', 'email', 'language'])
    .where('account_id', '=', of.accountId)
    .where('user_id', '=', of.userId)
    .executeTakeFirst()
}
