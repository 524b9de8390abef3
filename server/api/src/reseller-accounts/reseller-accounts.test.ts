import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { insights } from '../insights/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { subscriptions } from '../subscriptions/index.ts'
import { supportAccess } from '../support-access/index.ts'
import { zones } from '../zones/index.ts'
import { resellerAccounts } from './index.ts'

describe.each(engines)('accounts of a reseller on %s', (_engine, open) => {
  let api: TestApi
  let dealer: string
  beforeAll(async () => {
    api = await testApi({
      slices: [cameras, insights, resellerAccounts, subUsers, subscriptions, supportAccess, zones],
      open,
    })
    dealer = (await api.addStaff()).token
    await api.addPackage(1)
    await api.addPackage(2, { maxCameras: 2, available: false })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  let people = 0
  const customer = (given: object = {}) => {
    people += 1
    return {
      contactDetails: { firstName: 'Carla', lastName: 'Customer', companyName: 'Corner Shop', country: 'NL' },
      email: `carla-${people}@customer.example`,
      subscriptionId: 1,
      language: 'nl',
      timeZone: 'Europe/Amsterdam',
      ...given,
    }
  }
  const add = (given: object = {}, token = dealer) => api.call(token, 'POST resellers/self/accounts', customer(given))

  test('a new account has an owner, a zone and a subscription, and the owner gets an invitation by email', async () => {
    const added = await add()
    const { accountId } = added.body
    expect(added).toMatchObject({
      status: 201,
      body: {
        resellerId: 255,
        name: 'Corner Shop',
        email: `carla-${people}@customer.example`,
        status: 'active',
        userType: 'regular',
        timeZone: 'Europe/Amsterdam',
        language: 'nl',
        usage: { subUsers: 0, subUserSlots: 100, cameras: 0, cameraSlots: 10, devices: 0 },
        allowsHelpdeskExpirationDate: null,
      },
    })
    expect(added.headers.get('location')).toBe(`/rest/v2.4/resellers/255/accounts/${accountId}`)
    const owner = await api.owner.plain
      .selectFrom('users')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    // A super user's accountId equals the userId (specification §6).
    expect(owner).toMatchObject({ user_id: accountId, first_name: 'Carla', company_name: 'Corner Shop', country: 'NL' })
    const [mail] = (await api.askedMails()).slice(-1)
    expect(mail).toEqual({ kind: 'invitation', userId: accountId, to: added.body.email })
    const zones = await api.owner.plain.selectFrom('zones').select('name').where('account_id', '=', accountId).execute()
    expect(zones).toEqual([{ name: 'Thuis' }])
    const current = await api.call(dealer, `GET resellers/self/accounts/${accountId}/subscriptions/current`)
    expect(current.body).toMatchObject({ subscriptionPackageId: 1, nextSubscriptionPackageId: 1, contractPeriod: 12 })
    const logs = await api.owner.plain
      .selectFrom('audit_log')
      .select('account_id')
      .where('action', '=', 'addAccount')
      .where('target_id', '=', accountId)
      .execute()
    expect(logs.map((line) => line.account_id).sort((a, b) => a - b)).toEqual([255, accountId])
  })

  test('an email address that the reseller already has is refused with code 5, in any case', async () => {
    const first = await add()
    const again = await add({ email: first.body.email.toUpperCase() })
    expect(again).toMatchObject({ status: 409, body: { code: 5 } })
    const elsewhere = await api.addReseller()
    await api.addPackage(1, { resellerId: elsewhere })
    const { token } = await api.addStaff({ resellerId: elsewhere })
    expect((await add({ email: first.body.email }, token)).status).toBe(201)
  })

  test('an unavailable package is refused with code 4, and a missing one with code 3', async () => {
    const foreign = await api.addReseller()
    await api.addPackage(77, { resellerId: foreign })
    for (const subscriptionId of [2, 77, 12_345]) {
      expect(await add({ subscriptionId })).toMatchObject({ status: 404, body: { code: 4 } })
    }
    expect(await add({ subscriptionId: undefined })).toMatchObject({ status: 400, body: { code: 3 } })
    const both = await add({ subscriptionPackageId: 2 })
    expect(both).toMatchObject({ status: 400, body: { code: 3 } })
    expect((await add({ subscriptionId: undefined, subscriptionPackageId: 1 })).status).toBe(201)
  })

  test.each([
    [{ contactDetails: { firstName: '', lastName: 'Customer' } }, 'First name is required'],
    [{ contactDetails: { firstName: 'C<b>', lastName: 'Customer' } }, 'Please enter a valid name'],
    [{ email: 'nobody' }, 'Please enter a valid email address'],
    [{ timeZone: 'Mars/Olympus' }, 'Please choose a time zone from the list'],
  ])('%j is refused with code 3 and the message of the field', async (given, message) => {
    expect(await add(given)).toMatchObject({ status: 400, body: { code: 3, fields: [{ message }] } })
  })

  test('names may have 128 characters, as existing clients send them', async () => {
    const firstName = 'C'.repeat(128)
    expect((await add({ contactDetails: { firstName, lastName: 'Customer' } })).status).toBe(201)
  })

  test('an account’s own limit can’t exceed the package’s (code 7) or be below current use (code 6)', async () => {
    const refused = { maxCameras: 11, email: 'refused@customer.example' }
    expect(await add(refused)).toMatchObject({ status: 409, body: { code: 7 } })
    const owners = api.owner.plain.selectFrom('users').select('user_id').where('email', '=', refused.email)
    expect(await owners.execute(), 'of what was refused nothing is there').toEqual([])
    const { accountId } = (await add({ maxCameras: 3 })).body
    const [zone] = await api.owner.plain.selectFrom('zones').selectAll().where('account_id', '=', accountId).execute()
    for (const name of ['One', 'Two']) await api.addCamera(accountId, zone?.zone_id ?? 0, name)
    await api.addSubUser(accountId, { rights: [], email: `sub-${accountId}@customer.example` })
    const patch = (body: object) => api.call(dealer, `PATCH resellers/self/accounts/${accountId}`, body)
    expect(await patch({ maxCameras: 1 })).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await patch({ maxSubUsers: 0 })).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await patch({ maxCameras: 11 })).toMatchObject({ status: 409, body: { code: 7 } })
    const full = await patch({ maxCameras: 2, maxSubUsers: 1 })
    expect(full.body.usage).toMatchObject({ cameras: 2, cameraSlots: 2, subUsers: 1, subUserSlots: 1 })
    await expect(api.addCamera(accountId, zone?.zone_id ?? 0, 'Three')).rejects.toThrow('may hold 2 cameras')
    expect((await patch({ maxCameras: null })).body.usage.cameraSlots).toBe(10)
  })

  test.each([{ userType: 'demo' }, { status: 'suspended' }])(
    '%j ends the support grant with its own audit entry',
    async (change) => {
      const { accountId, token } = await api.addAccount()
      const open = { allowsHelpdeskExpirationDate: '2099-01-01T00:00:00Z' }
      const { body: before } = await api.call(token, 'PATCH users/self/status', open)
      const patch = (body: object) => api.call(dealer, `PATCH resellers/self/accounts/${accountId}`, body)
      expect((await patch({ maxSubUsers: 5 })).status).toBe(200)
      expect((await patch(change)).status).toBe(200)
      expect((await patch({ userType: 'regular', status: 'active' })).status).toBe(200)
      const lines = await api.owner.plain
        .selectFrom('audit_log')
        .select(['before', 'after', 'target_kind', 'target_id'])
        .where('account_id', '=', accountId)
        .where('action', '=', 'patchSupportAccess')
        .where('staff_id', 'is not', null)
        .execute()
      const after = { ...before, allowsHelpdeskExpirationDate: null }
      expect(lines).toEqual([{ before, after, target_kind: 'account', target_id: accountId }])
    },
  )

  test('status, flags and contact can be changed; a suspended account is signed out immediately', async () => {
    const { accountId, token } = await api.addAccount()
    const change = {
      status: 'inactive',
      userType: 'trial',
      featureFlags: { userSelfServiceManagement: true },
      contactDetails: { city: 'Delft' },
      subUsersBarred: true,
    }
    const changed = await api.call(dealer, `PATCH resellers/self/accounts/${accountId}`, change)
    expect(changed).toMatchObject({
      status: 200,
      body: { ...change, featureFlags: { userSelfServiceManagement: true, preventEditUserDetails: false } },
    })
    expect((await api.call(token, 'GET accounts/self')).body).toEqual(changed.body)
    await api.call(dealer, `PATCH resellers/self/accounts/${accountId}`, { status: 'suspended' })
    expect((await api.call(token, 'GET accounts/self')).status).toBe(401)
  })

  test('an account answers under its own id and as self; any other id is unknown', async () => {
    const { accountId, token } = await api.addAccount()
    const self = await api.call(token, 'GET accounts/self')
    expect(self).toMatchObject({ status: 200, body: { accountId, name: 'Shop' } })
    expect((await api.call(token, `GET accounts/${accountId}`)).body).toEqual(self.body)
    const other = await api.addAccount()
    expect((await api.call(token, `GET accounts/${other.accountId}`)).status).toBe(404)
  })

  test('accounts are listed in pages, searched by name or owner’s address, and limited to those the staff work with', async () => {
    const resellerId = await api.addReseller()
    await api.addPackage(1, { resellerId })
    const { token } = await api.addStaff({ resellerId })
    const names = ['delta', 'Alpha', '5_ off', 'charlie', 'Bravo']
    const ids = new Map<string, number>()
    for (const name of names) {
      const { body } = await add({ name, email: `${name.slice(0, 2)}x@list.example` }, token)
      ids.set(name, body.accountId)
    }
    const namesOf = (answer: { body: { name: string }[] }) => answer.body.map((one) => one.name)
    const first = await api.call(token, 'GET resellers/self/accounts?limit=3&count=true')
    expect([namesOf(first), first.headers.get('x-total-count')]).toEqual([['5_ off', 'Alpha', 'Bravo'], '5'])
    const next = /<\/rest\/v2\.4\/([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
    expect(namesOf(await api.call(token, `GET ${next}`))).toEqual(['charlie', 'delta'])
    expect(namesOf(await api.call(token, 'GET resellers/self/accounts?sort=-createdAt'))).toEqual(names.toReversed())
    expect(namesOf(await api.call(token, 'GET resellers/self/accounts?q=5_'))).toEqual(['5_ off'])
    // No character is a wildcard.
    expect(namesOf(await api.call(token, 'GET resellers/self/accounts?q=l_h'))).toEqual([])
    expect(namesOf(await api.call(token, 'GET resellers/self/accounts?q=ALX@list'))).toEqual(['Alpha'])
    expect(namesOf(await api.call(token, 'GET resellers/self/accounts?email=DEX@list.example'))).toEqual(['delta'])
    expect(namesOf(await api.call(token, 'GET resellers/self/accounts?status=inactive'))).toEqual([])
    const some = await api.addStaff({ resellerId, accountIds: [ids.get('Alpha') ?? 0] })
    expect(namesOf(await api.call(some.token, 'GET resellers/self/accounts'))).toEqual(['Alpha'])
    const hidden = await api.call(some.token, `GET resellers/self/accounts/${ids.get('delta')}`)
    expect(hidden).toMatchObject({ status: 404, body: { code: 4 } })
    // Staff limited to some accounts also work with those they add.
    const own = await add({ name: 'Echo' }, some.token)
    expect(own.status).toBe(201)
    expect(namesOf(await api.call(some.token, 'GET resellers/self/accounts'))).toEqual(['Alpha', 'Echo'])
  })

  test.each(['name', 'email', 'status', 'createdAt', 'accountId'])(
    'pages sorted by %s contain each account once',
    async (sort) => {
      const { token } = await api.addStaff()
      const seen: number[] = []
      for (let at: string | undefined = `resellers/self/accounts?sort=${sort}&limit=2`; at !== undefined; ) {
        const answer = await api.call(token, `GET ${at}`)
        seen.push(...answer.body.map((one: { accountId: number }) => one.accountId))
        at = /<\/rest\/v2\.4\/([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      }
      expect(new Set(seen).size).toBe(seen.length)
      const all = await api.owner.plain
        .selectFrom('accounts')
        .select('account_id')
        .where('reseller_id', '=', 255)
        .execute()
      expect(seen.length).toBe(all.length)
    },
  )

  test('an account with cameras can’t be removed (code 6); without cameras everything is deleted except its log', async () => {
    const { accountId } = (await add()).body
    const [zone] = await api.owner.plain.selectFrom('zones').selectAll().where('account_id', '=', accountId).execute()
    const cameraId = await api.addCamera(accountId, zone?.zone_id ?? 0, 'Door')
    const { userId } = await api.addSubUser(accountId, { rights: [], zoneIds: [zone?.zone_id ?? 0] })
    const request = `DELETE resellers/self/accounts/${accountId}`
    expect(await api.call(dealer, request)).toMatchObject({ status: 409, body: { code: 6 } })
    await api.owner.plain.deleteFrom('cameras').where('camera_id', '=', cameraId).execute()
    expect((await api.call(dealer, request)).status).toBe(204)
    expect((await api.call(dealer, request)).status).toBe(404)
    for (const table of ['accounts', 'users', 'zones', 'subscriptions', 'user_zones'] as const) {
      expect(await api.owner.plain.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()).toEqual(
        [],
      )
    }
    const forgotten = api.asked.filter(({ call }) => call === 'forgetUser').map((asked) => asked.userId)
    expect(forgotten).toEqual(expect.arrayContaining([accountId, userId]))
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select('action')
      .where('account_id', '=', accountId)
      .execute()
    expect(log.map((line) => line.action)).toEqual(['addAccount', 'deleteResellerAccount'])
  })

  test('a Zoho ID belongs to one account; an invalid one and one in use are refused with code 6', async () => {
    const [one, other] = [(await add()).body.accountId, (await add()).body.accountId]
    const put = (accountId: number, zohoId: string | null) =>
      api.call(dealer, `PUT resellers/self/accounts/${accountId}/zoho`, { zohoId })
    expect((await put(one, '4150868000000624001')).status).toBe(204)
    expect((await api.call(dealer, `GET resellers/self/accounts/${one}`)).body.zohoId).toBe('4150868000000624001')
    expect(await put(other, '4150868000000624001')).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await put(other, 'not an id!')).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await put(one, null)).status).toBe(204)
    expect((await put(other, '4150868000000624001')).status).toBe(204)
  })

  test('each call needs exactly its own permission', async () => {
    const { accountId } = await api.addAccount()
    const calls = {
      viewAccounts: ['GET resellers/self/accounts', undefined],
      editAccount: [`PATCH resellers/self/accounts/${accountId}`, { name: 'Renamed' }],
      editAccountUsers: [`PATCH resellers/self/accounts/${accountId}/users/${accountId}`, { language: 'de' }],
      viewInsights: ['GET resellers/self/insights', undefined],
    } as const
    for (const permission of Object.keys(calls) as (keyof typeof calls)[]) {
      const { token } = await api.addStaff({ permissions: [permission] })
      for (const [needed, [request, body]] of Object.entries(calls)) {
        const { status } = await api.call(token, request, body)
        expect([permission, needed, status]).toEqual([permission, needed, needed === permission ? 200 : 403])
      }
    }
  })

  test('staff can see and change an account’s users', async () => {
    const { accountId } = (await add()).body
    const users = `resellers/self/accounts/${accountId}/users`
    const listed = await api.call(dealer, `GET ${users}`)
    expect(listed.body).toMatchObject([{ userId: accountId, isOwner: true, blocked: false, language: 'nl' }])
    const change = { firstName: 'Clara', phone: '+31 20 555', language: 'de', timeZone: 'Asia/Tokyo' }
    const changed = await api.call(dealer, `PATCH ${users}/${accountId}`, change)
    expect(changed).toMatchObject({ status: 200, body: change })
    expect((await api.call(dealer, `GET ${users}/${accountId}`)).body).toEqual(changed.body)
    const other = await api.addAccount()
    expect((await api.call(dealer, `GET ${users}/${other.accountId}`)).status).toBe(404)
    expect((await api.call(dealer, `PATCH ${users}/${other.accountId}`, change)).status).toBe(404)
  })

  test('a search by email address finds only users of the reseller’s own accounts', async () => {
    const { body } = await add()
    const find = (token: string) => api.call(token, `GET resellers/self/accountUsers?email=${body.email.toUpperCase()}`)
    expect((await find(dealer)).body).toEqual([
      { userId: body.accountId, accountId: body.accountId, email: body.email },
    ])
    const foreign = await api.addStaff({ resellerId: await api.addReseller() })
    expect((await find(foreign.token)).body).toEqual([])
    const some = await api.addStaff({ accountIds: [] })
    expect((await find(some.token)).body).toEqual([])
  })

  describe('moving an account', () => {
    let distributor: string
    beforeAll(async () => {
      distributor = (await api.addStaff({ level: 'distributor' })).token
    })
    const put = (accountId: number, resellerId: number, token = distributor) =>
      api.call(token, `PUT resellers/255/accounts/${accountId}/reseller`, { resellerId })

    test('moves its users and the same package to another reseller, and ends support access', async () => {
      const { accountId } = (await add()).body
      const to = await api.addReseller()
      await api.addPackage(41, { resellerId: to })
      await api.owner.plain
        .updateTable('accounts')
        .set({ helpdesk_show_video: true })
        .where('account_id', '=', accountId)
        .execute()
      const moved = await put(accountId, to)
      expect(moved).toMatchObject({ status: 200, body: { resellerId: to, allowsHelpdeskShowVideo: false } })
      const theirs = (await api.addStaff({ resellerId: to })).token
      const current = await api.call(theirs, `GET resellers/self/accounts/${accountId}/subscriptions/current`)
      expect(current.body).toMatchObject({ subscriptionPackageId: 41, nextSubscriptionPackageId: 41 })
      expect((await api.call(dealer, `GET resellers/self/accounts/${accountId}`)).status).toBe(404)
      const logs = await api.owner.plain
        .selectFrom('audit_log')
        .select('account_id')
        .where('action', '=', 'moveAccount')
        .where('target_id', '=', accountId)
        .execute()
      expect(new Set(logs.map((line) => line.account_id))).toEqual(new Set([accountId, 255, to]))
    })

    test('is refused if the package is missing there or an address is taken (code 6)', async () => {
      const { accountId, email } = (await add()).body
      const empty = await api.addReseller()
      expect(await put(accountId, empty)).toMatchObject({ status: 409, body: { code: 6 } })
      const taken = await api.addReseller()
      await api.addPackage(1, { resellerId: taken })
      await api.addAccount({ resellerId: taken, email })
      expect(await put(accountId, taken)).toMatchObject({ status: 409, body: { code: 6 } })
      const still = await api.call(dealer, `GET resellers/self/accounts/${accountId}`)
      expect(still.body).toMatchObject({ resellerId: 255, email })
      const current = await api.call(dealer, `GET resellers/self/accounts/${accountId}/subscriptions/current`)
      expect(current.body.subscriptionPackageId).toBe(1)
    })

    test('works only between resellers in the caller’s scope; a reseller’s own staff can’t move accounts', async () => {
      const { accountId } = (await add()).body
      const elsewhere = await api.addReseller({ distributorId: await api.addDistributor() })
      await api.addPackage(1, { resellerId: elsewhere })
      expect(await put(accountId, elsewhere)).toMatchObject({ status: 404, body: { code: 4 } })
      expect(await put(accountId, elsewhere, dealer)).toMatchObject({ status: 403, body: { code: 9 } })
      const admin = await api.addStaff({ level: 'admin' })
      expect((await put(accountId, elsewhere, admin.token)).status).toBe(200)
    })
  })
})
