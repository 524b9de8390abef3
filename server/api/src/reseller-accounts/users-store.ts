import type { AccountUser } from '@sightline/contract/reseller-accounts'
import { foldEmail, languageCodes } from '@sightline/contract/user-details'
import { toDateTime } from '@sightline/contract/wire'
import { matchAny, type Tx } from '@sightline/platform/db'
import { type Selectable, sql } from 'kysely'

const query = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .leftJoin('email_changes as c', (on) =>
      on
        .onRef('c.account_id', '=', 'u.account_id')
        .onRef('c.user_id', '=', 'u.user_id')
        .onRef('c.old_email_folded', '=', 'u.email_folded')
        .on(sql<boolean>`c.expires_at > now()`),
    )
    .select(['u.user_id', 'u.account_id', 'u.email', 'u.first_name', 'u.last_name', 'u.phone', 'u.language'])
    .select(['u.blocked', 'u.created_at', 'a.time_zone', 'c.email as pending_email'])
    .where('u.account_id', '=', accountId)

type Row = Selectable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>>

const toUser = (row: Row): AccountUser => ({
  userId: row.user_id,
  accountId: row.account_id,
  email: row.email,
  pendingEmail: row.pending_email,
  firstName: row.first_name,
  lastName: row.last_name,
  phone: row.phone,
  language: languageCodes.find((code) => code === row.language) ?? 'en',
  timeZone: row.time_zone,
  isOwner: row.user_id === row.account_id,
  blocked: row.blocked,
  createdAt: toDateTime(row.created_at),
})

export async function listUsers(tx: Tx, accountId: number): Promise<AccountUser[]> {
  const rows = await query(tx, accountId).orderBy('u.last_name').orderBy('u.first_name').orderBy('u.user_id').execute()
  return rows.map(toUser)
}

export async function findUser(
  tx: Tx,
  of: { readonly accountId: number; readonly userId: number },
): Promise<AccountUser | undefined> {
  const row = await query(tx, of.accountId).where('u.user_id', '=', of.userId).executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

/** The same, locked until the transaction ends. */
export async function lockUser(
  tx: Tx,
  of: { readonly accountId: number; readonly userId: number },
): Promise<AccountUser | undefined> {
  const row = await query(tx, of.accountId).where('u.user_id', '=', of.userId).forUpdate('u').executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

/** Whether another user of the reseller has that address. */
export async function isAddressOfAnother(
  tx: Tx,
  of: { readonly resellerId: number; readonly userId: number; readonly email: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('user_id')
    .where('reseller_id', '=', of.resellerId)
    .where('email_folded', '=', foldEmail(of.email))
    .where('user_id', '<>', of.userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Everything except the email address; the time zone belongs to the account. */
export async function saveUser(tx: Tx, next: AccountUser): Promise<void> {
  await tx
    .updateTable('users')
    .set({ first_name: next.firstName, last_name: next.lastName, phone: next.phone, language: next.language })
    .where('account_id', '=', next.accountId)
    .where('user_id', '=', next.userId)
    .execute()
  await tx.updateTable('accounts').set({ time_zone: next.timeZone }).where('account_id', '=', next.accountId).execute()
}

/** The account with that email address, among those of the reseller that the caller may manage. */
export async function findByEmail(
  tx: Tx,
  of: { readonly resellerId: number; readonly accountIds: ReadonlySet<number> | undefined; readonly email: string },
): Promise<Pick<AccountUser, 'userId' | 'accountId' | 'email'>[]> {
  const found = tx
    .selectFrom('users')
    .select(['user_id', 'account_id', 'email'])
    .where('reseller_id', '=', of.resellerId)
    .where('email_folded', '=', foldEmail(of.email))
  const rows = await (of.accountIds === undefined
    ? found
    : found.where('account_id', '=', matchAny([...of.accountIds]))
  ).execute()
  return rows.map((row) => ({ userId: row.user_id, accountId: row.account_id, email: row.email }))
}
