/** The second line of defense: queries without a tenant filter, under the application's role. */
import { type Database, type Db, type OrganisationScope, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listCases } from './cases.ts'
import { entries } from './entries/index.ts'
import { openFixture, type TenancyFixture } from './fixture.ts'
import { swappers } from './swappers.ts'
import { describeFinding, type TenancyFinding, tryOperation } from './trial.ts'

let fixture: TenancyFixture
let app: Db
beforeAll(async () => {
  fixture = await openFixture()
  app = fixture.database.db('app')
})
afterAll(async () => fixture?.[Symbol.asyncDispose]())

type Row = Readonly<Record<string, unknown>>
/** All rows of a table that the transaction can see. */
async function allOf(tx: Tx | Db['plain'], table: keyof Database): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(tx)
  return rows
}
const idsIn = (rows: readonly Row[], column: string): unknown[] => [...new Set(rows.map((row) => row[column]))]

/** Tables whose rows belong to one account, by column. */
const OF_ACCOUNTS = [
  'accounts',
  'users',
  'zones',
  'cameras',
  'user_cameras',
  'user_zones',
  'audit_log',
  'devices',
  'subscriptions',
  'mobile_subscriptions',
  'body_camera_setup_codes',
  'camera_status',
  'camera_capabilities',
  'camera_check_ups',
  'camera_habits',
  'camera_password_changes',
  'camera_statistics',
  'camera_replacements',
  'former_cameras',
  'recording_runs',
  'recording_days',
  'footage_locks',
  'saved_views',
  'events',
  'stream_tickets',
  'idempotency_keys',
] as const
const FILLED = OF_ACCOUNTS.filter((table) => !['user_cameras', 'stream_tickets', 'idempotency_keys'].includes(table))
const OF_RESELLERS = ['accounts', 'users', 'subscriptions', 'subscription_packages'] as const

