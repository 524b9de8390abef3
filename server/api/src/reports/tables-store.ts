import type { ApiError } from '@sightline/contract/errors'
import { MAX_REPORT_ROWS } from '@sightline/contract/reports'
import { onDay } from '@sightline/contract/subscriptions'
import { MS_PER_HOUR } from '@sightline/platform/clock'
import { limitTime, matchAny, type Tx } from '@sightline/platform/db'
import { fail, ok, type Result } from '@sightline/platform/result'
import { sql } from 'kysely'
import { type Days, type NamedCamera, sumCameraDays } from '../storage-usage/index.ts'
import type { ReportCell, Table } from './file.ts'
import { rowsFault } from './report-limits.ts'

/** Maximum time of a query for a report. */
const ASK_MS = 5000

/** Queries of a report, whichever slice they are from, are stopped after this time. */
export const limitReportTime = (tx: Tx): Promise<void> => limitTime(tx, ASK_MS)

/** One more than a report can have, to detect that there are more. */
const ENOUGH = MAX_REPORT_ROWS + 1

interface Account {
  readonly accountId: number
  readonly cameras: readonly (NamedCamera & { readonly createdAt: string })[]
  readonly days: Days
  /** Milliseconds since 1970. */
  readonly now: number
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000

/**
 * The share of each day with footage, per camera; for the day it was added and for today, the share of the elapsed
 * part.
 */
export async function cameraUptime(tx: Tx, { accountId, cameras, days, now }: Account): Promise<Table> {
  await limitReportTime(tx)
  const sums = await sumCameraDays(tx, { accountId, cameras, days })
  const rows = everyDay(days).flatMap(({ day, begins, ends, index }) =>
    cameras.flatMap(({ cameraId, name, createdAt }): ReportCell[][] => {
      const hours = (Math.min(ends, now) - Math.max(begins, Date.parse(createdAt))) / MS_PER_HOUR
      const recorded = sums(cameraId, index).hours
      if (hours <= 0 && recorded === 0) return []
      // Footage may be a second ahead of the clock, or older than the camera's row.
      const percent = hours <= 0 ? 100 : Math.min(100, (recorded / hours) * 100)
      return [[day, cameraId, name, recorded, thousandths(Math.max(hours, 0)), Math.round(percent * 100) / 100]]
    }),
  )
  return { columns: ['day', 'cameraId', 'camera', 'recordedHours', 'hours', 'uptimePercent'], rows }
}

export async function storageByDay(tx: Tx, { accountId, cameras, days }: Account): Promise<Table> {
  await limitReportTime(tx)
  const sums = await sumCameraDays(tx, { accountId, cameras, days })
  const rows = everyDay(days).flatMap(({ day, index }) =>
    cameras.map(({ cameraId, name }): ReportCell[] => {
      const { bytes, hours } = sums(cameraId, index)
      return [day, cameraId, name, bytes, hours]
    }),
  )
  return { columns: ['day', 'cameraId', 'camera', 'bytes', 'hours'], rows }
}

const everyDay = ({ names, bounds }: Days) =>
  names.map((day, index) => ({ day, index, begins: bounds[index] ?? 0, ends: bounds[index + 1] ?? 0 }))

interface ActivityRow {
  day: number
  user_id: number | null
  name: string | null
  is_staff: boolean
  sign_ins: number
  live: number
  play: number
  others: number
  lines: number
}

/** Each user's actions per day, from the audit log. Support and dealers appear under their own names. */
export async function userActivity(tx: Tx, { accountId, days }: Pick<Account, 'accountId' | 'days'>): Promise<Table> {
  await limitReportTime(tx)
  const { rows } = await sql<ActivityRow>`
    with bounds as (select ${instants(days)}::timestamptz[] as list),
    line as (
      select width_bucket(l.at, list) as day, coalesce(l.staff_id, l.user_id) as user_id, l.actor_name, l.salt,
             l.staff_id is not null as is_staff, l.action
        from bounds join audit_log l on l.at >= list[1] and l.at < list[cardinality(list)]
       where l.account_id = ${accountId})
    select day, line.user_id, is_staff,
           coalesce(max(actor_name), max(u.first_name || ' ' || u.last_name) filter (where salt is not null)) as name,
           count(*) filter (where action = 'login') as sign_ins,
           count(*) filter (where action = 'live') as live,
           count(*) filter (where action = 'play') as play,
           count(*) filter (where action not in ('login', 'live', 'play', 'watched')) as others,
           count(*) as lines
      from line left join users u on u.account_id = ${accountId} and u.user_id = line.user_id and not is_staff
     group by day, line.user_id, is_staff
     order by day, name, line.user_id limit ${ENOUGH}`.execute(tx)
  return {
    columns: ['day', 'userId', 'user', 'staff', 'signIns', 'liveViews', 'playbacks', 'otherActions', 'total'],
    rows: rows.map((row): ReportCell[] => [
      days.names[row.day - 1] ?? null,
      row.user_id,
      row.name,
      row.is_staff,
      row.sign_ins,
      row.live,
      row.play,
      row.others,
      row.lines,
    ]),
  }
}

const instants = ({ bounds }: Days): string[] => bounds.map((at) => new Date(at).toISOString())

interface BilledRow {
  account_id: number
  name: string
  status: string
  created_at: number
  subscription_package_id: number | null
  next_subscription_package_id: number | null
  start_date: string | null
  end_date: string | null
  contract_period_months: number | null
}

/**
 * Each account with its package and its cameras at the end of each day, in the reseller's scope. Excludes cameras and
 * accounts that were removed since. A package counts from the first day of its period.
 */
export async function billing(
  tx: Tx,
  of: {
    readonly resellerId: number
    readonly accountIds: ReadonlySet<number> | undefined
    readonly days: Days
    readonly now: number
  },
): Promise<Result<Table, ApiError>> {
  await limitReportTime(tx)
  const { resellerId, accountIds, days, now } = of
  const accounts = await billedAccounts(tx, resellerId, accountIds)
  const packages = await packageNames(tx, resellerId)
  const columns = ['day', 'accountId', 'account', 'status', 'subscriptionPackageId', 'package', 'sku', 'cameras']
  const fault = rowsFault(accounts.length * days.names.length)
  if (fault !== undefined) return fail(fault)
  const ends = days.bounds.slice(1).map((end) => Math.min(end, now))
  const counts = await camerasAt(tx, accounts, ends)
  const rows = everyDay(days).flatMap(({ day, index }) =>
    accounts
      .filter((account) => account.created_at < (ends[index] ?? 0))
      .map((account): ReportCell[] => {
        const packageId = packageOn(account, day)
        const sold = packageId === null ? undefined : packages.get(packageId)
        const { account_id: accountId, name, status } = account
        const cameras = counts.get(`${accountId} ${index}`) ?? 0
        return [day, accountId, name, status, packageId, sold?.name ?? null, sold?.sku ?? null, cameras]
      }),
  )
  return ok({ columns, rows })
}

async function billedAccounts(
  tx: Tx,
  resellerId: number,
  accountIds: ReadonlySet<number> | undefined,
): Promise<BilledRow[]> {
  let query = tx
    .selectFrom('accounts as a')
    .leftJoin('subscriptions as s', 's.account_id', 'a.account_id')
    .select(['a.account_id', 'a.name', 'a.status', 'a.created_at', 's.subscription_package_id'])
    .select(['s.next_subscription_package_id', 's.start_date', 's.end_date', 's.contract_period_months'])
    .where('a.reseller_id', '=', resellerId)
  if (accountIds !== undefined) query = query.where('a.account_id', '=', matchAny([...accountIds]))
  return query.orderBy('a.name').orderBy('a.account_id').limit(ENOUGH).execute()
}

async function packageNames(tx: Tx, resellerId: number) {
  const rows = await tx
    .selectFrom('subscription_packages')
    .select(['subscription_package_id', 'name', 'sku'])
    .where('reseller_id', '=', resellerId)
    .execute()
  return new Map(rows.map(({ subscription_package_id, name, sku }) => [subscription_package_id, { name, sku }]))
}

async function camerasAt(
  tx: Tx,
  accounts: readonly BilledRow[],
  moments: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ account_id: number; moment: number; cameras: number }>`
    select account_id, moment, cameras
      from cameras_of_accounts_at(
        ${accounts.map((account) => account.account_id)}::bigint[], ${moments.map((at) => new Date(at).toISOString())}::timestamptz[])`.execute(
    tx,
  )
  return new Map(rows.map((row) => [`${row.account_id} ${row.moment - 1}`, row.cameras]))
}

function packageOn(row: BilledRow, day: string): number | null {
  const { subscription_package_id: packageId, start_date: startDate, end_date: endDate } = row
  if (packageId === null || startDate === null || endDate === null || day < startDate) return null
  const contractPeriodMonths = row.contract_period_months ?? 1
  const nextPackageId = row.next_subscription_package_id ?? undefined
  const state = onDay({ packageId, nextPackageId, startDate, endDate, contractPeriodMonths }, day)
  return day > state.endDate ? null : state.packageId
}
