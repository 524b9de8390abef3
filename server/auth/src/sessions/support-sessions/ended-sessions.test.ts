import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, dealerToken } from '../../staff-testing.ts'
import {
  alive,
  begin,
  everythingHolds,
  grant,
  HOUR_MS,
  lines,
  modules,
  openSupport,
  PASSWORD,
  PERMISSIONS,
  staff,
  under,
} from '../../support-testing.ts'

beforeAll(openSupport)
beforeEach(everythingHolds)
afterAll(() => under[Symbol.asyncDispose]())

describe('a session ends at the next call when', () => {
  const change = (table: 'accounts' | 'staff' | 'resellers', values: object, where: readonly [string, number]) =>
    under.owner
      .updateTable(table)
      .set(values as never)
      .where(where[0] as never, '=', where[1] as never)
      .execute()
  test.each<readonly [string, () => Promise<unknown>]>([
    ['the grant is withdrawn', () => grant(1001, null)],
    ['the grant has expired', () => grant(1001, Date.now() - 1)],
    ['the permission is removed', () => change('staff', { permissions: ['viewAccounts'] }, ['user_id', 2001])],
    ['the module is turned off', () => modules(255, false)],
    ['the staff member is blocked', () => change('staff', { blocked: true }, ['user_id', 2001])],
    ['the account moves to another reseller', () => move(300)],
    ['the account is suspended', () => change('accounts', { status: 'suspended' }, ['account_id', 1001])],
    [
      'the staff member no longer works with the account',
      () => change('staff', { all_accounts: false }, ['user_id', 2001]),
    ],
  ])('%s', async (_, take) => {
    const token = await begin()
    expect(await alive(token)).toBe(200)
    await take()
    expect(await alive(token)).toBe(401)
    await change('staff', { all_accounts: true }, ['user_id', 2001])
  })

  async function move(resellerId: number): Promise<void> {
    await change('accounts', { reseller_id: resellerId }, ['account_id', 1001])
    await under.owner.updateTable('users').set({ reseller_id: resellerId }).where('account_id', '=', 1001).execute()
  }

  test('the grant expires', async () => {
    await grant(1001, Date.now() + 700)
    const token = await begin()
    expect(await alive(token)).toBe(200)
    await expect.poll(() => alive(token), { timeout: 3000 }).toBe(401)
  })

  test('the staff member signs out everywhere', async () => {
    const other = await staff('distributor')
    const token = await begin(other)
    await call(under, other, 'DELETE users/self/tokens/all')
    expect(await alive(token)).toBe(401)
  })

  test('the staff member ends it, which the log attributes to them', async () => {
    const token = await begin()
    expect((await call(under, token, 'DELETE users/self/tokens/current')).status).toBe(204)
    expect(await alive(token)).toBe(401)
    expect(await lines('logout')).toMatchObject([{ account_id: 1001, staff_id: 2001, actor_name: 'Dora Dealer' }])
  })

  test('the staff member leaves through /auth/logout and stays signed in as staff', async () => {
    const browser = under.browser()
    const token = await begin(await dealerToken(browser, 'dealer@demo.example', PASSWORD))
    await browser.request(`/auth/logout?token=${token}`)
    expect(await alive(token)).toBe(401)
    expect(JSON.parse((await browser.request('/auth/session')).text)).toEqual({ loggedIn: true, otherApp: 'dealer' })
    expect(await lines('logout')).toMatchObject([{ account_id: 1001, staff_id: 2001, actor_name: 'Dora Dealer' }])
  })
})

describe('a session that has ended stays ended', () => {
  test('when the owner allows access again', async () => {
    const token = await begin()
    await grant(1001, null)
    await grant(1001, Date.now() + HOUR_MS)
    expect(await alive(token)).toBe(401)
  })
  test('when the staff member is unblocked', async () => {
    const token = await begin()
    for (const blocked of [true, false])
      await under.owner.updateTable('staff').set({ blocked }).where('user_id', '=', 2001).execute()
    expect(await alive(token)).toBe(401)
  })
  const accounts = (values: object) =>
    under.owner
      .updateTable('accounts')
      .set(values as never)
      .where('account_id', '=', 1001)
      .execute()
  const dealers = (values: object) =>
    under.owner
      .updateTable('staff')
      .set(values as never)
      .where('user_id', '=', 2001)
      .execute()
  const users = (reseller_id: number) =>
    under.owner.updateTable('users').set({ reseller_id }).where('account_id', '=', 1001).execute()
  test.each<readonly [string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'the permission is granted again',
      () => dealers({ permissions: ['viewAccounts'] }),
      () => dealers({ permissions: [...PERMISSIONS] }),
    ],
    [
      'the staff member works with all accounts again',
      () => dealers({ all_accounts: false }),
      () => dealers({ all_accounts: true }),
    ],
    ['the account is active again', () => accounts({ status: 'suspended' }), () => accounts({ status: 'active' })],
    ['the module is on again', () => modules(255, false), () => modules(255, true)],
    [
      'the account comes back from another reseller',
      async () => {
        await accounts({ reseller_id: 300 })
        await users(300)
      },
      async () => {
        await accounts({ reseller_id: 255 })
        await users(255)
      },
    ],
  ])('when %s', async (_, take, giveBack) => {
    const token = await begin()
    await take()
    await giveBack()
    expect(await alive(token)).toBe(401)
  })
  test('when the account is assigned again; rewriting the same list ends nothing', async () => {
    const few = await staff('few')
    const token = await begin(few, 'resellers/255/accounts/1002/users/1002/tokens')
    const named = { user_id: 2003, account_id: 1002 }
    const anew = await under.owner.startTransaction().execute()
    await anew.deleteFrom('staff_accounts').where('user_id', '=', 2003).execute()
    await anew.insertInto('staff_accounts').values(named).execute()
    await anew.commit().execute()
    expect(await alive(token)).toBe(200)
    await under.owner.deleteFrom('staff_accounts').where('user_id', '=', 2003).execute()
    await under.owner.insertInto('staff_accounts').values(named).execute()
    expect(await alive(token)).toBe(401)
  })
  test.each([{ user_type: 'demo' }, { status: 'suspended' }, { reseller_id: 300 }])(
    'and so does the grant, when a dealer makes the account %j',
    async (change) => {
      const token = await begin()
      await accounts(change)
      expect(await alive(token)).toBe(401)
      const account = await under.owner
        .selectFrom('accounts')
        .select('helpdesk_expires_at')
        .where('account_id', '=', 1001)
        .executeTakeFirstOrThrow()
      expect(account.helpdesk_expires_at).toBeNull()
      await accounts({ user_type: 'regular', status: 'active', reseller_id: 255 })
    },
  )
  test('and never outlasts the grant at its start or the current one', async () => {
    const token = await begin()
    const until = async () =>
      Date.parse((await call(under, token, 'GET users/self/supportSession')).body.supportSession.until)
    const first = await until()
    await grant(1001, Date.now() + 5 * HOUR_MS)
    expect(await until()).toBe(first)
    const sooner = Date.now() + 60_000
    await grant(1001, sooner)
    expect(await until()).toBe(sooner)
  })
})
