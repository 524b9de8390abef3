import type { Db, Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { quantile } from '../quantile.ts'

export const ACCOUNTS = 500
export const CAMERAS_OF_EACH = 200

/** The median cost of one request in the database, in milliseconds. */
export interface RequestCost {
  readonly one: number
  readonly list: number
}

/** 500 accounts with 200 cameras each, added with one SQL statement, because a hundred thousand single inserts take minutes. */
export async function fillAccounts(owner: Db): Promise<readonly number[]> {
  const first = 10_000
  await sql`insert into distributors (distributor_id, name) values (9000, 'Bench')`.execute(owner.plain)
  await sql`insert into resellers (reseller_id, distributor_id, name) values (9001, 9000, 'Bench')`.execute(owner.plain)
  await sql`insert into accounts (account_id, reseller_id, name)
    select ${first} + n, 9001, 'Account ' || n from generate_series(0, ${ACCOUNTS - 1}) n`.execute(owner.plain)
  await sql`insert into zones (account_id, zone_id, name)
    select account_id, account_id + 100000, 'Zone' from accounts where reseller_id = 9001`.execute(owner.plain)
  // The trigger for the limit counts each account's cameras; that is not needed for this bulk insert.
  await sql`alter table cameras disable trigger limit_of_cameras`.execute(owner.plain)
  await sql`insert into cameras (account_id, camera_id, zone_id, name, eth_mac_address, address, rtsp_port, main_path)
    select a.account_id, 1000000 + a.account_id * 1000 + n, a.account_id + 100000, 'Camera ' || n, '', '192.0.2.1', 554, '/'
      from accounts a, generate_series(0, ${CAMERAS_OF_EACH - 1}) n where a.reseller_id = 9001`.execute(owner.plain)
  await sql`alter table cameras enable trigger limit_of_cameras`.execute(owner.plain)
  await sql`analyze`.execute(owner.plain)
  return Array.from({ length: ACCOUNTS }, (_, index) => first + index)
}

const oneCamera = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('cameras')
    .select(['camera_id', 'name'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', 1_000_000 + accountId * 1000 + 7)
    .execute()

const allCameras = (tx: Tx, accountId: number) =>
  tx.selectFrom('cameras').select(['camera_id', 'name', 'zone_id']).where('account_id', '=', accountId).execute()

type Run = (accountId: number, work: (tx: Tx) => Promise<readonly object[]>) => Promise<readonly object[]>

/**
 * The same queries with row-level security, as the application's role in the account's scope, and without, under a role that
 * bypasses policies. Alternating, so that other load on the machine affects both.
 */
export async function compareWall(
  { app, owner }: { readonly app: Db; readonly owner: Db },
  accounts: readonly number[],
  rounds: number,
): Promise<{ readonly wall: RequestCost; readonly bare: RequestCost }> {
  const runs: readonly Run[] = [
    (accountId, work) => app.inTenant({ accountId, userId: accountId }, work),
    (_, work) => owner.transaction(work),
  ]
  const [oneWall = 0, oneBare = 0] = await medians(runs, { accounts, rounds, query: oneCamera, expected: 1 })
  const [listWall = 0, listBare = 0] = await medians(runs, {
    accounts,
    rounds,
    query: allCameras,
    expected: CAMERAS_OF_EACH,
  })
  return { wall: { one: oneWall, list: listWall }, bare: { one: oneBare, list: listBare } }
}

async function medians(
  runs: readonly Run[],
  given: {
    readonly accounts: readonly number[]
    readonly rounds: number
    readonly query: (tx: Tx, accountId: number) => Promise<readonly object[]>
    readonly expected: number
  },
): Promise<readonly number[]> {
  const took: number[][] = runs.map(() => [])
  const { accounts, rounds, query, expected } = given
  for (let index = -50; index < rounds; index += 1) {
    const accountId = accounts[Math.abs(index * 7919) % accounts.length] ?? 0
    for (const [at, run] of runs.entries()) {
      const begun = performance.now()
      const rows = await run(accountId, (tx) => query(tx, accountId))
      if (index >= 0) took[at]?.push(performance.now() - begun)
      if (rows.length !== expected) throw new Error(`expected ${expected} rows, got ${rows.length}`)
    }
  }
  return took.map((times) => quantile(times, 0.5))
}
