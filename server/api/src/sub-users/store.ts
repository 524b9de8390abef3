import type { AccountStatus, UserType } from '@sightline/contract/rights'
import { storedRights } from '@sightline/contract/sub-users'
import { foldEmail } from '@sightline/contract/user-details'
import {
  isCheckViolation,
  isUniqueViolation,
  type KeysetOrder,
  type KeysetPage,
  type KeysetQuestion,
  keysetPage,
  matchAny,
  type Tx,
} from '@sightline/platform/db'
import { sql } from 'kysely'
import { type CameraZones, type Grants, type Holder, type StoredAccess, toCameraAccess } from './rules.ts'

/** A user of the account as stored. */
export interface UserRow {
  readonly user_id: number
  readonly account_id: number
  readonly reseller_id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly language: string
  readonly rights: readonly string[]
  readonly all_cameras: boolean
  readonly blocked: boolean
  readonly permission_profile_id: number | null
  readonly profile_name: string | null
  readonly last_login_at: number | null
  readonly mfa_enabled: boolean
  readonly created_at: number
  readonly user_type: UserType
  readonly account_status: AccountStatus
}

/** A user with their grants. */
export interface StoredUser {
  readonly row: UserRow
  readonly access: StoredAccess
  readonly holder: Holder
  readonly grants: Grants
}

interface Key {
  readonly accountId: number
  readonly userId: number
}

const people = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .leftJoin('permission_profiles', 'permission_profiles.permission_profile_id', 'users.permission_profile_id')
    .where('users.account_id', '=', accountId)
    .select([
      'users.user_id',
      'users.account_id',
      'users.reseller_id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.language',
      'users.rights',
      'users.all_cameras',
      'users.blocked',
      'users.permission_profile_id',
      'permission_profiles.name as profile_name',
      'users.last_login_at',
      'users.mfa_enabled',
      'users.created_at',
      'accounts.user_type',
      'accounts.status as account_status',
    ])

const key = sql<number>`users.user_id`
/** Users who have never signed in come first. */
const lastLogin = sql<number>`coalesce((extract(epoch from users.last_login_at) * 1000)::bigint, 0)`
const orders: ReadonlyMap<string, KeysetOrder> = new Map<string, KeysetOrder>([
  ['name', { by: sql<string>`lower(users.last_name || ' ' || users.first_name)`, key }],
  ['email', { by: sql<string>`users.email_folded`, key }],
  ['lastLogin', { by: lastLogin, key }],
  ['createdAt', { by: sql<number>`(extract(epoch from users.created_at) * 1000)::bigint`, key }],
  ['userId', { by: key, key }],
])

export interface UserFilter {
  /** For SQL `ilike`. */
  readonly pattern: string | undefined
  readonly blocked: boolean | undefined
}

function found(tx: Tx, accountId: number, { pattern, blocked }: UserFilter) {
  const all = people(tx, accountId)
  const matching =
    pattern === undefined
      ? all
      : all.where(
          sql<boolean>`(users.first_name || ' ' || users.last_name ilike ${pattern} or users.email ilike ${pattern})`,
        )
  return blocked === undefined ? matching : matching.where('users.blocked', '=', blocked)
}

/** One page of the users of an account; `sort` is from the contract's list. */
export async function loadUsersPage(
  tx: Tx,
  accountId: number,
  given: { readonly filter: UserFilter; readonly question: KeysetQuestion & { readonly sort: string } },
): Promise<KeysetPage<UserRow>> {
  const order = orders.get(given.question.sort)
  if (order === undefined) throw new TypeError(`users can't be sorted by "${given.question.sort}"`)
  return keysetPage<UserRow>(found(tx, accountId, given.filter), order, given.question)
}

export async function countUsers(tx: Tx, accountId: number, filter: UserFilter): Promise<number> {
  const row = await found(tx, accountId, filter)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow()
  return row.people
}

/** With their grants, in the order of `rows`. */
export async function withAccess(tx: Tx, rows: readonly UserRow[]): Promise<readonly StoredUser[]> {
  const [first] = rows
  if (first === undefined) return []
  const ids = matchAny(rows.map((row) => row.user_id))
  const among = { account_id: first.account_id }
  const cameras = await tx
    .selectFrom('user_cameras')
    .select(['user_id', 'camera_id as id'])
    .where('account_id', '=', among.account_id)
    .where('user_id', '=', ids)
    .execute()
  const zones = await tx
    .selectFrom('user_zones')
    .select(['user_id', 'zone_id as id'])
    .where('account_id', '=', among.account_id)
    .where('user_id', '=', ids)
    .execute()
  const camerasOf = Map.groupBy(cameras, (given) => given.user_id)
  const zonesOf = Map.groupBy(zones, (given) => given.user_id)
  const idsOf = (given: readonly { readonly id: number }[] | undefined) => new Set((given ?? []).map(({ id }) => id))
  return rows.map((row) =>
    toStoredUser(row, {
      allCameras: row.all_cameras,
      cameraIds: idsOf(camerasOf.get(row.user_id)),
      zoneIds: idsOf(zonesOf.get(row.user_id)),
    }),
  )
}

