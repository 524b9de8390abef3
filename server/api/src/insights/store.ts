import type { Insights } from '@sightline/contract/insights'
import { instant, matchAny, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

interface Question {
  readonly resellerId: number
  /** Undefined: all. */
  readonly accountIds: ReadonlySet<number> | undefined
  /** Milliseconds since 1970. */
  readonly from: number
}

type Counts = Omit<Insights, 'resellerId' | 'from' | 'till'>

/** Counts of what a reseller has, from inside its scope. */
export async function countInsights(tx: Tx, { resellerId, accountIds, from }: Question): Promise<Counts> {
  const only = accountIds === undefined ? sql`true` : sql`a.account_id = ${matchAny([...accountIds])}`
  const { rows } = await sql<Readonly<Record<string, number>>>`
    select count(*) as total,
           count(*) filter (where a.status = 'active') as active,
           count(*) filter (where a.status = 'inactive') as inactive,
           count(*) filter (where a.status = 'suspended') as suspended,
           count(*) filter (where a.user_type = 'trial') as trial,
           count(*) filter (where a.created_at >= ${instant(from)} or exists (
             select from audit_log l where l.account_id = ${resellerId} and l.target_id = a.account_id
               and l.action = 'moveAccount' and l.at >= ${instant(from)})) as new,
           coalesce(sum(u.cameras), 0)::bigint as cameras,
           coalesce(sum(u.online), 0)::bigint as online,
           coalesce(sum(u.sub_users + 1), 0)::bigint as users
      from accounts a join usage_of_accounts(null) u on u.account_id = a.account_id
     where a.reseller_id = ${resellerId} and ${only}`.execute(tx)
  const count = (name: string): number => rows[0]?.[name] ?? 0
  const lost = accountIds === undefined ? await countLost(tx, resellerId, from) : 0
  return {
    accounts: {
      total: count('total'),
      active: count('active'),
      inactive: count('inactive'),
      suspended: count('suspended'),
      trial: count('trial'),
      new: count('new'),
      lost,
    },
    cameras: { total: count('cameras'), online: count('online'), offline: count('cameras') - count('online') },
    users: count('users'),
    storageBytes: await storage(tx, accountIds),
  }
}

async function storage(tx: Tx, accountIds: ReadonlySet<number> | undefined): Promise<number> {
  const ids = accountIds === undefined ? null : [...accountIds]
  const { rows } = await sql<{ bytes: number }>`select storage_of_accounts(${ids}::bigint[]) as bytes`.execute(tx)
  return rows[0]?.bytes ?? 0
}

/** Accounts in the log that no longer exist. */
async function countLost(tx: Tx, resellerId: number, from: number): Promise<number> {
  const row = await tx
    .selectFrom('audit_log')
    .select(({ fn }) => fn.count<number>('target_id').distinct().as('lost'))
    .where('account_id', '=', resellerId)
    .where('action', 'in', ['deleteResellerAccount', 'moveAccount'])
    .where('at', '>=', instant(from))
    .where('target_id', 'not in', (query) =>
      query.selectFrom('accounts').select('account_id').where('reseller_id', '=', resellerId),
    )
    .executeTakeFirstOrThrow()
  return row.lost
}
