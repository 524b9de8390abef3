import { allRoutes } from '@sightline/contract/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../api-testing.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Two resellers under one distributor, each with an account, a camera, a package and staff. */
async function twoResellers() {
  const one = await api.addReseller()
  const other = await api.addReseller()
  const accounts = []
  for (const resellerId of [one, other]) {
    const account = await api.addAccount({ resellerId })
    await api.addCamera(account.accountId, account.zoneId, 'Door')
    await api.addPackage(900, { resellerId })
    await api.addStaff({ resellerId })
    accounts.push(account)
  }
  return { one, other, accounts }
}

test('a query in a reseller’s scope without a filter sees only that reseller', async () => {
  const { one, accounts } = await twoResellers()
  const seen = await api.app.inOrganisation({ organisationId: one, userId: 1, resellerId: one }, async (tx) => ({
    accounts: await tx.selectFrom('accounts').select('reseller_id').execute(),
    users: await tx.selectFrom('users').select('reseller_id').execute(),
    packages: await tx.selectFrom('subscription_packages').select('reseller_id').execute(),
    staff: await tx.selectFrom('staff').select('reseller_id').execute(),
    usage: (await sql<{ cameras: number }>`select * from usage_of_accounts(null)`.execute(tx)).rows,
    byMacAddress: (
      await sql<{ account_id: number }>`select account_id from accounts_with_mac_address('020000000001')`.execute(tx)
    ).rows,
    // The content of an account isn't visible at all, only its size.
    cameras: await tx.selectFrom('cameras').selectAll().execute(),
    zones: await tx.selectFrom('zones').selectAll().execute(),
  }))
  const own = [{ reseller_id: one }]
  expect(seen).toMatchObject({ accounts: own, users: own, packages: own, staff: own, cameras: [], zones: [] })
  expect(seen.usage).toMatchObject([{ cameras: 1 }])
  expect(seen.byMacAddress).toEqual([{ account_id: accounts[0]?.accountId }])
})

test('a reseller’s scope can’t write anything of another reseller', async () => {
  const { one, other, accounts } = await twoResellers()
  const foreign = accounts[1]?.accountId ?? 0
  const scope = { organisationId: one, userId: 1, resellerId: one }
  const renamed = await api.app.inOrganisation(scope, (tx) =>
    tx.updateTable('accounts').set({ name: 'Taken' }).where('account_id', '=', foreign).executeTakeFirst(),
  )
  expect(renamed.numUpdatedRows).toBe(0n)
  const writes = [
    sql`insert into audit_log (account_id, audit_log_id, action) values (${other}, 1, 'forged')`,
    sql`insert into audit_log (account_id, audit_log_id, action) values (${foreign}, 2, 'forged')`,
    sql`update accounts set reseller_id = ${other}`,
  ]
  for (const write of writes) {
    await expect(api.app.inOrganisation(scope, (tx) => write.execute(tx))).rejects.toThrow('row-level security')
  }
})

test.each(['accounts', 'users', 'staff', 'subscriptions', 'subscription_packages', 'audit_log'])(
  'without a scope a query on %s fails or finds nothing',
  async (table) => {
    await twoResellers()
    const rows = await sql`select * from ${sql.table(table)}`
      .execute(api.app.plain)
      .then((found) => found.rows)
      .catch((error: Error) => error.message)
    if (typeof rows === 'string') expect(rows).toMatch(/app\.account|bigint/)
    else expect(rows).toEqual([])
  },
)

test('account counts are visible only in the scope of their reseller and distributor', async () => {
  const { one, other } = await twoResellers()
  const elsewhere = await api.addDistributor()
  const ask = (scope: { resellerId?: number; distributorId?: number }) =>
    api.app.inOrganisation({ organisationId: 7, userId: 1, ...scope }, async (tx) => {
      const { rows } = await sql<{ reseller_id: number }>`
        select reseller_id from accounts_of_resellers(${[one, other]}::bigint[]) order by 1`.execute(tx)
      return rows.map((row) => row.reseller_id)
    })
  expect(await ask({ resellerId: one })).toEqual([one])
  expect(await ask({ distributorId: 1 })).toEqual([one, other].sort((a, b) => a - b))
  expect(await ask({ distributorId: elsewhere })).toEqual([])
})

/** Bodies with which each call would get as far as looking for the reseller. */
const bodies: Readonly<Record<string, unknown>> = {
  addAccount: {
    contactDetails: { firstName: 'Ada', lastName: 'Byron' },
    email: 'ada@demo.example',
    subscriptionId: 900,
  },
  moveAccount: { resellerId: 255 },
  putZohoId: { zohoId: '1' },
  patchSubscription: { subscriptionId: 900 },
  putSubscriptionPackage: { name: 'P', sku: 'P', quality: 'SD1', retention: 168, maxAmountOfCameras: 1 },
  addResellerReport: { type: 'billing', from: '2026-11-01', till: '2026-11-02' },
  addBrandHost: { host: 'brand.example' },
  addMobileSubscription: { iccid: '8931440400000000008', sku: 'IOT' },
  addFirmwareImage: { brand: 'Acme', model: 'Dome', version: '2.0', sizeBytes: 3 },
  putFirmwarePart: { data: 'YWJj' },
  addResellerStaff: { email: 'new@demo.example', firstName: 'New', lastName: 'Person' },
}

test('a reseller out of scope and a nonexistent one get identical replies on every call', async () => {
  const { accounts } = await twoResellers()
  const elsewhere = await api.addReseller({ distributorId: await api.addDistributor() })
  const staff = {
    reseller: (await api.addStaff({ resellerId: await api.addReseller() })).token,
    distributor: (await api.addStaff({ level: 'distributor' })).token,
  }
  const routes = allRoutes.filter(
    (route) => route.plane === 'api' && route.callers !== 'members' && route.path.startsWith('resellers/{resellerId}'),
  )
  expect(routes.length).toBeGreaterThan(25)
  for (const route of routes) {
    const token = route.level === 'distributor' ? staff.distributor : staff.reseller
    const ask = async (resellerId: number, accountId: number) => {
      const path = route.path
        .replace('{resellerId}', String(resellerId))
        .replace('{accountId}', String(accountId))
        .replaceAll(/\{\w+\}/g, '900')
      const query = route.name === 'findAccountUsers' ? '?email=ada@demo.example' : ''
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : (bodies[route.name] ?? {})
      const { status, body: answer } = await api.call(token, `${route.method} ${path}${query}`, body)
      return { status, text: JSON.stringify(answer) }
    }
    const missing = await ask(123, accounts[0]?.accountId ?? 0)
    expect(missing, route.name).toMatchObject({ status: 404 })
    expect(await ask(elsewhere, accounts[0]?.accountId ?? 0), route.name).toEqual(missing)
  }
})

test('another reseller’s account is as unknown as a nonexistent one', async () => {
  const { one, accounts } = await twoResellers()
  const { token } = await api.addStaff({ resellerId: one })
  const foreign = accounts[1]?.accountId
  for (const request of ['GET resellers/self/accounts/ID', 'DELETE resellers/self/accounts/ID']) {
    const answers = await Promise.all(
      [foreign, 5].map(async (id) => (await api.call(token, request.replace('ID', String(id)))).body),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ code: 4 })
  }
})