test('every table with an account, reseller or organization column has row-level security', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct c.oid::regclass::text as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not c.relrowsecurity
       and a.attname in ('account_id', 'reseller_id', 'distributor_id', 'organisation_id', 'user_id')
       and has_table_privilege('sightline_app', c.oid, 'select')
     order by 1`.execute(fixture.database.db('owner').plain)
  expect(rows.map(({ name }) => name)).toEqual([])
})

test('the application’s role owns no table, bypasses no policy, and cannot read the authorization server’s tables', async () => {
  const { rows } = await sql<Row>`
    select rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = r.oid) as owned,
           has_table_privilege('sightline_app', 'auth.credentials', 'select') as passwords,
           has_table_privilege('sightline_app', 'audit_log', 'update') as rewrites,
           has_table_privilege('sightline_app', 'audit_log', 'delete') as forgets
      from pg_roles r where rolname = 'sightline_app'`.execute(fixture.database.db('owner').plain)
  expect(rows).toEqual([
    { rolsuper: false, rolbypassrls: false, owned: 0, passwords: false, rewrites: false, forgets: false },
  ])
})

describe('without a scope', () => {
  test.each(OF_ACCOUNTS)('a query on %s fails', async (table) => {
    await expect(allOf(app.plain, table)).rejects.toThrow(/app\.account/)
  })

  test('no scope is left over from a previous transaction', async () => {
    const [account] = fixture.world.own.accounts
    await app.inTenant({ accountId: account.accountId, userId: account.accountId }, (tx) => allOf(tx, 'cameras'))
    for (let connection = 0; connection < 8; connection += 1) {
      await expect(allOf(app.plain, 'cameras')).rejects.toThrow()
    }
  })
})

test.each(OF_RESELLERS)('%s of a reseller are hidden unless staff act', async (table) => {
  const { resellerId } = fixture.world.own
  const rows = await app.transaction(async (tx) => {
    await sql`select set_config('app.account', '1', true), set_config('app.reseller', ${String(resellerId)}, true)`.execute(
      tx,
    )
    return allOf(tx, table)
  })
  expect(rows).toEqual([])
})

describe('in the scope of an account', () => {
  const inAccount = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { accountId } = fixture.world.own.accounts[0]
    return app.inTenant({ accountId, userId: accountId }, work)
  }

  test.each(OF_ACCOUNTS)('%s shows only that account', async (table) => {
    const rows = await inAccount((tx) => allOf(tx, table))
    const others = idsIn(rows, 'account_id').filter((id) => id !== fixture.world.own.accounts[0].accountId)
    expect(others).toEqual([])
  })

  test.each([
    'update accounts set reseller_id = reseller_id + 1',
    'update accounts set max_sub_users = 9999',
    'update accounts set max_cameras = 9999',
    "update accounts set user_type = 'trial'",
    "update accounts set status = 'inactive'",
    "update accounts set zoho_id = '1'",
    'update accounts set sub_users_barred = not sub_users_barred',
    'update accounts set public_demo = not public_demo',
    'update users set reseller_id = reseller_id + 1',
    "insert into accounts (account_id, reseller_id, name) select account_id, reseller_id, 'x' from accounts",
  ])('an account cannot change what its dealer decides: %s', async (statement) => {
    await expect(inAccount((tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/stays|row-level security/)
    expect((await inAccount((tx) => sql`delete from accounts`.execute(tx))).numAffectedRows).toBe(0n)
  })

  test('the account sees its own rows: the tables are not empty', async () => {
    const { accountId } = fixture.world.own.accounts[0]
    for (const table of FILLED) {
      expect(idsIn(await inAccount((tx) => allOf(tx, table)), 'account_id')).toEqual([accountId])
    }
  })

  test('only the own brand’s packages, own and built-in profiles, and no staff are visible', async () => {
    expect(await inAccount((tx) => allOf(tx, 'staff'))).toEqual([])
    expect(await inAccount((tx) => allOf(tx, 'staff_accounts'))).toEqual([])
    const packages = await inAccount((tx) => allOf(tx, 'subscription_packages'))
    expect(idsIn(packages, 'reseller_id')).toEqual([fixture.world.own.resellerId])
    const profiles = await inAccount((tx) => allOf(tx, 'permission_profiles'))
    expect(new Set(idsIn(profiles, 'organisation_id'))).toEqual(new Set([2, fixture.world.own.accounts[0].accountId]))
  })

  test.each([
    ['cameras', 'camera_id'],
    ['zones', 'zone_id'],
    ['users', 'user_id'],
  ] as const)('an update without an account filter does not change other accounts’ %s', async (table, key) => {
    const owner = fixture.database.db('owner').plain
    const before = await allOf(owner, table)
    const attempt = inAccount(async (tx) => {
      await sql`update ${sql.table(table)} set created_at = created_at + interval '1 day'`.execute(tx)
      throw new Error('taken back')
    })
    await expect(attempt).rejects.toThrow('taken back')
    const { accountId } = fixture.world.own.accounts[0]
    await inAccount((tx) => sql`update ${sql.table(table)} set created_at = created_at + interval '1 day'`.execute(tx))
    const after = await allOf(owner, table)
    const moved = after.filter((row) => {
      const was = before.find((each) => each[key] === row[key] && each.account_id === row.account_id)
      return was?.created_at !== row.created_at
    })
    expect(moved.length).toBeGreaterThan(0)
    expect(idsIn(moved, 'account_id')).toEqual([accountId])
    await fixture.journal.undo()
  })

  test('a row of another account cannot be written', async () => {
    const { accountId } = fixture.world.sibling.accounts[0]
    const zone = { account_id: accountId, zone_id: fixture.world.nowhere, name: 'theirs' }
    await expect(inAccount((tx) => tx.insertInto('zones').values(zone).execute())).rejects.toThrow(/row-level security/)
    await expect(inAccount((tx) => sql`update zones set account_id = ${accountId}`.execute(tx))).rejects.toThrow(
      /row-level security/,
    )
  })
})

describe('in the scope of an organisation', () => {
  const inside = <T>(scope: Partial<OrganisationScope>, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { resellerId, staffId } = fixture.world.own
    return app.inOrganisation({ organisationId: resellerId, userId: staffId, ...scope }, work)
  }

  test.each(OF_RESELLERS)('%s shows only that reseller’s rows', async (table) => {
    const { resellerId } = fixture.world.own
    expect(idsIn(await inside({ resellerId }, (tx) => allOf(tx, table)), 'reseller_id')).toEqual([resellerId])
  })

  test.each(OF_RESELLERS)('%s shows nothing without a reseller in the scope', async (table) => {
    expect(await inside({}, (tx) => allOf(tx, table))).toEqual([])
  })

  test.each(['zones', 'cameras', 'devices', 'user_cameras', 'user_zones', 'recording_runs'] as const)(
    'a reseller does not see %s of its accounts',
    async (table) => {
      expect(await inside({ resellerId: fixture.world.own.resellerId }, (tx) => allOf(tx, table))).toEqual([])
    },
  )

  test('only the organization’s own staff, staff accounts and profiles are visible', async () => {
    const { resellerId } = fixture.world.own
    const staff = await inside({ resellerId }, (tx) => allOf(tx, 'staff'))
    expect(idsIn(staff, 'organisation_id')).toEqual([resellerId])
    const mine = new Set(idsIn(staff, 'user_id'))
    const limited = await inside({ resellerId }, (tx) => allOf(tx, 'staff_accounts'))
    expect(limited.length).toBeGreaterThan(0)
    expect(limited.filter((row) => !mine.has(row.user_id))).toEqual([])
    const profiles = await inside({ resellerId }, (tx) => allOf(tx, 'permission_profiles'))
    expect(new Set(idsIn(profiles, 'organisation_id'))).toEqual(new Set([2, resellerId]))
  })

  test('only the organization’s own audit log is visible', async () => {
    const { resellerId } = fixture.world.own
    expect(idsIn(await inside({ resellerId }, (tx) => allOf(tx, 'audit_log')), 'account_id')).toEqual([resellerId])
  })

  test('an entry can be added to a reseller’s log without access to its accounts', async () => {
    const { resellerId, staffId, accounts } = fixture.world.own
    const { accountId } = accounts[0]
    const scope = { organisationId: accountId, userId: staffId, logOfResellerId: resellerId }
    const seen = await app.inOrganisation(scope, async (tx) => {
      await sql`insert into audit_log (account_id, audit_log_id, action) values (${resellerId}, 7, 'x')`.execute(tx)
      return { accounts: await allOf(tx, 'accounts'), users: await allOf(tx, 'users') }
    })
    expect(idsIn(seen.accounts, 'account_id')).toEqual([accountId])
    expect(idsIn(seen.users, 'account_id')).toEqual([accountId])
    await fixture.journal.undo()
  })

  test('a reseller’s staff cannot add, delete or change resellers, nor change a distributor', async () => {
    const { resellerId } = fixture.world.own
    const { far } = fixture.world
    const change = (statement: ReturnType<typeof sql>) => inside({ resellerId }, (tx) => statement.execute(tx))
    await expect(
      change(sql`insert into resellers (reseller_id, distributor_id, name) values (7, ${far.distributorId}, 'x')`),
    ).rejects.toThrow(/row-level security/)
    expect((await change(sql`delete from resellers`)).numAffectedRows).toBe(0n)
    expect((await change(sql`update distributors set name = 'x'`)).numAffectedRows).toBe(0n)
    expect(
      (await change(sql`update resellers set name = 'x' where reseller_id <> ${resellerId}`)).numAffectedRows,
    ).toBe(0n)
    await fixture.journal.undo()
  })
})

describe('hosts of brands', () => {
  const add = (scope: Partial<OrganisationScope>, resellerId: number) => {
    const { staffId } = fixture.world.own
    const insert = (tx: Tx) =>
      tx.insertInto('brand_hosts').values({ host: 'taken.tenancy.example', reseller_id: resellerId }).execute()
    return app.inOrganisation({ organisationId: fixture.world.own.resellerId, userId: staffId, ...scope }, insert)
  }

  test('can be read by anyone, because a host’s brand is public', async () => {
    const hosts = idsIn(await allOf(app.plain, 'brand_hosts'), 'host')
    expect(hosts).toEqual(expect.arrayContaining([fixture.world.own.host, fixture.world.foreign.host]))
  })

  test('cannot be added by a reseller, its accounts or another distributor', async () => {
    const { own, far } = fixture.world
    const { accountId } = own.accounts[0]
    await expect(add({ resellerId: own.resellerId }, own.resellerId)).rejects.toThrow(/row-level security/)
    await expect(add({ distributorId: far.distributorId }, own.resellerId)).rejects.toThrow(/row-level security/)
    const insert = (tx: Tx) =>
      tx.insertInto('brand_hosts').values({ host: 'taken.tenancy.example', reseller_id: own.resellerId }).execute()
    await expect(app.inTenant({ accountId, userId: accountId }, insert)).rejects.toThrow(/row-level security/)
  })

  test('are added and removed only in their distributor’s scope, and never moved to another brand', async () => {
    const { own, far } = fixture.world
    await add({ distributorId: own.distributorId }, own.resellerId)
    const remove = (distributorId: number) =>
      app.inOrganisation(
        { organisationId: distributorId, userId: own.staffId, distributorId },
        async (tx) =>
          (await sql`delete from brand_hosts where reseller_id = ${own.resellerId}`.execute(tx)).numAffectedRows,
      )
    expect(await remove(far.distributorId)).toBe(0n)
    const move = sql`update brand_hosts set reseller_id = ${far.emptyResellerId}`
    const scope = { organisationId: own.resellerId, userId: own.staffId, distributorId: own.distributorId }
    await expect(app.inOrganisation(scope, (tx) => move.execute(tx))).rejects.toThrow('permission denied')
    expect(await remove(own.distributorId)).toBe(2n)
    await fixture.journal.undo()
  })
})

describe('contact details of a distributor or reseller', () => {
  const PRIVATE = [
    ['distributors', 'email, country, contact_details'],
    ['resellers', 'contact_details, zoho_id'],
  ] as const
  const scopes: readonly (readonly [string, <T>(work: (tx: Tx) => Promise<T>) => Promise<T>])[] = [
    ['no scope', (work) => app.transaction(work)],
    ['an account', (work) => app.inTenant({ accountId: fixture.world.own.accounts[0].accountId, userId: 1 }, work)],
    ['the provider', (work) => app.inOrganisation({ organisationId: PROVIDER_ID, userId: 1, isProvider: true }, work)],
  ]

  test.each(PRIVATE)('are not in the columns of %s that anyone can read', async (table, columns) => {
    for (const [name, within] of scopes) {
      for (const column of columns.split(', ')) {
        const query = within((tx) => sql`select ${sql.ref(column)} from ${sql.table(table)}`.execute(tx))
        await expect(query, `${name}: ${column}`).rejects.toThrow('permission denied')
      }
      await within((tx) => sql`select name, theme from ${sql.table(table)}`.execute(tx))
    }
  })

  const organisation = (scope: Partial<OrganisationScope>, table: keyof Database) => {
    const { resellerId, staffId } = fixture.world.own
    const whole = { organisationId: resellerId, userId: staffId, ...scope }
    return app.inOrganisation(whole, (tx) => allOf(tx, table))
  }

  test('of a reseller are visible only in its own scope and its distributor’s', async () => {
    const { resellerId } = fixture.world.own
    expect(idsIn(await organisation({ resellerId }, 'reseller_details'), 'reseller_id')).toEqual([resellerId])
    const { far } = fixture.world
    const { distributorId } = far
    const ofFar = idsIn(await organisation({ distributorId }, 'reseller_details'), 'reseller_id')
    expect(ofFar).toContain(far.emptyResellerId)
    expect(ofFar).not.toContain(resellerId)
    for (const scope of [{}, { logOfResellerId: resellerId }]) {
      expect(await organisation(scope, 'reseller_details')).toEqual([])
    }
  })

  test('of a distributor are visible to itself and the provider, but not to its resellers', async () => {
    const { far, own } = fixture.world
    const { distributorId } = far
    const itself = await organisation({ organisationId: distributorId, distributorId }, 'distributor_details')
    expect(idsIn(itself, 'distributor_id')).toEqual([distributorId])
    expect(await organisation({ resellerId: own.resellerId }, 'distributor_details')).toEqual([])
    expect(await organisation({ distributorId }, 'distributor_details'), 'only its log').toEqual([])
    const all = await organisation({ organisationId: PROVIDER_ID, isProvider: true }, 'distributor_details')
    expect(idsIn(all, 'distributor_id')).toContain(distributorId)
  })

  test.each(['distributor_details', 'reseller_details'] as const)('in %s are not visible to members', async (table) => {
    for (const account of [fixture.world.own.accounts[0], fixture.world.foreign.accounts[0]]) {
      const { accountId } = account
      expect(await app.inTenant({ accountId, userId: accountId }, (tx) => allOf(tx, table))).toEqual([])
    }
    expect(await allOf(app.plain, table)).toEqual([])
  })
})

test('no GET relies on the database alone: without row-level security it shows nothing of another tenant either', async ({
  annotate,
}) => {
  const served = fixture.servedWithoutWall()
  await using frame = await fixture.openFrame(served)
  const findings: TenancyFinding[] = []
  let tried = 0
  const reading = entries.filter(({ route }) => route.method === 'GET' && served.some((each) => each.route === route))
  for (const entry of reading) {
    const asked = fixture.everybody.filter(({ name }) => swappers.has(name))
    // What is one's own and allowed needs no proof here, but that the calls work at all: one caller's is enough.
    const cases = listCases(entry, fixture.world, asked).filter(
      ({ target, who }) => target !== 'own' || who === asked[0],
    )
    const report = await tryOperation(entry, cases, { ...fixture, frame })
    tried += report.tried.length
    findings.push(...report.findings)
  }
  await annotate(`${tried} cases`)
  expect(tried).toBeGreaterThan(1000)
  expect(findings.map(describeFinding)).toEqual([])
})
