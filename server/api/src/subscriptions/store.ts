import type { AccountSubscription, SubscriptionPackage, SubscriptionState } from '@sightline/contract/subscriptions'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { type Selectable, sql } from 'kysely'

const packages = (tx: Tx, resellerId: number) =>
  tx.selectFrom('subscription_packages').selectAll().where('reseller_id', '=', resellerId)

type PackageRow = Selectable<Awaited<ReturnType<ReturnType<typeof packages>['executeTakeFirstOrThrow']>>>

const fieldsOf = (row: PackageRow) => ({
  name: row.name,
  sku: row.sku,
  quality: row.quality,
  retention: row.retention_hours,
  maxAmountOfCameras: row.max_cameras,
  maxAmountOfDevices: row.max_devices,
  available: row.available,
  valid: row.valid,
})

const toPackage = (row: PackageRow): SubscriptionPackage => ({
  subscriptionId: row.subscription_package_id,
  subscriptionPackageId: row.subscription_package_id,
  ...fieldsOf(row),
  priceReference: row.price_reference,
  sortOrder: row.sort_order,
})

export async function listPackages(tx: Tx, resellerId: number): Promise<SubscriptionPackage[]> {
  const rows = await packages(tx, resellerId).orderBy('sort_order').orderBy('subscription_package_id').execute()
  return rows.map(toPackage)
}

export async function findPackage(
  tx: Tx,
  resellerId: number,
  packageId: number,
): Promise<SubscriptionPackage | undefined> {
  const row = await packages(tx, resellerId).where('subscription_package_id', '=', packageId).executeTakeFirst()
  return row === undefined ? undefined : toPackage(row)
}

/** The same, kept from others until the transaction ends, so that two changes at once do not undo each other. */
export async function lockPackage(
  tx: Tx,
  resellerId: number,
  packageId: number,
): Promise<SubscriptionPackage | undefined> {
  await tx
    .selectFrom('subscription_packages')
    .select('subscription_package_id')
    .where('reseller_id', '=', resellerId)
    .where('subscription_package_id', '=', packageId)
    .forUpdate()
    .execute()
  return findPackage(tx, resellerId, packageId)
}

/** Writes the package, a new one where there is none. */
export async function savePackage(tx: Tx, resellerId: number, given: SubscriptionPackage): Promise<void> {
  const columns = {
    name: given.name,
    sku: given.sku,
    quality: given.quality,
    retention_hours: given.retention,
    max_cameras: given.maxAmountOfCameras,
    max_devices: given.maxAmountOfDevices,
    available: given.available,
    valid: given.valid,
    price_reference: given.priceReference ?? null,
    sort_order: given.sortOrder,
  }
  await tx
    .insertInto('subscription_packages')
    .values({ reseller_id: resellerId, subscription_package_id: given.subscriptionPackageId, ...columns })
    .onConflict((conflict) => conflict.columns(['reseller_id', 'subscription_package_id']).doUpdateSet(columns))
    .execute()
}

/** The most cameras and devices that an account with this package holds; it may not be made smaller than that. */
export async function loadLargestUsage(tx: Tx, packageId: number): Promise<{ cameras: number; devices: number }> {
  const { rows } = await sql<{ cameras: number | null; devices: number | null }>`
    select max(u.cameras) as cameras, max(u.devices) as devices
      from subscriptions s join usage_of_accounts(null) u on u.account_id = s.account_id
     where s.subscription_package_id = ${packageId}`.execute(tx)
  return { cameras: rows[0]?.cameras ?? 0, devices: rows[0]?.devices ?? 0 }
}

/** What an account is subscribed to, and which day it is there. */
export interface StoredSubscription {
  readonly resellerId: number
  readonly isActive: boolean
  readonly state: SubscriptionState | undefined
  readonly today: string
  readonly camerasInUse: number
}

/**
 * From inside the account's scope. The account's row is taken, so that no two choices undo each other and nobody adds a
 * camera meanwhile.
 */
export async function lockSubscription(tx: Tx, accountId: number, now: number): Promise<StoredSubscription> {
  await tx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).forUpdate().execute()
  return loadSubscription(tx, accountId, now)
}

