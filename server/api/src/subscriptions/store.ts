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
  maxStorageBytes: row.max_storage_bytes,
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

/** The same, locked until the transaction ends, so that concurrent changes don't undo each other. */
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

/** Updates the package, or creates it. */
export async function savePackage(tx: Tx, resellerId: number, given: SubscriptionPackage): Promise<void> {
  const columns = {
    name: given.name,
    sku: given.sku,
    quality: given.quality,
    retention_hours: given.retention,
    max_cameras: given.maxAmountOfCameras,
    max_devices: given.maxAmountOfDevices,
    max_storage_bytes: given.maxStorageBytes,
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

/** Maximum cameras and devices of accounts with this package, which can't be reduced below that. */
export async function loadLargestUsage(tx: Tx, packageId: number): Promise<{ cameras: number; devices: number }> {
  const { rows } = await sql<{ cameras: number | null; devices: number | null }>`
    select max(u.cameras) as cameras, max(u.devices) as devices
      from subscriptions s join usage_of_accounts(null) u on u.account_id = s.account_id
     where s.subscription_package_id = ${packageId}`.execute(tx)
  return { cameras: rows[0]?.cameras ?? 0, devices: rows[0]?.devices ?? 0 }
}

/** An account's subscription, and the current day in its time zone. */
export interface StoredSubscription {
  readonly resellerId: number
  readonly isActive: boolean
  readonly state: SubscriptionState | undefined
  readonly today: string
  readonly camerasInUse: number
}

/**
 * In the account's scope. Locks the account's row, so that concurrent choices don't undo each other and no camera is
 * added meanwhile.
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
        .where('c.transferred_at', 'is', null)
        .where('c.addition_status', '<>', 'failure')
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

/** Today's `yyyy-mm-dd` in the time zone. */
export const today = dayIn

/** Stores the choice. Removes an account's own limit that is above the new package's. */
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
  // An ended subscription stays ended until another last day is set.
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

/** Accounts whose subscription may have ended, some hundreds of them, by id after the given one. */
export async function accountsEnding(db: Db, now: number, after: number): Promise<readonly number[]> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts_with_ending_subscriptions(${instant(now)}, ${after})`.execute(db.plain)
  return rows.map((row) => row.account_id)
}

/** Marks it as ended; false if it already was. */
export async function markEnded(tx: Tx, accountId: number, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('subscriptions')
    .set({ ended_at: instant(now) })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The recipient of emails about an account, and the brand's name. */
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

/** As returned: merged with its package, with old and new field names (decision 4). */
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
    maxStorageBytes: of.maxStorageBytes,
    available: of.available,
    valid: of.valid,
  }
}
