import { allPermissions } from '@sightline/contract/rights'
import { engines } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../api-testing.ts'

describe.each(engines)('accounts/{accountId}/status on %s', (_engine, open) => {
  let api: TestApi
  let admin: string
  beforeAll(async () => {
    api = await testApi({ open })
    admin = (await api.addStaff({ level: 'admin' })).token
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const demonstration = async (given: Parameters<TestApi['addAccount']>[0] = {}) => {
    const added = await api.addAccount(given)
    const { accountId } = added
    await api.owner.plain
      .updateTable('accounts')
      .set({ user_type: 'demo' })
      .where('account_id', '=', accountId)
      .execute()
    return added
  }
  const patch = (accountId: number, body: object, token = admin) =>
    api.call(token, `PATCH accounts/${accountId}/status`, body)
  /** Of a guest. */
  const visitorOf = async (accountId: number): Promise<string> => {
    const token = await api.addToken({ accountId, userId: accountId })
    const sessions = api.owner.plain.updateTable('auth.access_sessions').set({ visitor: true })
    await sessions.where('token_sha256', '=', tokenSha256(token)).execute()
    return token
  }

  test('an administrator makes a demonstration public and private again, and the account’s log has both', async () => {
    const { accountId } = await demonstration()
    expect(await patch(accountId, { publicDemo: true })).toMatchObject({ status: 200, body: { publicDemo: true } })
    const dealer = (await api.addStaff()).token
    const seen = await api.call(dealer, `GET resellers/self/accounts/${accountId}`)
    expect(seen.body).toMatchObject({ userType: 'demo', publicDemo: true })
    expect(await patch(accountId, {})).toMatchObject({ status: 200, body: { publicDemo: true } })
    expect(await patch(accountId, { publicDemo: false })).toMatchObject({ status: 200, body: { publicDemo: false } })
    const lines = await api.owner.plain
      .selectFrom('audit_log')
      .select(['before', 'after', 'target_kind', 'target_id'])
      .where('account_id', '=', accountId)
      .where('action', '=', 'patchAccountStatus')
      .orderBy('at')
      .execute()
    const [on, off] = [{ publicDemo: true }, { publicDemo: false }]
    const target = { target_kind: 'account', target_id: accountId }
    expect(lines).toEqual([
      { before: off, after: on, ...target },
      { before: on, after: on, ...target },
      { before: on, after: off, ...target },
    ])
  })

  test('an account of another user type is refused with code 6 and doesn’t change', async () => {
    const { accountId } = await api.addAccount()
    expect(await patch(accountId, { publicDemo: true })).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await patch(accountId, { publicDemo: false })).toMatchObject({ status: 200, body: { publicDemo: false } })
  })

  test('a value that isn’t a boolean is refused with code 3, and an unknown account with code 4', async () => {
    const { accountId } = await demonstration()
    expect(await patch(accountId, { publicDemo: 'yes' })).toMatchObject({ status: 400, body: { code: 3 } })
    for (const absent of [255, 2, accountId + 1]) {
      expect(await patch(absent, { publicDemo: true })).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })

  test('only the provider’s administrators can do this, whatever permissions others have', async () => {
    const { accountId, token } = await demonstration()
    for (const level of ['reseller', 'distributor'] as const) {
      const staff = await api.addStaff({ level, permissions: allPermissions })
      expect(await patch(accountId, { publicDemo: true }, staff.token)).toMatchObject({
        status: 403,
        body: { code: 9 },
      })
    }
    expect(await patch(accountId, { publicDemo: true }, token)).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test.each([
    ['is ended', (accountId: number) => patch(accountId, { publicDemo: false })],
    ['becomes a regular account', (accountId: number) => byDealer(accountId, { userType: 'regular' })],
    ['becomes inactive', (accountId: number) => byDealer(accountId, { status: 'inactive' })],
  ])('guests are signed out when the demonstration %s, and the owner isn’t', async (_how, end) => {
    const { accountId, token } = await demonstration()
    await patch(accountId, { publicDemo: true })
    const visitor = await visitorOf(accountId)
    expect((await api.call(visitor, 'GET cameras')).status).toBe(200)
    expect((await end(accountId)).status).toBe(200)
    expect((await api.call(visitor, 'GET cameras')).status).toBe(401)
    expect((await api.call(token, 'GET cameras')).status).toBe(200)
  })
  const byDealer = async (accountId: number, body: object) =>
    api.call((await api.addStaff()).token, `PATCH resellers/self/accounts/${accountId}`, body)

  test('a demonstration that became a regular account or moved to another reseller is no longer public', async () => {
    const regular = await demonstration()
    await patch(regular.accountId, { publicDemo: true })
    const changed = await byDealer(regular.accountId, { userType: 'regular' })
    expect(changed.body).toMatchObject({ userType: 'regular', publicDemo: false })
    expect((await byDealer(regular.accountId, { userType: 'demo' })).body).toMatchObject({ publicDemo: false })
    const moved = await demonstration()
    await patch(moved.accountId, { publicDemo: true })
    const resellerId = await api.addReseller()
    const put = await api.call(admin, `PUT resellers/255/accounts/${moved.accountId}/reseller`, { resellerId })
    expect(put).toMatchObject({ status: 200, body: { resellerId, userType: 'demo', publicDemo: false } })
  })

  test('a guest is marked as a guest, sees what the owner sees and changes nothing', async () => {
    const { accountId, token, zoneId } = await demonstration()
    await api.addCamera(accountId, zoneId, 'Door')
    await patch(accountId, { publicDemo: true })
    const visitor = await visitorOf(accountId)
    const flags = async (of: string) => (await api.call(of, 'GET users/self/featureFlags')).body.standing
    expect([(await flags(visitor)).visitor, (await flags(token)).visitor]).toEqual([true, false])
    for (const path of ['cameras', 'zones', 'users', 'users/self/rights']) {
      const [seen, owners] = [await api.call(visitor, `GET ${path}`), await api.call(token, `GET ${path}`)]
      expect([path, seen.status, seen.body]).toEqual([path, 200, owners.body])
    }
    for (const { name, method, path, callers, access } of api.routes) {
      // What needs no token is no call of the guest.
      if (method === 'GET' || callers === 'staff' || access === 'public' || name === 'postStreamTicket') continue
      const answer = await api.call(visitor, `${method} ${path.replaceAll(/\{\w+\}/g, String(accountId))}`, {})
      expect([name, answer.status, answer.body.code]).toEqual([name, 403, 9])
    }
  })

  test('a guest can’t read the audit log, personal data or push devices', async () => {
    const { accountId, token } = await demonstration()
    await patch(accountId, { publicDemo: true })
    const visitor = await visitorOf(accountId)
    const hidden = [
      'auditLogs',
      'auditLogs/actions',
      'auditLogs/export',
      'users/self/personalData',
      'users/self/pushDevices',
    ]
    for (const path of hidden) {
      expect([path, (await api.call(token, `GET ${path}`)).status]).toEqual([path, 200])
      const refused = await api.call(visitor, `GET ${path}`)
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 9, detail: 'this is not available in a public demo' },
      })
    }
  })
})

test('guests have a call limit per network, so that one network doesn’t use up everyone’s calls', async () => {
  await using api = await testApi({ callLimit: { perSecond: 0.01, burst: 3 } })
  const { accountId, token } = await api.addAccount()
  const visitors = [
    await api.addToken({ accountId, userId: accountId }),
    await api.addToken({ accountId, userId: accountId }),
  ]
  for (const visitor of visitors) {
    const sessions = api.owner.plain.updateTable('auth.access_sessions').set({ visitor: true })
    await sessions.where('token_sha256', '=', tokenSha256(visitor)).execute()
  }
  const askUntilRefused = async (of: string, from: string) => {
    const statuses: number[] = []
    const headers = { 'x-forwarded-for': from }
    for (let calls = 0; calls < 4; calls += 1)
      statuses.push((await api.call(of, 'GET cameras', undefined, headers)).status)
    return statuses
  }
  const [one = '', another = ''] = visitors
  expect(await askUntilRefused(one, '198.51.100.1')).toEqual([200, 200, 200, 429])
  expect(await askUntilRefused(another, '198.51.100.1')).toEqual([429, 429, 429, 429])
  expect(await askUntilRefused(another, '198.51.100.2')).toEqual([200, 200, 200, 429])
  expect(await askUntilRefused(token, '198.51.100.1')).toEqual([200, 200, 200, 429])
})