export async function loadSubscription(tx: Tx, accountId: number, now: number): Promise<StoredSubscription> {
  const row = await tx
    .selectFrom('accounts as a')
    .leftJoin('subscriptions as s', 's.account_id', 'a.account_id')
    .select(['a.reseller_id', 'a.status', 'a.time_zone', 's.subscription_package_id', 's.next_subscription_package_id'])
    .select(['s.start_date', 's.end_date', 's.contract_period_months'])
    .select((query) =>
      query
        .selectFrom('cameras as c')
        .whereRef('c.account_id', '=', 'a.account_id')
        .select(({ fn }) => fn.countAll<number>().as('cameras'))
        .as('cameras'),
    )
    .where('a.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { subscription_package_id: packageId, start_date: startDate, end_date: endDate } = row
  const state =
    packageId === null || startDate === null || endDate === null
      ? undefined
      : {
          packageId,
          nextPackageId: row.next_subscription_package_id ?? undefined,
          startDate,
          endDate,
          contractPeriodMonths: row.contract_period_months ?? 1,
        }
  return {
    resellerId: row.reseller_id,
    isActive: row.status === 'active',
    state,
    today: dayIn(row.time_zone, now),
    camerasInUse: row.cameras ?? 0,
  }
}

const dayIn = (timeZone: string, now: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

/** `yyyy-mm-dd` at this moment in the time zone. */
export const today = dayIn

/** Writes the choice down. A limit of the account's own that is above the new package's goes. */
export async function saveSubscription(
  tx: Tx,
  of: { readonly accountId: number; readonly resellerId: number },
  state: SubscriptionState,
): Promise<void> {
  const columns = {
    reseller_id: of.resellerId,
    subscription_package_id: state.packageId,
    next_subscription_package_id: state.nextPackageId ?? null,
    start_date: state.startDate,
    end_date: state.endDate,
    contract_period_months: state.contractPeriodMonths,
  }
  // One that is over stays so until another last day is chosen.
  await tx
    .updateTable('subscriptions')
    .set({ ended_at: null })
    .where('account_id', '=', of.accountId)
    .where('end_date', '<>', state.endDate)
    .execute()
  await tx
    .insertInto('subscriptions')
    .values({ account_id: of.accountId, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute()
  const { maxAmountOfCameras = null, maxAmountOfDevices = null } =
    (await findPackage(tx, of.resellerId, state.packageId)) ?? {}
  await tx
    .updateTable('accounts')
    .set({
      max_cameras: sql<number | null>`case when max_cameras > ${maxAmountOfCameras} then null else max_cameras end`,
    })
    .set({
      max_devices: sql<number | null>`case when max_devices > ${maxAmountOfDevices} then null else max_devices end`,
    })
    .where('account_id', '=', of.accountId)
    .execute()
}

/** Accounts whose subscription may be over by now, some hundreds of them, by id from after the one given. */
export async function accountsEnding(db: Db, now: number, after: number): Promise<readonly number[]> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts_with_ending_subscriptions(${instant(now)}, ${after})`.execute(db.plain)
  return rows.map((row) => row.account_id)
}

/** Writes down that it is over; false where that stood there. */
export async function markEnded(tx: Tx, accountId: number, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('subscriptions')
    .set({ ended_at: instant(now) })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Whom a mail about an account reaches, and under which of the brand's names. */
export async function loadOwner(tx: Tx, accountId: number) {
  return tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .select(['u.email', 'u.language', 'a.time_zone'])
    .select((query) =>
      query
        .selectFrom('brand_hosts as h')
        .whereRef('h.reseller_id', '=', 'a.reseller_id')
        .select('h.host')
        .orderBy('h.host')
        .limit(1)
        .as('host'),
    )
    .where('u.account_id', '=', accountId)
    .where('u.user_id', '=', accountId)
    .executeTakeFirst()
}

/** As it is answered: merged with its package, under both generations of names (decision 4). */
export function toSubscription(state: SubscriptionState, of: SubscriptionPackage): AccountSubscription {
  const next = state.nextPackageId ?? -1
  return {
    subscriptionPackageId: state.packageId,
    subscriptionId: state.packageId,
    nextSubscriptionPackageId: next,
    nextSubscriptionId: next,
    startDate: state.startDate,
    endDate: state.endDate,
    contractPeriod: state.contractPeriodMonths,
    name: of.name,
    sku: of.sku,
    quality: of.quality,
    retention: of.retention,
    maxAmountOfCameras: of.maxAmountOfCameras,
    maxAmountOfDevices: of.maxAmountOfDevices,
    available: of.available,
    valid: of.valid,
  }
}
