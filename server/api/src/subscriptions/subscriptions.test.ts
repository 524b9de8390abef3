import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subscriptions } from './index.ts'

describe.each(engines)('subscriptions on %s', (_engine, open) => {
  let api: TestApi
  let dealer: string
  let distributor: string
  beforeAll(async () => {
    api = await testApi({ slices: [resellerAccounts, subscriptions], open })
    api.now = Date.parse('2026-11-21T23:30:00Z')
    dealer = (await api.addStaff()).token
    distributor = (await api.addStaff({ level: 'distributor' })).token
    await api.addPackage(1)
    await api.addPackage(2, { quality: 'HD1', days: 30, maxCameras: 20 })
    await api.addPackage(3, { quality: 'CM10', days: 0, maxCameras: 200 })
    await api.addPackage(4, { available: false })
    await api.addPackage(5, { maxCameras: 1 })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const subscribed = async (packageId = 1) => {
    const account = await api.addAccount()
    const path = `resellers/self/accounts/${account.accountId}/subscriptions`
    const change = (body: object, token = dealer) => api.call(token, `PATCH ${path}/current`, body)
    const first = await change({ subscriptionId: packageId })
    expect(first.status).toBe(200)
    return { ...account, path, change, first }
  }

  test('the first subscription starts today in the account’s time zone and lasts a year', async () => {
    const { accountId, token, first } = await subscribed()
    expect(first.body).toMatchObject({
      subscriptionId: 1,
      subscriptionPackageId: 1,
      nextSubscriptionId: 1,
      nextSubscriptionPackageId: 1,
      startDate: '2026-11-21',
      endDate: '2027-11-20',
      contractPeriod: 12,
      quality: 'SD1',
      retention: 168,
      maxAmountOfCameras: 10,
    })
    expect((await api.call(token, 'GET accounts/self/subscriptions/current')).body).toEqual(first.body)
    await api.owner.plain.deleteFrom('subscriptions').where('account_id', '=', accountId).execute()
    expect((await api.call(token, 'GET accounts/self/subscriptions/current')).status).toBe(404)
    await api.owner.plain
      .updateTable('accounts')
      .set({ time_zone: 'Asia/Tokyo' })
      .where('account_id', '=', accountId)
      .execute()
    const path = `PATCH resellers/self/accounts/${accountId}/subscriptions/current`
    expect((await api.call(dealer, path, { subscriptionPackageId: 1 })).body.startDate).toBe('2026-11-22')
  })

  test('an upgrade applies immediately and less after the last day; the current package reverts it, and -1 cancels', async () => {
    const { change } = await subscribed()
    expect((await change({ subscriptionId: 2 })).body).toMatchObject({
      subscriptionId: 2,
      nextSubscriptionId: 2,
      endDate: '2027-11-20',
    })
    expect((await change({ subscriptionId: 3 })).body).toMatchObject({ subscriptionId: 2, nextSubscriptionId: 3 })
    expect((await change({ subscriptionId: 2 })).body).toMatchObject({ subscriptionId: 2, nextSubscriptionId: 2 })
    expect((await change({ nextSubscriptionPackageId: -1 })).body).toMatchObject({
      subscriptionId: 2,
      nextSubscriptionId: -1,
    })
    expect((await change({ nextSubscriptionId: 1 })).body).toMatchObject({ nextSubscriptionPackageId: 1 })
  })

  test('unavailable and too small packages return code 6, unknown ones 4, and no choice or two return 3', async () => {
    const { accountId, zoneId, change } = await subscribed()
    for (const name of ['One', 'Two']) await api.addCamera(accountId, zoneId, name)
    const code = async (body: object) => (await change(body)).body.code
    expect(await code({ subscriptionId: 4 })).toBe(6)
    expect(await code({ subscriptionId: 5 })).toBe(6)
    expect(await code({ subscriptionId: 99 })).toBe(4)
    expect(await code({})).toBe(3)
    expect(await code({ subscriptionId: 1, nextSubscriptionId: 2 })).toBe(3)
    expect(await code({ subscriptionId: -1 })).toBe(3)
  })

  test('the subscription of an inactive account can’t be changed by anyone (code 6)', async () => {
    const { accountId, change } = await subscribed()
    await api.call(dealer, `PATCH resellers/self/accounts/${accountId}`, { status: 'inactive' })
    expect(await change({ subscriptionId: 2 })).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('the owner can choose if the account allows it and is active; ids in the path are checked', async () => {
    const { accountId, token } = await subscribed()
    const request = 'PATCH resellers/255/accounts/self/subscriptions/current'
    const choice = { subscriptionId: 2 }
    const flag = (changes: object) =>
      api.owner.plain.updateTable('accounts').set(changes).where('account_id', '=', accountId).execute()
    expect(await api.call(token, request, choice)).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(token, 'GET accounts/self/subscriptions')).status).toBe(403)
    await flag({ user_self_service_management: true, status: 'inactive' })
    expect(await api.call(token, request, choice)).toMatchObject({ status: 403, body: { code: 9 } })
    await flag({ status: 'active' })
    expect(await api.call(token, request, choice)).toMatchObject({ status: 200, body: { subscriptionId: 2 } })
    await flag({ user_type: 'trial' })
    expect(await api.call(token, request, choice)).toMatchObject({ status: 403, body: { code: 9 } })
    await flag({ user_type: 'regular' })
    const other = await subscribed()
    const foreign = `PATCH resellers/255/accounts/${other.accountId}/subscriptions/current`
    expect(await api.call(token, foreign, choice)).toMatchObject({ status: 404, body: { code: 4 } })
    const sub = await api.addSubUser(accountId, { rights: [] })
    expect(await api.call(sub.token, request, choice)).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(sub.token, 'GET accounts/self/subscriptions/current')).status).toBe(200)
  })

  test('the available packages are listed, without billing names for the owner', async () => {
    const { accountId, token, path } = await subscribed()
    await api.owner.plain
      .updateTable('accounts')
      .set({ user_self_service_management: true })
      .where('account_id', '=', accountId)
      .execute()
    const own = await api.call(token, 'GET accounts/self/subscriptions?available=true')
    expect(own.body.map((one: { subscriptionId: number }) => one.subscriptionId)).toEqual([1, 2, 3, 5])
    expect(own.body[0]).not.toHaveProperty('priceReference')
    const dealers = await api.call(dealer, `GET ${path}?available=false`)
    expect(dealers.body).toMatchObject([{ subscriptionId: 4, priceReference: null }])
  })

  test('a distributor writes packages; a reseller reads them', async () => {
    const given = {
      name: 'Custom_10',
      sku: null,
      quality: null,
      retention: null,
      maxAmountOfCameras: 10,
      priceReference: 'X-10',
    }
    const request = 'PUT resellers/255/subscriptionPackages/50'
    expect(await api.call(dealer, request, given)).toMatchObject({ status: 403, body: { code: 9 } })
    const put = await api.call(distributor, request, given)
    expect(put).toMatchObject({
      status: 200,
      body: { subscriptionPackageId: 50, ...given, available: true, valid: true },
    })
    const listed = await api.call(dealer, 'GET resellers/self/subscriptionPackages')
    expect(listed.body).toContainEqual(put.body)
    const { accountId, zoneId } = await subscribed(50)
    for (const name of ['One', 'Two']) await api.addCamera(accountId, zoneId, name)
    const smaller = await api.call(distributor, request, { ...given, maxAmountOfCameras: 1 })
    expect(smaller).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await api.call(distributor, request, { ...given, maxAmountOfCameras: 2 })).status).toBe(200)
    const foreign = await api.addReseller({ distributorId: await api.addDistributor() })
    expect((await api.call(distributor, `PUT resellers/${foreign}/subscriptionPackages/50`, given)).status).toBe(404)
  })

  test('a limit of the account above the new package’s limit is removed', async () => {
    const { accountId, change } = await subscribed(2)
    const account = `resellers/self/accounts/${accountId}`
    await api.call(dealer, `PATCH ${account}`, { maxCameras: 15 })
    await api.owner.plain
      .updateTable('subscriptions')
      .set({ end_date: '2026-11-01', next_subscription_package_id: 1 })
      .where('account_id', '=', accountId)
      .execute()
    expect((await change({ subscriptionId: 1 })).body).toMatchObject({ subscriptionId: 1, startDate: '2026-11-02' })
    expect((await api.call(dealer, `GET ${account}`)).body).toMatchObject({
      maxCameras: null,
      usage: { cameraSlots: 10 },
    })
  })

  test('a choice with an outdated If-Match is refused with 412', async () => {
    const { accountId, change, path } = await subscribed()
    const etag = (await api.call(dealer, `GET ${path}/current`)).headers.get('etag') ?? ''
    await change({ subscriptionId: 2 })
    const request = `PATCH resellers/255/accounts/${accountId}/subscriptions/current`
    expect((await api.call(dealer, request, { subscriptionId: 3 }, { 'if-match': etag })).status).toBe(412)
  })
})
