import type { Right } from '@sightline/contract/rights'
import { storedRights } from '@sightline/contract/sub-users'
import { isUniqueViolation, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

interface Key {
  readonly accountId: number
  readonly permissionProfileId: number
}

export interface StoredProfile {
  readonly permissionProfileId: number
  readonly name: string
  readonly rights: readonly Right[]
  /** Users of the account with this profile. */
  readonly users: number
  readonly builtin: boolean
}

/**
 * Locks the users of the account against changes until the transaction ends, so that a decision about their rights is
 * still valid when it is written. The same lock as for limits; it doesn't block transactions that only refer to the
 * account.
 */
export async function lockUsers(tx: Tx, accountId: number): Promise<void> {
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forNoKeyUpdate().execute()
}

/** Keeps permissions in an account from changing until the transaction ends; any number of transactions can hold it. */
export async function shareLockUsers(tx: Tx, accountId: number): Promise<void> {
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forShare().execute()
}

const profiles = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('permission_profiles as p')
    .select(['p.permission_profile_id', 'p.organisation_id', 'p.name', 'p.grants'])
    .select((eb) =>
      eb
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('users'))
        .where('users.account_id', '=', accountId)
        .whereRef('users.permission_profile_id', '=', 'p.permission_profile_id')
        .as('users'),
    )
    .where('p.scope', '=', 'account')
    .where('p.organisation_id', 'in', [accountId, PROVIDER_ID])

interface ProfileRow {
  permission_profile_id: number
  organisation_id: number
  name: string
  grants: readonly string[]
  users: number | null
}

const toProfile = (row: ProfileRow): StoredProfile => ({
  permissionProfileId: row.permission_profile_id,
  name: row.name,
  rights: storedRights(row.grants),
  users: row.users ?? 0,
  builtin: row.organisation_id === PROVIDER_ID,
})

/** The standard profiles and the account's own, by name. */
export async function listProfiles(tx: Tx, accountId: number): Promise<readonly StoredProfile[]> {
  const rows = await profiles(tx, accountId).orderBy(sql`lower(p.name)`).orderBy('p.permission_profile_id').execute()
  return rows.map(toProfile)
}

/** A profile that the account can use; undefined if it doesn't exist or belongs to another account. */
export async function findProfile(tx: Tx, { accountId, permissionProfileId }: Key): Promise<StoredProfile | undefined> {
  const row = await profiles(tx, accountId)
    .where('p.permission_profile_id', '=', permissionProfileId)
    .executeTakeFirst()
  return row === undefined ? undefined : toProfile(row)
}

export async function countOwnProfiles(tx: Tx, accountId: number): Promise<number> {
  const row = await tx
    .selectFrom('permission_profiles')
    .select(({ fn }) => fn.countAll<number>().as('profiles'))
    .where('organisation_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.profiles
}

interface ProfileFields {
  readonly name: string
  readonly rights: readonly Right[]
}

/** Fails with {@link isNameTaken}. */
export async function insertProfile(tx: Tx, key: Key, { name, rights }: ProfileFields): Promise<void> {
  await tx
    .insertInto('permission_profiles')
    .values({
      organisation_id: key.accountId,
      permission_profile_id: key.permissionProfileId,
      scope: 'account',
      name,
      grants: rights,
    })
    .execute()
}

/** Fails with {@link isNameTaken}. All users of the profile get its rights. Returns their ids. */
export async function saveProfile(tx: Tx, key: Key, { name, rights }: ProfileFields): Promise<readonly number[]> {
  await tx
    .updateTable('permission_profiles')
    .set({ name, grants: rights })
    .where('organisation_id', '=', key.accountId)
    .where('permission_profile_id', '=', key.permissionProfileId)
    .execute()
  const rows = await tx
    .updateTable('users')
    .set({ rights })
    .where('account_id', '=', key.accountId)
    .where('permission_profile_id', '=', key.permissionProfileId)
    .returning('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

export async function removeProfile(tx: Tx, key: Key): Promise<void> {
  await tx
    .deleteFrom('permission_profiles')
    .where('organisation_id', '=', key.accountId)
    .where('permission_profile_id', '=', key.permissionProfileId)
    .execute()
}

export const isNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'permission_profiles_by_name')
