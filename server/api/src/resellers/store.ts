import type { ContactDetails, Reseller } from '@sightline/contract/resellers'
import { allModules, type Modules } from '@sightline/contract/rights'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, isForeignKeyViolation, isUniqueViolation, type Tx } from '@sightline/platform/db'
import { type Selectable, sql } from 'kysely'

/** Everyone may see a reseller's name, look and modules, but not its accounts. */
type Reader = Pick<Db['plain'], 'selectFrom'>

const known = (from: Reader) =>
  from
    .selectFrom('resellers as r')
    .select(['r.reseller_id', 'r.distributor_id', 'r.name', 'r.modules', 'r.time_zone'])
    .select(['r.max_sub_users', 'r.created_at'])

const query = (tx: Tx) =>
  known(tx)
    .innerJoin('reseller_details as details', 'details.reseller_id', 'r.reseller_id')
    .select(['details.contact_details', 'details.zoho_id'])

type RowOf<Q extends typeof known | typeof query> = Selectable<
  Awaited<ReturnType<ReturnType<Q>['executeTakeFirstOrThrow']>>
>

/** A reseller without its content. */
export type PlainReseller = Omit<Reseller, 'accounts'>
/** What every transaction may know of a reseller. */
export type KnownReseller = Omit<PlainReseller, 'contactDetails' | 'zohoId'>

const modulesOf = (stored: Readonly<Record<string, unknown>>): Modules =>
  Object.fromEntries(allModules.map((module) => [module, stored[module] === true])) as Modules

const toKnown = (row: RowOf<typeof known>): KnownReseller => ({
  resellerId: row.reseller_id,
  distributorId: row.distributor_id,
  name: row.name,
  modules: modulesOf(row.modules),
  timeZone: row.time_zone,
  maxSubUsers: row.max_sub_users,
  createdAt: toDateTime(row.created_at),
})

const toReseller = (row: RowOf<typeof query>): PlainReseller => ({
  ...toKnown(row),
  contactDetails: row.contact_details as ContactDetails,
  zohoId: row.zoho_id,
})

export async function findKnown(from: Reader, resellerId: number): Promise<KnownReseller | undefined> {
  const row = await known(from).where('r.reseller_id', '=', resellerId).executeTakeFirst()
  return row === undefined ? undefined : toKnown(row)
}

/** One in the transaction's scope. */
export async function findReseller(tx: Tx, resellerId: number): Promise<PlainReseller | undefined> {
  const row = await query(tx).where('r.reseller_id', '=', resellerId).executeTakeFirst()
  return row === undefined ? undefined : toReseller(row)
}

/** The same, locked until the transaction ends, and read after the lock. */
export async function lockReseller(tx: Tx, resellerId: number): Promise<PlainReseller | undefined> {
  await tx.selectFrom('resellers').select('reseller_id').where('reseller_id', '=', resellerId).forUpdate().execute()
  return findReseller(tx, resellerId)
}

/** The resellers of a distributor, within the transaction's scope. */
export async function listResellers(tx: Tx, distributorId: number): Promise<PlainReseller[]> {
  const rows = await query(tx)
    .where('r.distributor_id', '=', distributorId)
    .orderBy('r.name')
    .orderBy('r.reseller_id')
    .execute()
  return rows.map(toReseller)
}

/** With their number of accounts, within the transaction's scope. */
export async function withAccounts(tx: Tx, resellers: readonly PlainReseller[]): Promise<Reseller[]> {
  const ids = resellers.map((reseller) => reseller.resellerId)
  const { rows } = await sql<{ reseller_id: number; accounts: number }>`
    select reseller_id, accounts from accounts_of_resellers(${ids}::bigint[])`.execute(tx)
  const counts = new Map(rows.map((row) => [row.reseller_id, row.accounts]))
  return resellers.map((reseller) => ({ ...reseller, accounts: counts.get(reseller.resellerId) ?? 0 }))
}

const columnsOf = (given: Omit<PlainReseller, 'createdAt'>) => ({
  name: given.name,
  modules: JSON.stringify(given.modules),
  contact_details: JSON.stringify(given.contactDetails),
  zoho_id: given.zohoId,
  time_zone: given.timeZone,
  max_sub_users: given.maxSubUsers,
})

/** Fails with {@link isResellerNameTaken}. */
export async function insertReseller(tx: Tx, given: Omit<PlainReseller, 'createdAt'>): Promise<void> {
  await tx
    .insertInto('resellers')
    .values({ reseller_id: given.resellerId, distributor_id: given.distributorId, ...columnsOf(given) })
    .execute()
}

/** Fails with {@link isResellerNameTaken}. */
export async function saveReseller(tx: Tx, next: PlainReseller): Promise<void> {
  await tx.updateTable('resellers').set(columnsOf(next)).where('reseller_id', '=', next.resellerId).execute()
}

/** The highest number of sub-users among accounts that use the reseller's limit. */
export async function mostSubUsers(tx: Tx): Promise<number> {
  const { rows } = await sql<{ most: number | null }>`
    select max(u.sub_users) as most from usage_of_accounts(null) u
      join accounts a on a.account_id = u.account_id where a.max_sub_users is null`.execute(tx)
  return Number(rows[0]?.most ?? 0)
}

/** Removes it with its staff and packages. Returns the ids whose sign-ins must end. */
export async function removeReseller(tx: Tx, resellerId: number): Promise<number[]> {
  const gone = await tx.deleteFrom('staff').where('organisation_id', '=', resellerId).returning('user_id').execute()
  await tx.deleteFrom('permission_profiles').where('organisation_id', '=', resellerId).execute()
  await tx.deleteFrom('subscription_packages').where('reseller_id', '=', resellerId).execute()
  await tx.deleteFrom('resellers').where('reseller_id', '=', resellerId).execute()
  return gone.map((row) => row.user_id)
}

/** The brand's changes to the provider's look. */
export async function loadTheme(from: Reader, resellerId: number): Promise<Readonly<Record<string, unknown>>> {
  const row = await from
    .selectFrom('resellers')
    .select('theme')
    .where('reseller_id', '=', resellerId)
    .executeTakeFirstOrThrow()
  return row.theme
}

/** Resellers whose stored themes contain pictures on other hosts. */
export async function resellersWithForeignPictures(db: Db): Promise<number[]> {
  const rows = await db.plain
    .selectFrom('resellers')
    .select('reseller_id')
    .where(sql<boolean>`concat_ws(' ', theme ->> 'logo', theme ->> 'logoDark', theme ->> 'favicon') ~ '(^| )https:'`)
    .orderBy('reseller_id')
    .execute()
  return rows.map((row) => row.reseller_id)
}

export async function saveTheme(tx: Tx, resellerId: number, theme: object): Promise<void> {
  await tx
    .updateTable('resellers')
    .set({ theme: JSON.stringify(theme) })
    .where('reseller_id', '=', resellerId)
    .execute()
}

/** Whether the account belongs to this reseller. */
/** Undefined if the account doesn't exist. */
export async function findResellerId(tx: Tx, accountId: number): Promise<number | undefined> {
  const account = tx.selectFrom('accounts').select('reseller_id').where('account_id', '=', accountId)
  return (await account.executeTakeFirst())?.reseller_id
}

export async function isResellerAccount(tx: Tx, of: { accountId: number; resellerId: number }): Promise<boolean> {
  const row = await tx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', of.accountId)
    .where('reseller_id', '=', of.resellerId)
    .executeTakeFirst()
  return row !== undefined
}

export const isResellerNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'resellers_by_name')
export const isReferenced = (error: unknown): boolean => isForeignKeyViolation(error)
