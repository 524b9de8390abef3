import type { Account } from '@sightline/contract/reseller-accounts'
import type { ContactDetails } from '@sightline/contract/resellers'
import { foldEmail, languageCodes } from '@sightline/contract/user-details'
import { toDateTime } from '@sightline/contract/wire'
import {
  instant,
  isForeignKeyViolation,
  isUniqueViolation,
  type KeysetOrder,
  type KeysetPage,
  type KeysetQuestion,
  keysetPage,
  matchAny,
  type Tx,
} from '@sightline/platform/db'
import { type Selectable, sql } from 'kysely'
import { type AccountSearch, accountSearch, type LoadedAccount, type Usage } from './rules.ts'

const query = (tx: Tx) =>
  tx
    .selectFrom('accounts as a')
    .innerJoin('resellers as r', 'r.reseller_id', 'a.reseller_id')
    .leftJoin('users as o', (on) =>
      on.onRef('o.account_id', '=', 'a.account_id').onRef('o.user_id', '=', 'a.account_id'),
    )
    .leftJoin('subscriptions as s', 's.account_id', 'a.account_id')
    .leftJoin('subscription_packages as p', (on) =>
      on
        .onRef('p.reseller_id', '=', 's.reseller_id')
        .onRef('p.subscription_package_id', '=', 's.subscription_package_id'),
    )
    .selectAll('a')
    .select(['o.email as owner_email', 'o.deletes_at as owner_deletes_at', 'r.max_sub_users as reseller_max_sub_users'])
    .select(['p.max_cameras as package_max_cameras', 'p.max_devices as package_max_devices'])

export type AccountRow = Selectable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>>

const languageOf = (stored: string): Account['language'] => languageCodes.find((code) => code === stored) ?? 'en'

export const toAccount = (row: AccountRow, usage: Usage): Account => ({
  accountId: row.account_id,
  resellerId: row.reseller_id,
  name: row.name,
  email: row.owner_email,
  status: row.status,
  userType: row.user_type,
  publicDemo: row.public_demo,
  timeZone: row.time_zone,
  language: languageOf(row.language),
  zohoId: row.zoho_id,
  contactDetails: row.contact_details as ContactDetails,
  featureFlags: {
    userSelfServiceManagement: row.user_self_service_management,
    preventEditUserDetails: row.prevent_edit_user_details,
  },
  subUsersBarred: row.sub_users_barred,
  maxSubUsers: row.max_sub_users,
  maxCameras: row.max_cameras,
  maxDevices: row.max_devices,
  usage: {
    ...usage,
    subUserSlots: row.max_sub_users ?? row.reseller_max_sub_users,
    cameraSlots: row.max_cameras ?? row.package_max_cameras,
    deviceSlots: row.max_devices ?? row.package_max_devices,
  },
  allowsHelpdeskExpirationDate: row.helpdesk_expires_at === null ? null : toDateTime(row.helpdesk_expires_at),
  allowsHelpdeskShowVideo: row.helpdesk_show_video,
  deletesAt: row.owner_deletes_at === null ? null : toDateTime(row.owner_deletes_at),
  createdAt: toDateTime(row.created_at),
})

/** One account in its own scope. */
export async function loadAccount(tx: Tx, accountId: number): Promise<LoadedAccount> {
  const row = await query(tx).where('a.account_id', '=', accountId).executeTakeFirstOrThrow()
  const account = toAccount(row, await usageInside(tx, accountId))
  return { account, packageMaxCameras: row.package_max_cameras, packageMaxDevices: row.package_max_devices }
}

/** The same, locked: adding a user, camera or device waits until the transaction ends. */
export async function lockAccount(tx: Tx, accountId: number): Promise<LoadedAccount | undefined> {
  const account = tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId)
  return (await account.forUpdate().executeTakeFirst()) === undefined ? undefined : loadAccount(tx, accountId)
}

async function usageInside(tx: Tx, accountId: number): Promise<Usage> {
  const { rows } = await sql<{ sub_users: number; cameras: number; devices: number }>`
    select (select count(*) from users where account_id = ${accountId} and user_id <> account_id) as sub_users,
           (select count(*) from cameras where account_id = ${accountId} and transferred_at is null
             and addition_status <> 'failure') as cameras,
           (select count(*) from devices where account_id = ${accountId}) as devices`.execute(tx)
  const [row] = rows
  return { subUsers: row?.sub_users ?? 0, cameras: row?.cameras ?? 0, devices: row?.devices ?? 0 }
}

