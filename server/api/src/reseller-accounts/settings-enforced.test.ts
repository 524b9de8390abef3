import { engines } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { explanations } from '../explanations/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { streams } from '../streams/index.ts'
import { subscriptions } from '../subscriptions/index.ts'
import { supportAccess } from '../support-access/index.ts'
import { userDetails } from '../user-details/index.ts'
import { users } from '../users/index.ts'
import { zones } from '../zones/index.ts'
import { resellerAccounts } from './index.ts'

describe.each(engines)('settings of keys and accounts are enforced, on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({
      slices: [
        cameras,
        explanations,
        resellerAccounts,
        streams,
        subscriptions,
        supportAccess,
        userDetails,
        users,
        zones,
      ],
      open,
    })
    await api.addPackage(1)
  })
  afterAll(() => api[Symbol.asyncDispose]())

  /** The token of a dealer becomes that of an API key of theirs. */
  const makeKey = async (of: { userId: number; token: string }) => {
    const clientId = `key-${of.userId}`
    await api.owner.plain
      .insertInto('auth.clients')
      .values({
        client_id: clientId,
        kind: 'confidential',
        name: 'Provisioner',
        secret_sha256: tokenSha256('secret'),
        redirect_uris: [],
        logged_out_uris: [],
        scopes: ['read', 'write'],
        password_grant: false,
        legacy_token_callback: false,
        user_id: of.userId,
        account_id: 255,
        api_key_id: of.userId + 1_000_000,
      })
      .execute()
    const sessions = api.owner.plain.updateTable('auth.access_sessions').set({ client_id: clientId })
    await sessions.where('user_id', '=', of.userId).execute()
    const set = (provisioning: boolean) =>
      api.owner.plain.updateTable('auth.clients').set({ provisioning }).where('client_id', '=', clientId).execute()
    return { token: of.token, set }
  }

  test("an API key without provisioning can read but can't add or change accounts or subscriptions", async () => {
    const { accountId } = await api.addAccount()
    const key = await makeKey(await api.addStaff())
    const account = `resellers/self/accounts/${accountId}`
    const customer = {
      contactDetails: { firstName: 'Carla', lastName: 'Customer' },
      email: 'carla@customer.example',
      subscriptionId: 1,
    }
    const calls = [
      ['POST resellers/self/accounts', customer],
      [`PATCH ${account}`, { name: 'Corner Shop' }],
      [`PUT ${account}/zoho`, { zohoId: '1234567890' }],
      [`PATCH ${account}/subscriptions/current`, { subscriptionId: 1 }],
    ] as const
    const detail = 'this API key does not have the provisioning scope'
    for (const [what, body] of calls) {
      expect(await api.call(key.token, what, body)).toMatchObject({ status: 403, body: { code: 9, detail } })
    }
    expect((await api.call(key.token, `GET ${account}`)).status).toBe(200)
    await key.set(true)
    for (const [what, body] of calls) expect((await api.call(key.token, what, body)).status).toBeLessThan(300)
  })

  test('sub-users whose Web App is disabled can only access their own user; the owner is not affected', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const guard = await api.addSubUser(accountId, { rights: ['playback', 'editCamera'], allCameras: true })
    const dealer = (await api.addStaff()).token
    const bar = (subUsersBarred: boolean) =>
      api.call(dealer, `PATCH resellers/self/accounts/${accountId}`, { subUsersBarred })
    const watching = [
      `GET cameras/${cameraId}`,
      `GET cameras/${cameraId}/streams`,
      'GET zones',
      'GET users/self/status',
    ]
    expect((await bar(true)).status).toBe(200)
    for (const what of watching) {
      const detail = "sub-users can't use this account right now: contact the account owner"
      expect(await api.call(guard.token, what)).toMatchObject({ status: 403, body: { code: 9, detail } })
      expect((await api.call(token, what)).status).toBe(200)
    }
    for (const what of ['GET users/self', 'GET users/self/details', 'GET users/self/rights']) {
      expect((await api.call(guard.token, what)).status).toBe(200)
    }
    const why = await api.call(token, `GET users/${guard.userId}/explain?operation=getCamera&cameraId=${cameraId}`)
    expect(why.body.allowed).toBe(false)
    expect((await bar(false)).status).toBe(200)
    for (const what of watching) expect((await api.call(guard.token, what)).status).toBeLessThan(300)
  })
})
