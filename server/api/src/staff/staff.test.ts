import { allPermissions, type Permission } from '@sightline/contract/rights'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { distributors } from '../distributors/index.ts'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { resellers } from '../resellers/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { supportAccess } from '../support-access/index.ts'
import { users } from '../users/index.ts'
import { staff } from './index.ts'

describe.each(engines)('staff on %s', (_engine, open) => {
  let api: TestApi
  let chief: { userId: number; token: string }
  beforeAll(async () => {
    api = await testApi({
      slices: [cameras, distributors, resellerAccounts, resellers, staff, supportAccess, users],
      open,
    })
    chief = await api.addStaff()
  })
  afterAll(() => api[Symbol.asyncDispose]())

  let people = 0
  const somebody = (given: object = {}) => {
    people += 1
    return { email: `new-${people}@dealer.example`, firstName: 'Nina', lastName: 'New', ...given }
  }
  const only = (...granted: Permission[]) =>
    Object.fromEntries(allPermissions.map((permission) => [permission, granted.includes(permission)]))

  test('staff can read their own user, level and organization', async () => {
    const { token, userId } = await api.addStaff({ permissions: ['viewAccounts'], email: 'sam@dealer.example' })
    expect((await api.call(token, 'GET users/self')).body).toEqual({
      userId,
      accountId: 255,
      email: 'sam@dealer.example',
      firstName: 'Stella',
      lastName: 'Staff',
    })
    expect((await api.call(token, 'GET users/self/staff')).body).toMatchObject({
      level: 'reseller',
      resellerId: 255,
      distributorId: 1,
      organisationName: 'Reseller',
      permissions: only('viewAccounts'),
      modules: { whiteLabel: true },
    })
    const admin = await api.addStaff({ level: 'admin' })
    expect((await api.call(admin.token, 'GET users/self/staff')).body).toMatchObject({
      level: 'admin',
      resellerId: null,
      distributorId: null,
    })
  })

  test('staff limited to some accounts see only those among a colleague’s accounts', async () => {
    const { accountId: shared } = await api.addAccount()
    const { accountId: other } = await api.addAccount()
    const limited = await api.addStaff({ accountIds: [shared] })
    const colleague = await api.addStaff({ accountIds: [shared, other] })
    const seenBy = async (token: string): Promise<readonly number[]> =>
      (await api.call(token, `GET resellers/255/users/${colleague.userId}`)).body.accountIds
    expect((await seenBy(chief.token)).toSorted()).toEqual([shared, other].toSorted())
    expect(await seenBy(limited.token)).toEqual([shared])
    const { body: list } = await api.call(limited.token, 'GET resellers/255/users')
    expect(JSON.stringify(list)).not.toContain(String(other))
  })

  test('members aren’t listed as staff, and staff aren’t listed as users of accounts', async () => {
    const { token } = await api.addAccount()
    for (const request of ['GET users/self/staff', 'GET resellers/255', 'GET provider/users', 'GET distributors']) {
      expect(await api.call(token, request)).toMatchObject({ status: 403, body: { code: 9 } })
    }
    for (const request of ['GET cameras', 'GET users/self/rights', 'GET users/self/status']) {
      expect(await api.call(chief.token, request)).toMatchObject({ status: 403, body: { code: 9 } })
    }
    // Staff can read accounts but don't have one.
    expect(await api.call(chief.token, 'GET accounts/self')).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('a staff member is added with permissions, invited by email, and has a unique address (code 5)', async () => {
    const given = somebody({ permissions: { viewAccounts: true, generateAccessToken: true }, phone: '+31 20 555' })
    const added = await api.call(chief.token, 'POST resellers/self/users', given)
    expect(added).toMatchObject({
      status: 201,
      body: {
        level: 'reseller',
        resellerId: 255,
        permissions: only('viewAccounts', 'generateAccessToken'),
        permissionProfileId: null,
        allAccounts: true,
        blocked: false,
        phone: '+31 20 555',
      },
    })
    const { userId } = added.body
    expect(added.headers.get('location')).toBe(`/rest/v2.4/resellers/255/users/${userId}`)
    expect((await api.askedMails()).at(-1)).toEqual({ kind: 'invitation', userId, to: given.email })
    expect((await api.call(chief.token, `GET resellers/self/users/${userId}`)).body).toMatchObject({ userId })
    const again = await api.call(chief.token, 'POST resellers/self/users', {
      ...given,
      email: given.email.toUpperCase(),
    })
    expect(again).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test('a profile sets the permissions until one is changed by hand', async () => {
    const profiles = (await api.call(chief.token, 'GET resellers/self/permissionProfiles')).body
    expect(profiles.map((one: { name: string }) => one.name)).toEqual(['Support', 'Sales', 'Administrator'])
    const added = await api.call(chief.token, 'POST resellers/self/users', somebody({ permissionProfileId: 21 }))
    expect(added.body).toMatchObject({
      permissionProfileId: 21,
      permissions: only('viewAccounts', 'generateAccessToken'),
    })
    const path = `PATCH resellers/self/users/${added.body.userId}`
    const changed = await api.call(chief.token, path, { permissions: { viewInsights: true } })
    expect(changed.body).toMatchObject({
      permissionProfileId: null,
      permissions: only('viewAccounts', 'generateAccessToken', 'viewInsights'),
    })
    // Those of accounts are for users of accounts.
    for (const permissionProfileId of [11, 999]) {
      expect((await api.call(chief.token, path, { permissionProfileId })).status).toBe(404)
    }
    const both = { permissionProfileId: 21, permissions: {} }
    expect(await api.call(chief.token, path, both)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('staff can’t grant permissions or accounts they don’t have', async () => {
    const mine = await api.addAccount()
    const other = await api.addAccount()
    const few = await api.addStaff({ permissions: ['manageUsers', 'viewAccounts'], accountIds: [mine.accountId] })
    const add = (given: object) => api.call(few.token, 'POST resellers/self/users', somebody(given))
    const accountIds = [mine.accountId]
    expect((await add({ permissions: { viewAccounts: true }, accountIds })).status).toBe(201)
    expect(await add({ permissions: { editAccount: true }, accountIds })).toMatchObject({
      status: 403,
      body: { code: 9 },
    })
    expect(await add({ permissionProfileId: 23, accountIds })).toMatchObject({ status: 403, body: { code: 9 } })
    expect(await add({ permissions: { viewAccounts: true } })).toMatchObject({ status: 403, body: { code: 9 } })
    // An account that they do not work with is as unknown to them as one that does not exist.
    const unknown = await add({ accountIds: [mine.accountId, other.accountId] })
    expect(unknown).toMatchObject({ status: 404, body: { code: 4 } })
    expect((await add({ accountIds: [mine.accountId, 5] })).body).toEqual(unknown.body)
  })

  test('staff can’t change themselves (code 6) or someone with more permissions (code 9)', async () => {
    const few = await api.addStaff({ permissions: ['manageUsers'] })
    const more = await api.addStaff({ permissions: ['manageUsers', 'viewAccounts'] })
    const equal = await api.addStaff({ permissions: ['manageUsers'] })
    for (const [verb, body] of [
      ['PATCH', { firstName: 'Moved' }],
      ['DELETE', undefined],
    ] as const) {
      const ask = (userId: number) => api.call(few.token, `${verb} resellers/self/users/${userId}`, body)
      expect(await ask(few.userId)).toMatchObject({ status: 409, body: { code: 6 } })
      expect(await ask(more.userId)).toMatchObject({ status: 403, body: { code: 9 } })
      expect((await ask(equal.userId)).status).toBeLessThan(300)
    }
    const some = await api.addStaff({ permissions: ['manageUsers'], accountIds: [] })
    const all = await api.call(some.token, `PATCH resellers/self/users/${few.userId}`, { firstName: 'Moved' })
    expect(all).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test('a staff member who is blocked or removed is signed out at the next call', async () => {
    const { userId, token } = await api.addStaff({ permissions: ['viewAccounts'] })
    const path = `resellers/self/users/${userId}`
    expect((await api.call(token, 'GET resellers/self/accounts')).status).toBe(200)
    await api.call(chief.token, `PATCH ${path}`, { permissions: { viewAccounts: false } })
    expect((await api.call(token, 'GET resellers/self/accounts')).status).toBe(403)
    expect((await api.call(chief.token, `PATCH ${path}`, { blocked: true })).body.blocked).toBe(true)
    expect(api.asked.at(-1)).toEqual({ call: 'revokeSessions', userId })
    expect((await api.call(token, 'GET users/self')).status).toBe(401)
    await api.call(chief.token, `PATCH ${path}`, { blocked: false })
    expect((await api.call(chief.token, `DELETE ${path}`)).status).toBe(204)
    expect((await api.call(chief.token, `GET ${path}`)).status).toBe(404)
    expect((await api.call(token, 'GET users/self')).status).toBe(401)
  })

  test('if two remove each other at once, one of them stays', async () => {
    for (let round = 0; round < 5; round++) {
      const resellerId = await api.addReseller()
      const [one, other] = [await api.addStaff({ resellerId }), await api.addStaff({ resellerId })]
      const answers = await Promise.all([
        api.call(one.token, `DELETE resellers/self/users/${other.userId}`),
        api.call(other.token, `DELETE resellers/self/users/${one.userId}`),
      ])
      expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1)
    }
  })

  test('staff can be assigned only their reseller’s accounts; other resellers’ and missing accounts get identical replies', async () => {
    const foreign = await api.addAccount({ resellerId: await api.addReseller() })
    const { accountId } = await api.addAccount()
    const add = (accountIds: number[]) => api.call(chief.token, 'POST resellers/self/users', somebody({ accountIds }))
    expect((await add([accountId, accountId])).body).toMatchObject({ allAccounts: false, accountIds: [accountId] })
    const [theirs, missing] = [await add([foreign.accountId]), await add([5])]
    expect(theirs).toMatchObject({ status: 404 })
    expect(theirs.body).toEqual(missing.body)
  })

  test('staff of distributors and the provider are managed at their own level or above', async () => {
    const distributor = await api.addStaff({ level: 'distributor' })
    const admin = await api.addStaff({ level: 'admin' })
    const added = await api.call(distributor.token, 'POST distributors/self/users', somebody())
    expect(added).toMatchObject({ status: 201, body: { level: 'distributor', distributorId: 1, resellerId: null } })
    const path = `distributors/1/users/${added.body.userId}`
    expect((await api.call(admin.token, `PATCH ${path}`, { permissions: { viewAccounts: true } })).status).toBe(200)
    expect((await api.call(distributor.token, `DELETE ${path}`)).status).toBe(204)
    expect((await api.call(chief.token, 'GET distributors/1/users')).status).toBe(403)
    const elsewhere = await api.addDistributor()
    expect((await api.call(distributor.token, `GET distributors/${elsewhere}/users`)).status).toBe(404)
    const second = await api.call(admin.token, 'POST provider/users', somebody({ permissions: { manageUsers: true } }))
    expect(second).toMatchObject({ status: 201, body: { level: 'admin', distributorId: null } })
    expect((await api.call(distributor.token, 'GET provider/users')).status).toBe(403)
    expect((await api.call(admin.token, `DELETE provider/users/${second.body.userId}`)).status).toBe(204)
    const limited = await api.call(admin.token, 'POST provider/users', somebody({ accountIds: [] }))
    expect(limited).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a staff member of one organization is unknown in another', async () => {
    const distributor = await api.addStaff({ level: 'distributor' })
    const other = await api.addReseller()
    const answer = await api.call(distributor.token, `GET resellers/${other}/users/${chief.userId}`)
    expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
    expect((await api.call(distributor.token, `GET resellers/255/users/${chief.userId}`)).status).toBe(200)
  })

  test('an API key of staff can’t use calls about users', async () => {
    const { token, userId } = await api.addStaff()
    await api.owner.plain
      .insertInto('auth.clients')
      .values({
        client_id: `key-${userId}`,
        kind: 'confidential',
        name: 'Key',
        secret_sha256: Buffer.alloc(32, 1),
        redirect_uris: [],
        logged_out_uris: [],
        scopes: ['read', 'write'],
        password_grant: false,
        legacy_token_callback: false,
        user_id: userId,
        account_id: 255,
        api_key_id: userId + 1,
      })
      .execute()
    await api.owner.plain
      .updateTable('auth.access_sessions')
      .set({ client_id: `key-${userId}` })
      .where('user_id', '=', userId)
      .execute()
    expect((await api.call(token, 'GET resellers/self/users')).body).toMatchObject({ code: 9 })
    expect((await api.call(token, 'GET resellers/self/accounts')).status).toBe(200)
  })
})