export interface AccountFilter {
  readonly resellerId: number
  /** Undefined: all. */
  readonly accountIds: ReadonlySet<number> | undefined
  readonly q?: string | undefined
  readonly email?: string | undefined
  readonly status?: Account['status'] | undefined
  readonly userType?: Account['userType'] | undefined
}

function filtered(tx: Tx, { resellerId, accountIds, q, email, status, userType }: AccountFilter) {
  let found = query(tx).where('a.reseller_id', '=', resellerId)
  if (accountIds !== undefined) found = found.where('a.account_id', '=', matchAny([...accountIds]))
  if (status !== undefined) found = found.where('a.status', '=', status)
  if (userType !== undefined) found = found.where('a.user_type', '=', userType)
  if (email !== undefined) found = found.where('o.email_folded', '=', foldEmail(email))
  return q === undefined || q.trim() === '' ? found : found.where(matches(resellerId, accountSearch(q)))
}

const digits = (column: string) => sql<string>`regexp_replace(${sql.ref(column)}, '\\D', '', 'g')`

/** Users of the reseller are visible in its scope. Cameras and devices are not: a function answers for them. */
function matches(resellerId: number, { text, accountId, phoneDigits, macDigits }: AccountSearch) {
  const part = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const ways = [
    sql<boolean>`lower(a.name) like ${part}`,
    sql<boolean>`a.account_id in (
      select u.account_id from users u where u.reseller_id = ${resellerId} and u.email_folded like ${part})`,
  ]
  if (accountId !== undefined) ways.push(sql`a.account_id = ${accountId}`)
  if (phoneDigits !== undefined) {
    const phone = `%${phoneDigits}%`
    ways.push(sql`regexp_replace(a.contact_details ->> 'phone', '\\D', '', 'g') like ${phone}`)
    ways.push(sql`regexp_replace(a.contact_details ->> 'secondaryPhone', '\\D', '', 'g') like ${phone}`)
    ways.push(sql`a.account_id in (
      select u.account_id from users u where u.reseller_id = ${resellerId}
         and (${digits('u.phone')} like ${phone} or ${digits('u.secondary_phone')} like ${phone}))`)
  }
  if (macDigits !== undefined) {
    ways.push(sql`a.account_id in (select m.account_id from accounts_with_mac_address(${macDigits}) m)`)
  }
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

const key = sql<number>`a.account_id`
const orders: Readonly<Record<string, KeysetOrder>> = {
  name: { by: sql`lower(a.name)`, key },
  email: { by: sql`coalesce(o.email_folded, '')`, key },
  status: { by: sql`a.status`, key },
  createdAt: { by: sql`a.created_at`, key, toSql: (value) => sql`${instant(Number(value))}` },
  accountId: { by: sql`a.account_id`, key },
}

/** A page of the reseller's accounts with their usage. */
export async function findAccounts(
  tx: Tx,
  filter: AccountFilter,
  question: KeysetQuestion & { readonly sort: string },
): Promise<{ page: KeysetPage<AccountRow>; usage: ReadonlyMap<number, Usage> }> {
  const order = orders[question.sort] ?? { by: sql<string>`lower(a.name)`, key }
  const page = await keysetPage(filtered(tx, filter), order, question)
  return {
    page,
    usage: await usageOf(
      tx,
      page.rows.map((row) => row.account_id),
    ),
  }
}

export async function countAccounts(tx: Tx, filter: AccountFilter): Promise<number> {
  const row = await filtered(tx, filter)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

async function usageOf(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Usage>> {
  const { rows } = await sql<{ account_id: number; sub_users: number; cameras: number; devices: number }>`
    select account_id, sub_users, cameras, devices from usage_of_accounts(${ids}::bigint[])`.execute(tx)
  return new Map(
    rows.map((row) => [row.account_id, { subUsers: row.sub_users, cameras: row.cameras, devices: row.devices }]),
  )
}

type Settings = Pick<
  Account,
  | 'name'
  | 'status'
  | 'userType'
  | 'timeZone'
  | 'language'
  | 'contactDetails'
  | 'featureFlags'
  | 'subUsersBarred'
  | 'maxSubUsers'
  | 'maxCameras'
  | 'maxDevices'
>

const columnsOf = (given: Settings) => ({
  name: given.name,
  status: given.status,
  user_type: given.userType,
  time_zone: given.timeZone,
  language: given.language,
  contact_details: JSON.stringify(given.contactDetails),
  user_self_service_management: given.featureFlags.userSelfServiceManagement,
  prevent_edit_user_details: given.featureFlags.preventEditUserDetails,
  sub_users_barred: given.subUsersBarred,
  max_sub_users: given.maxSubUsers,
  max_cameras: given.maxCameras,
  max_devices: given.maxDevices,
})

export async function saveAccount(tx: Tx, next: Account): Promise<void> {
  await tx.updateTable('accounts').set(columnsOf(next)).where('account_id', '=', next.accountId).execute()
}

/** A new account with its owner, who has the same id, and its first zone. */
export interface NewAccount extends Settings {
  readonly accountId: number
  readonly resellerId: number
  readonly owner: { readonly email: string; readonly firstName: string; readonly lastName: string }
  readonly zone: { readonly zoneId: number; readonly name: string }
}

/** Fails with {@link isEmailTaken}. */
export async function insertAccount(tx: Tx, given: NewAccount): Promise<void> {
  const { accountId, resellerId, owner, contactDetails: contact } = given
  await tx
    .insertInto('accounts')
    .values({ account_id: accountId, reseller_id: resellerId, ...columnsOf(given) })
    .execute()
  await tx
    .insertInto('users')
    .values({
      account_id: accountId,
      user_id: accountId,
      reseller_id: resellerId,
      email: owner.email,
      email_folded: foldEmail(owner.email),
      first_name: owner.firstName,
      last_name: owner.lastName,
      language: given.language,
      phone: contact.phone ?? null,
      secondary_phone: contact.secondaryPhone ?? null,
      company_name: contact.companyName ?? null,
      country: contact.country ?? null,
      address: contact.address ?? null,
      city: contact.city ?? null,
      region: contact.region ?? null,
      postal_code: contact.postalCode ?? null,
    })
    .execute()
  const { zoneId, name } = given.zone
  await tx.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name }).execute()
}

/** Staff limited to some accounts can also manage the one that they added. */
export async function addToOwn(tx: Tx, given: { userId: number; accountId: number }): Promise<void> {
  await tx.insertInto('staff_accounts').values({ user_id: given.userId, account_id: given.accountId }).execute()
}

/** Ids of all its users. */
export async function loadUserIds(tx: Tx, accountId: number): Promise<number[]> {
  const rows = await tx.selectFrom('users').select('user_id').where('account_id', '=', accountId).execute()
  return rows.map((row) => row.user_id)
}

/**
 * Moves the account and its users to another reseller. The owner's grant for the former reseller's support ends. Fails
 * with {@link isBillableConflict}.
 */
export async function setAccountReseller(tx: Tx, of: { accountId: number; resellerId: number }): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ reseller_id: of.resellerId, helpdesk_expires_at: null, helpdesk_show_video: false })
    .where('account_id', '=', of.accountId)
    .execute()
  await tx.updateTable('users').set({ reseller_id: of.resellerId }).where('account_id', '=', of.accountId).execute()
}

/** Fails with {@link isBillableConflict} if another account of the reseller has it. */
export async function saveZohoId(tx: Tx, accountId: number, zohoId: string | null): Promise<void> {
  await tx.updateTable('accounts').set({ zoho_id: zohoId }).where('account_id', '=', accountId).execute()
}

const EMAIL = 'users_reseller_id_email_folded_key'
export const isEmailTaken = (error: unknown): boolean => isUniqueViolation(error, EMAIL)
export const isZohoIdTaken = (error: unknown): boolean => isUniqueViolation(error, 'accounts_by_zoho')
export const isBillableConflict = (error: unknown): boolean => isEmailTaken(error) || isZohoIdTaken(error)
/** The reseller or the package was removed concurrently. */
export const isParentMissing = (error: unknown): boolean => isForeignKeyViolation(error)
