import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A user who may sign in: an account's user or staff. */
export interface AuthUser {
  readonly userId: number
  /** Of staff the organisation: reseller, distributor or the provider. */
  readonly accountId: number
  readonly accountName: string
  /** Undefined of staff above the resellers. */
  readonly resellerId: number | undefined
  /** The brand; of staff above the resellers their organisation. */
  readonly resellerName: string
  readonly name: string
  readonly email: string
  readonly emailFolded: string
  readonly language: string
  readonly isStaff: boolean
  readonly passwordHash: string | undefined
  /** The password alone isn't enough to sign in. */
  readonly hasSecondFactor: boolean
  /** The second factor is, or may be, a code of an authenticator app. */
  readonly hasAuthenticatorApp: boolean
  /** The generation of new sign-ins; ending all of them starts the next. */
  readonly generation: number
  /** False for blocked users, for suspended accounts, and during a lockdown. */
  readonly maySignIn: boolean
  /** The suspended account is the only reason why the user can't sign in. */
  readonly isSuspended: boolean
  /**
   * Whether a link from the public form may reset the password. False for blocked users, and in a lockdown if the
   * address has changed since.
   */
  readonly mayResetPassword: boolean
}

/** Whom an application is for. */
export type Audience = 'members' | 'staff' | 'both'

export const isInAudience = (audience: Audience, person: Pick<AuthUser, 'isStaff'>): boolean =>
  audience === 'both' || (audience === 'staff') === person.isStaff

/** The users among whom an address is looked up. */
export interface Lookup {
  /** Undefined is all of them, and then also staff of distributors and of the provider. */
  readonly resellerId: number | undefined
  readonly audience: Audience
}

/** At most so many users are tried for one email address, because each costs a password check. */
const MAX_PEOPLE = 5

export interface UserMatches {
  readonly people: readonly AuthUser[]
  /**
   * Always compares the same number of passwords, or the time would reveal how many users share an address: one for
   * each that an address can have there.
   */
  readonly comparisons: number
}

const query = (db: Db) =>
  db.plain
    .selectFrom('auth.people as p')
    .leftJoin('auth.credentials as c', 'c.user_id', 'p.user_id')
    .leftJoin('auth.two_factor as f', 'f.user_id', 'p.user_id')
    .leftJoin('auth.lockdowns as l', 'l.user_id', 'p.user_id')
    .selectAll('p')
    .select([
      'c.password_hash',
      'c.sign_in_generation',
      'f.enabled_at as app_since',
      'f.passkeys_since',
      'l.email_folded as locked_down_for',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

const toAuthUser = (row: Row): AuthUser => ({
  userId: row.user_id,
  accountId: row.account_id,
  accountName: row.account_name,
  resellerId: row.reseller_id ?? undefined,
  resellerName: row.reseller_name,
  name: row.name,
  email: row.email,
  emailFolded: row.email_folded,
  language: row.language,
  isStaff: row.is_staff,
  passwordHash: row.password_hash ?? undefined,
  hasSecondFactor: row.app_since !== null || row.passkeys_since !== null,
  hasAuthenticatorApp: row.app_since !== null,
  generation: row.sign_in_generation ?? 0,
  maySignIn: !row.barred && row.locked_down_for === null,
  isSuspended: row.suspended && !row.blocked && row.locked_down_for === null,
  mayResetPassword: !row.barred && (row.locked_down_for === null || row.locked_down_for === row.email_folded),
})

/** All users with that folded address that the application accepts, on the brand of the host (decision 27). */
export async function findByEmail(db: Db, emailFolded: string, among: Lookup): Promise<UserMatches> {
  const { resellerId, audience } = among
  const [rows, comparisons] = await Promise.all([
    query(db)
      .where('p.email_folded', '=', emailFolded)
      .$if(resellerId !== undefined, (found) => found.where('p.reseller_id', '=', resellerId ?? 0))
      .$if(audience !== 'both', (found) => found.where('p.is_staff', '=', audience === 'staff'))
      // Members first, so that they are found as before if staff are looked up too.
      .orderBy('p.is_staff')
      .orderBy('p.created_at')
      .limit(MAX_PEOPLE)
      .execute(),
    mostPeople(db, among),
  ])
  return { people: rows.map(toAuthUser), comparisons }
}

/**
 * How many users can share one address there, within the limit of tries. One member per reseller; for staff, who are
 * few, the largest real number.
 */
async function mostPeople(db: Db, { resellerId, audience }: Lookup): Promise<number> {
  if (resellerId !== undefined) return audience === 'both' ? 2 : 1
  const { rows } = await sql<{ resellers: number; staff: number }>`
    select (select count(*) from (select from resellers limit ${MAX_PEOPLE}) r)::int as resellers,
           (select coalesce(max(sharing), 1) from (
             select count(*) as sharing from staff group by email_folded) s)::int as staff`.execute(db.plain)
  const { resellers = 1, staff = 1 } = rows[0] ?? {}
  const most = (audience === 'staff' ? 0 : resellers) + (audience === 'members' ? 0 : staff)
  return Math.min(MAX_PEOPLE, Math.max(1, most))
}

export async function findByUserId(db: Db, userId: number): Promise<AuthUser | undefined> {
  const row = await query(db).where('p.user_id', '=', userId).executeTakeFirst()
  return row === undefined ? undefined : toAuthUser(row)
}
