import { MAX_MOBILE_SUBSCRIPTIONS } from '@sightline/contract/mobile-subscriptions'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { resellers } from '../resellers/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { mobileSubscriptions } from './index.ts'

describe.each(engines)('mobile subscriptions on %s', (_engine, open) => {
  let api: TestApi
  let dealer: string
  let cards = 0
  beforeAll(async () => {
    api = await testApi({ slices: [mobileSubscriptions, resellerAccounts, resellers], open })
    dealer = (await api.addStaff()).token
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const freshIccid = () => {
    cards += 1
    return `8944${String(cards).padStart(14, '0')}`
  }
  const listOf = (accountId: number) => `resellers/self/accounts/${accountId}/mobileSubscriptions`
  const add = (accountId: number, iccid = freshIccid(), sku = 'DATA-1GB') =>
    api.call(dealer, `POST ${listOf(accountId)}`, { iccid, sku })

  test('a dealer adds a SIM card to an account, changes its plan, suspends it, ends it and removes it', async () => {
    const { accountId } = await api.addAccount()
    const iccid = freshIccid()
    expect((await api.call(dealer, `GET ${listOf(accountId)}`)).body).toEqual([])
    const added = await add(accountId, iccid)
    const { mobileSubscriptionId } = added.body
    expect(added).toMatchObject({
      status: 201,
      body: { iccid, sku: 'DATA-1GB', status: 'active', endDate: null, usedMB: null },
    })
    const one = `${listOf(accountId)}/${mobileSubscriptionId}`
    const location = `/rest/v2.4/resellers/255/accounts/${accountId}/mobileSubscriptions/${mobileSubscriptionId}`
    expect(added.headers.get('location')?.replace('self', '255')).toBe(location)
    expect((await api.call(dealer, `GET ${listOf(accountId)}`)).body).toEqual([added.body])
    expect((await api.call(dealer, `GET ${one}`)).body).toEqual(added.body)
    const changed = await api.call(dealer, `PATCH ${one}`, { sku: 'DATA-5GB', status: 'suspended' })
    expect(changed).toMatchObject({ status: 200, body: { sku: 'DATA-5GB', status: 'suspended', endDate: null } })
    const ended = await api.call(dealer, `PATCH ${one}`, { status: 'ended' })
    expect(ended.body).toMatchObject({ status: 'ended', endDate: expect.any(String) })
    expect((await api.call(dealer, `PATCH ${one}`, { sku: 'DATA-9GB' })).body.endDate).toBe(ended.body.endDate)
    expect((await api.call(dealer, `DELETE ${one}`)).status).toBe(204)
    expect(await api.call(dealer, `DELETE ${one}`)).toMatchObject({ status: 404, body: { code: 4 } })
    expect((await api.call(dealer, `PATCH ${one}`, { sku: 'A' })).status).toBe(404)
    expect((await api.call(dealer, `GET ${one}`)).status).toBe(404)
  })

  test('each change is in the logs of the account and of the reseller', async () => {
    const { accountId } = await api.addAccount()
    const { mobileSubscriptionId } = (await add(accountId)).body
    await api.call(dealer, `PATCH ${listOf(accountId)}/${mobileSubscriptionId}`, { status: 'suspended' })
    await api.call(dealer, `DELETE ${listOf(accountId)}/${mobileSubscriptionId}`)
    const entries = await api.owner.plain
      .selectFrom('audit_log')
      .select(['account_id', 'action'])
      .where('target_id', '=', accountId)
      .where('action', 'like', '%MobileSubscription')
      .execute()
    for (const log of [accountId, 255]) {
      const actions = entries.filter(({ account_id }) => account_id === log).map(({ action }) => action)
      const expected = ['addMobileSubscription', 'deleteMobileSubscription', 'patchMobileSubscription']
      expect(actions.sort()).toEqual(expected)
    }
  })

  test('an ICCID in use is refused with code 6, whoever uses it; after its subscription ended it is free', async () => {
    const [one, other] = [await api.addAccount(), await api.addAccount({ resellerId: await api.addReseller() })]
    const iccid = freshIccid()
    const first = (await add(one.accountId, iccid)).body
    const admin = (await api.addStaff({ level: 'admin' })).token
    const { reseller_id } = await api.owner.plain
      .selectFrom('accounts')
      .select('reseller_id')
      .where('account_id', '=', other.accountId)
      .executeTakeFirstOrThrow()
    const theirs = `resellers/${reseller_id}/accounts/${other.accountId}/mobileSubscriptions`
    const card = { iccid, sku: 'DATA-1GB' }
    expect(await api.call(admin, `POST ${theirs}`, card)).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await add(one.accountId, iccid)).toMatchObject({ status: 409, body: { code: 6 } })
    const path = `${listOf(one.accountId)}/${first.mobileSubscriptionId}`
    await api.call(dealer, `PATCH ${path}`, { status: 'ended' })
    expect((await api.call(admin, `POST ${theirs}`, card)).status).toBe(201)
    // Its former subscription can't get the card back while another one has it (operation 47).
    const again = await api.call(dealer, `PATCH ${path}`, { status: 'active' })
    expect(again).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await api.call(dealer, `GET ${path}`)).body.status).toBe('ended')
  })

  test('of 20 parallel requests with one ICCID, one succeeds', async () => {
    const { accountId } = await api.addAccount()
    const iccid = freshIccid()
    const replies = await Promise.all(Array.from({ length: 20 }, () => add(accountId, iccid)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('a wrong ICCID or SKU is refused with code 3 and the field', async () => {
    const { accountId } = await api.addAccount()
    const wrong = await add(accountId, '8944501310180001323')
    expect(wrong).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'iccid' }] } })
    expect(await add(accountId, freshIccid(), 'A B')).toMatchObject({ status: 400, body: { code: 3 } })
    const { mobileSubscriptionId } = (await add(accountId)).body
    const patch = await api.call(dealer, `PATCH ${listOf(accountId)}/${mobileSubscriptionId}`, { status: 'lost' })
    expect(patch).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a subscription of another account, and accounts out of scope, are not found (code 4)', async () => {
    const [one, other] = [await api.addAccount(), await api.addAccount()]
    const { mobileSubscriptionId } = (await add(one.accountId)).body
    const elsewhere = (await api.addStaff({ resellerId: await api.addReseller() })).token
    for (const method of ['GET', 'DELETE']) {
      const path = `${listOf(other.accountId)}/${mobileSubscriptionId}`
      expect((await api.call(dealer, `${method} ${path}`)).status).toBe(404)
    }
    const card = { iccid: freshIccid(), sku: 'A' }
    for (const request of ['GET', 'POST']) {
      const reply = await api.call(
        elsewhere,
        `${request} ${listOf(one.accountId)}`,
        request === 'GET' ? undefined : card,
      )
      expect(reply).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })

  test('staff need the permission for subscriptions to change them, and the brand its module', async () => {
    const { accountId } = await api.addAccount()
    const { token } = await api.addStaff({ permissions: ['viewAccounts'] })
    const card = { iccid: freshIccid(), sku: 'A' }
    expect((await api.call(token, `GET ${listOf(accountId)}`)).status).toBe(200)
    expect((await api.call(token, `POST ${listOf(accountId)}`, card)).status).toBe(403)
    const resellerId = await api.addReseller()
    const admin = (await api.addStaff({ level: 'admin' })).token
    const bare = await api.addAccount({ resellerId })
    await api.call(admin, `PATCH resellers/${resellerId}/modules`, { mobileSubscriptions: false })
    const path = `resellers/${resellerId}/accounts/${bare.accountId}/mobileSubscriptions`
    for (const request of [`GET ${path}`, `POST ${path}`]) {
      const reply = await api.call(admin, request, request.startsWith('GET') ? undefined : card)
      expect(reply).toMatchObject({ status: 403, body: { code: 9 } })
    }
  })

  test('an account has at most 500 (code 6), and its deletion frees its cards', async () => {
    const { accountId } = await api.addAccount()
    const rows = Array.from({ length: MAX_MOBILE_SUBSCRIPTIONS }, (_, index) => ({
      account_id: accountId,
      mobile_subscription_id: accountId + index,
      iccid: freshIccid(),
      sku: 'A',
    }))
    await api.owner.plain.insertInto('mobile_subscriptions').values(rows).execute()
    expect(await add(accountId)).toMatchObject({ status: 409, body: { code: 6 } })
    const removed = await api.call(dealer, `DELETE resellers/self/accounts/${accountId}`)
    expect(removed.status).toBe(204)
    const other = await api.addAccount()
    expect((await add(other.accountId, rows[0]?.iccid)).status).toBe(201)
  })
})
