import type { Db } from '@sightline/platform/db'

/** Somebody who might sign in. */
export interface Person {
  readonly userId: number
  readonly accountId: number
  readonly accountName: string
  readonly resellerId: number
  readonly resellerName: string
  readonly email: string
  readonly passwordHash: string | undefined
  /** Of the sign-ins that begin now; whatever ends all of them begins another. */
  readonly generation: number
  /** False for the blocked, and where the account is suspended. */
  readonly maySignIn: boolean
}

/** No e-mail address is tried against more accounts than this in one go; each costs a password check. */
const MOST_ACCOUNTS = 5

export interface Found {
  readonly people: readonly Person[]
  /**
   * As many passwords are to be compared, whoever was found, or the time would tell how many accounts an address has: one
   * for each reseller it could have one with.
   */
  readonly comparisons: number
}

const query = (db: Db) =>
  db.plain
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .innerJoin('resellers as r', 'r.reseller_id', 'u.reseller_id')
    .leftJoin('auth.credentials as c', 'c.user_id', 'u.user_id')
    .select([
      'u.user_id',
      'u.account_id',
      'u.reseller_id',
      'u.email',
      'u.blocked',
      'a.name as account_name',
      'a.status',
      'c.password_hash',
      'c.sign_in_generation',
    ])
    .select('r.name as reseller_name')

type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

const toPerson = (row: Row): Person => ({
  userId: row.user_id,
  accountId: row.account_id,
  accountName: row.account_name,
  resellerId: row.reseller_id,
  resellerName: row.reseller_name,
  email: row.email,
  passwordHash: row.password_hash ?? undefined,
  generation: row.sign_in_generation ?? 0,
  maySignIn: !row.blocked && row.status !== 'suspended',
})

/** Everybody with that folded address, of one reseller or, where that is undefined, of all (decision 27). */
export async function findByEmail(db: Db, emailFolded: string, resellerId: number | undefined): Promise<Found> {
  const found = query(db).where('u.email_folded', '=', emailFolded)
  const scoped = resellerId === undefined ? found : found.where('u.reseller_id', '=', resellerId)
  const [rows, resellers] = await Promise.all([
    scoped.orderBy('u.created_at').limit(MOST_ACCOUNTS).execute(),
    resellerId === undefined
      ? db.plain.selectFrom('resellers').select('reseller_id').limit(MOST_ACCOUNTS).execute()
      : [],
  ])
  return { people: rows.map(toPerson), comparisons: Math.max(1, resellers.length) }
}

export async function findByUserId(db: Db, userId: number): Promise<Person | undefined> {
  const row = await query(db).where('u.user_id', '=', userId).executeTakeFirst()
  return row === undefined ? undefined : toPerson(row)
}