function toStoredUser(row: UserRow, access: StoredAccess): StoredUser {
  const isSuperUser = row.user_id === row.account_id
  const rights = storedRights(row.rights)
  return {
    row,
    access,
    holder: {
      userId: row.user_id,
      accountId: row.account_id,
      isSuperUser,
      granted: new Set(rights),
      access: isSuperUser ? { kind: 'all' } : toCameraAccess(access),
    },
    grants: { rights, permissionProfileId: row.permission_profile_id },
  }
}

/** One user of the account; undefined if it doesn't exist or belongs to another account. */
export async function findUser(tx: Tx, { accountId, userId }: Key): Promise<StoredUser | undefined> {
  const row = await people(tx, accountId).where('users.user_id', '=', userId).executeTakeFirst()
  if (row === undefined) return undefined
  return (await withAccess(tx, [row]))[0]
}

export async function loadCameraZones(tx: Tx, accountId: number): Promise<CameraZones> {
  const rows = await tx
    .selectFrom('cameras')
    .select(['camera_id', 'zone_id'])
    .where('account_id', '=', accountId)
    .execute()
  return new Map(rows.map((row) => [row.camera_id, row.zone_id]))
}

export async function loadZoneIds(tx: Tx, accountId: number): Promise<ReadonlySet<number>> {
  const rows = await tx.selectFrom('zones').select('zone_id').where('account_id', '=', accountId).execute()
  return new Set(rows.map((row) => row.zone_id))
}

export interface NewUserRow extends Key {
  readonly resellerId: number
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** Undefined: the account's. */
  readonly language: string | undefined
  readonly phone: string | null
  readonly grants: Grants
}

/** Fails with {@link isEmailTaken} or {@link isLimitReached}. @returns the language */
export async function insertUser(tx: Tx, person: NewUserRow): Promise<string> {
  const language =
    person.language === undefined
      ? sql<string>`(select accounts.language from accounts where accounts.account_id = ${person.accountId})`
      : person.language
  const row = await tx
    .insertInto('users')
    .values({
      account_id: person.accountId,
      user_id: person.userId,
      reseller_id: person.resellerId,
      email: person.email,
      email_folded: foldEmail(person.email),
      first_name: person.firstName,
      last_name: person.lastName,
      language,
      phone: person.phone === '' ? null : person.phone,
      rights: person.grants.rights,
      permission_profile_id: person.grants.permissionProfileId,
    })
    .returning('language')
    .executeTakeFirstOrThrow()
  return row.language
}

/** Fails with {@link isEmailTaken}. */
export async function saveNames(
  tx: Tx,
  { accountId, userId }: Key,
  names: { readonly email: string; readonly firstName: string; readonly lastName: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      email: names.email,
      email_folded: foldEmail(names.email),
      first_name: names.firstName,
      last_name: names.lastName,
    })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

export async function saveGrants(tx: Tx, { accountId, userId }: Key, grants: Grants): Promise<void> {
  await tx
    .updateTable('users')
    .set({ rights: grants.rights, permission_profile_id: grants.permissionProfileId })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

/** The lists replace the existing ones. */
export async function saveAccess(tx: Tx, { accountId, userId }: Key, access: StoredAccess): Promise<void> {
  const of = { account_id: accountId, user_id: userId }
  await tx
    .updateTable('users')
    .set({ all_cameras: access.allCameras })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
  await tx.deleteFrom('user_cameras').where('account_id', '=', accountId).where('user_id', '=', userId).execute()
  await tx.deleteFrom('user_zones').where('account_id', '=', accountId).where('user_id', '=', userId).execute()
  const cameras = [...access.cameraIds].map((cameraId) => ({ ...of, camera_id: cameraId }))
  const zones = [...access.zoneIds].map((zoneId) => ({ ...of, zone_id: zoneId }))
  for (const part of inParts(cameras)) await tx.insertInto('user_cameras').values(part).execute()
  for (const part of inParts(zones)) await tx.insertInto('user_zones').values(part).execute()
}

/** PostgreSQL accepts 65,535 parameters per statement. */
const MAX_ROWS = 5000
function inParts<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, n) =>
    rows.slice(n * MAX_ROWS, (n + 1) * MAX_ROWS),
  )
}

export async function saveBlocked(tx: Tx, { accountId, userId }: Key, blocked: boolean): Promise<void> {
  await tx
    .updateTable('users')
    .set({ blocked })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

export const isEmailTaken = (error: unknown): boolean => isUniqueViolation(error, 'users_reseller_id_email_folded_key')

/** The account has its maximum of sub-users. The database checks this, so it holds for concurrent calls too. */
export const isLimitReached = (error: unknown): boolean => isCheckViolation(error, 'limit_of_sub_users')
