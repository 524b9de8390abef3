import type { UserBase } from '@sightline/contract/users'
import type { Tx } from '@sightline/platform/db'
import { isUniqueViolation } from '@sightline/platform/db'

const columns = ['user_id', 'account_id', 'email', 'first_name', 'last_name'] as const

interface UserRow {
  readonly user_id: number
  readonly account_id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

const toUser = (row: UserRow): UserBase => ({
  userId: row.user_id,
  accountId: row.account_id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
})

/** The user, locked until the transaction ends so that two concurrent changes don't undo each other. */
export async function loadUser(tx: Tx, key: { accountId: number; userId: number }): Promise<UserBase> {
  const row = await tx
    .selectFrom('users')
    .select(columns)
    .where('account_id', '=', key.accountId)
    .where('user_id', '=', key.userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return toUser(row)
}

/** Locks the user's own data against their other calls until the transaction ends. */
export async function lockUser(tx: Tx, key: { accountId: number; userId: number }): Promise<void> {
  const person = tx.selectFrom('users').select('user_id').where('account_id', '=', key.accountId)
  await person.where('user_id', '=', key.userId).forNoKeyUpdate().execute()
}

export async function readUser(tx: Tx, key: { accountId: number; userId: number }): Promise<UserBase> {
  const row = await tx
    .selectFrom('users')
    .select(columns)
    .where('account_id', '=', key.accountId)
    .where('user_id', '=', key.userId)
    .executeTakeFirstOrThrow()
  return toUser(row)
}

/** A staff member; the account is the organization. */
export async function readStaff(tx: Tx, key: { accountId: number; userId: number }): Promise<UserBase> {
  const row = await tx
    .selectFrom('staff')
    .select(['user_id', 'organisation_id as account_id', 'email', 'first_name', 'last_name'])
    .where('organisation_id', '=', key.accountId)
    .where('user_id', '=', key.userId)
    .executeTakeFirstOrThrow()
  return toUser(row)
}

/** Fails with {@link isEmailTaken} if another user of the same reseller has the email address. */
export async function saveUser(tx: Tx, user: UserBase, emailFolded: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email: user.email, email_folded: emailFolded, first_name: user.firstName, last_name: user.lastName })
    .where('account_id', '=', user.accountId)
    .where('user_id', '=', user.userId)
    .execute()
}

/** PostgreSQL aborts the whole transaction on it, so it is checked outside. */
export const isEmailTaken = (error: unknown): boolean => isUniqueViolation(error, 'users_reseller_id_email_folded_key')
