import { allPermissions, type Permission, type Permissions } from '@sightline/contract/rights'
import type { StaffUser } from '@sightline/contract/staff'
import { foldEmail, languageCodes } from '@sightline/contract/user-details'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, isUniqueViolation, matchAny, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import type { Selectable } from 'kysely'

export const PROVIDER = PROVIDER_ID

const query = (tx: Tx) => tx.selectFrom('staff').selectAll()
type Row = Selectable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>>

/** Each with true or false. */
export const toPermissions = (granted: ReadonlySet<string>): Permissions =>
  Object.fromEntries(allPermissions.map((permission) => [permission, granted.has(permission)])) as Permissions

const toStaff = (row: Row, accountIds: readonly number[]): StaffUser => ({
  userId: row.user_id,
  level: row.level,
  resellerId: row.reseller_id,
  distributorId: row.distributor_id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  phone: row.phone,
  language: languageCodes.find((code) => code === row.language) ?? 'en',
  permissions: toPermissions(new Set(row.permissions)),
  permissionProfileId: row.permission_profile_id,
  allAccounts: row.all_accounts,
  accountIds: [...accountIds],
  blocked: row.blocked,
  mfaEnabled: row.mfa_enabled,
  createdAt: toDateTime(row.created_at),
})

/** The staff of the organization in the transaction's scope. */
export async function listStaff(tx: Tx, organisationId: number): Promise<StaffUser[]> {
  const rows = await query(tx)
    .where('organisation_id', '=', organisationId)
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('user_id')
    .execute()
  return withAccounts(tx, rows)
}

async function withAccounts(tx: Tx, rows: readonly Row[]): Promise<StaffUser[]> {
  const ids = rows.map((row) => row.user_id)
  const named = await tx
    .selectFrom('staff_accounts')
    .select(['user_id', 'account_id'])
    .where('user_id', '=', matchAny(ids))
    .orderBy('account_id')
    .execute()
  const byUser = Map.groupBy(named, (row) => row.user_id)
  return rows.map((row) =>
    toStaff(
      row,
      (byUser.get(row.user_id) ?? []).map((one) => one.account_id),
    ),
  )
}

export async function findStaff(
  tx: Tx,
  of: { readonly organisationId: number; readonly userId: number },
): Promise<StaffUser | undefined> {
  const rows = await query(tx)
    .where('organisation_id', '=', of.organisationId)
    .where('user_id', '=', of.userId)
    .execute()
  const [found] = await withAccounts(tx, rows)
  return found
}

/** Locks all staff of the organization against changes until the transaction ends. */
export async function lockStaff(tx: Tx, organisationId: number): Promise<void> {
  await tx
    .selectFrom('staff')
    .select('user_id')
    .where('organisation_id', '=', organisationId)
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

const columnsOf = (given: StaffUser) => ({
  first_name: given.firstName,
  last_name: given.lastName,
  phone: given.phone,
  language: given.language,
  permissions: allPermissions.filter((permission) => given.permissions[permission]),
  permission_profile_id: given.permissionProfileId,
  all_accounts: given.allAccounts,
  blocked: given.blocked,
})

/** Fails with {@link isStaffEmailTaken}. */
export async function insertStaff(tx: Tx, given: StaffUser): Promise<void> {
  await tx
    .insertInto('staff')
    .values({
      user_id: given.userId,
      level: given.level,
      organisation_id: given.resellerId ?? given.distributorId ?? PROVIDER_ID,
      distributor_id: given.distributorId,
      reseller_id: given.resellerId,
      email: given.email,
      email_folded: foldEmail(given.email),
      ...columnsOf(given),
    })
    .execute()
  await saveAccountsOf(tx, given)
}

export async function saveStaff(tx: Tx, next: StaffUser): Promise<void> {
  await tx.updateTable('staff').set(columnsOf(next)).where('user_id', '=', next.userId).execute()
  await saveAccountsOf(tx, next)
}

async function saveAccountsOf(tx: Tx, { userId, accountIds }: StaffUser): Promise<void> {
  await tx.deleteFrom('staff_accounts').where('user_id', '=', userId).execute()
  if (accountIds.length === 0) return
  const rows = accountIds.map((accountId) => ({ user_id: userId, account_id: accountId }))
  await tx.insertInto('staff_accounts').values(rows).execute()
}

export async function removeStaff(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('staff').where('user_id', '=', userId).execute()
}

/** How many of these accounts the transaction's reseller has. */
export async function countAccounts(tx: Tx, resellerId: number, accountIds: readonly number[]): Promise<number> {
  const row = await tx
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reseller_id', '=', resellerId)
    .where('account_id', '=', matchAny(accountIds))
    .executeTakeFirstOrThrow()
  return row.count
}

/** The permissions of a profile for staff: one of the organization's own or a standard one. */
export async function profileGrants(
  tx: Tx,
  of: { readonly organisationId: number; readonly permissionProfileId: number },
): Promise<ReadonlySet<Permission> | undefined> {
  const row = await tx
    .selectFrom('permission_profiles')
    .select('grants')
    .where('permission_profile_id', '=', of.permissionProfileId)
    .where('organisation_id', '=', matchAny([of.organisationId, PROVIDER_ID]))
    .where('scope', '<>', 'account')
    .executeTakeFirst()
  if (row === undefined) return undefined
  return new Set(allPermissions.filter((permission) => row.grants.includes(permission)))
}

export interface StaffProfile {
  readonly permissionProfileId: number
  readonly name: string
  readonly permissions: Permissions
  readonly builtin: boolean
}

export async function listProfiles(tx: Tx, organisationId: number): Promise<StaffProfile[]> {
  const rows = await tx
    .selectFrom('permission_profiles')
    .select(['permission_profile_id', 'name', 'grants', 'organisation_id'])
    .where('organisation_id', '=', matchAny([organisationId, PROVIDER_ID]))
    .where('scope', '<>', 'account')
    .orderBy('permission_profile_id')
    .execute()
  return rows.map((row) => ({
    permissionProfileId: row.permission_profile_id,
    name: row.name,
    permissions: toPermissions(new Set(row.grants)),
    builtin: row.organisation_id === PROVIDER_ID,
  }))
}

/** The name of a staff member's organization; undefined for the provider. */
export async function organisationName(
  db: Pick<Db['plain'], 'selectFrom'>,
  of: { readonly resellerId: number | undefined; readonly distributorId: number | undefined },
): Promise<string | undefined> {
  const { resellerId, distributorId } = of
  if (resellerId !== undefined) {
    const row = await db.selectFrom('resellers').select('name').where('reseller_id', '=', resellerId).executeTakeFirst()
    return row?.name
  }
  if (distributorId === undefined) return undefined
  const row = await db
    .selectFrom('distributors')
    .select('name')
    .where('distributor_id', '=', distributorId)
    .executeTakeFirst()
  return row?.name
}

export const isStaffEmailTaken = (error: unknown): boolean =>
  isUniqueViolation(error, 'staff_organisation_id_email_folded_key')
