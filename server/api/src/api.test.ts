import { allRoutes } from '@sightline/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from './api-testing.ts'
import { apiRoutes } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api[Symbol.asyncDispose]())

test('the API answers exactly the routes of its plane in the contract', () => {
  const served = apiRoutes({ db: api.app } as never).map(({ route }) => route.name)
  expect(served.sort()).toEqual(
    allRoutes
      .filter((route) => route.plane === 'api')
      .map((route) => route.name)
      .sort(),
  )
})

test('every call except public ones answers a missing or expired token with the OAuth error body', async () => {
  for (const route of allRoutes.filter((candidate) => candidate.plane === 'api' && candidate.access !== 'public')) {
    const path = route.path.replaceAll(/\{\w+\}/g, '1')
    for (const token of [undefined, 'dead']) {
      const answer = await api.call(token, `${route.method} ${path}`, route.method === 'GET' ? undefined : {})
      expect(answer, route.name).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
  }
})

test('all five versions answer alike; an unknown version is not found', async () => {
  const { token } = await api.addAccount()
  const ask = async (version: string) =>
    (await fetch(`${api.origin}/rest/${version}/users/self`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await Promise.all(['v2.0', 'v2.1', 'v2.2', 'v2.3', 'v2.4'].map(ask))).toEqual([200, 200, 200, 200, 200])
  expect(await Promise.all(['v2.5', 'v1.0', 'v3'].map(ask))).toEqual([404, 404, 404])
})

test('unknown paths return code 4, known paths with another method code 10, broken JSON code 2', async () => {
  const { token } = await api.addAccount()
  expect(await api.call(token, 'GET nonsense')).toMatchObject({ status: 404, body: { code: 4 } })
  expect(await api.call(token, 'DELETE users/self')).toMatchObject({ status: 405, body: { code: 10 } })
  expect(await api.call(token, 'PATCH users/self', '{"a')).toMatchObject({ status: 400, body: { code: 2 } })
  const text = await api.call(token, 'PATCH users/self', 'x', { 'content-type': 'text/plain' })
  expect(text).toMatchObject({ status: 400, body: { code: 2 } })
})

test('a token without the scope write changes nothing', async () => {
  const { accountId, token } = await api.addAccount()
  await api.owner.plain
    .updateTable('auth.access_sessions')
    .set({ scopes: ['read'] })
    .where('account_id', '=', accountId)
    .execute()
  expect((await api.call(token, 'GET users/self')).status).toBe(200)
  expect((await api.call(token, 'PATCH users/self', {})).body).toMatchObject({ code: 9 })
})

test('a blocked user and a suspended account are signed out', async () => {
  const blocked = await api.addAccount()
  await api.owner.plain.updateTable('users').set({ blocked: true }).where('user_id', '=', blocked.accountId).execute()
  expect((await api.call(blocked.token, 'GET users/self')).status).toBe(401)
  const suspended = await api.addAccount()
  await api.owner.plain
    .updateTable('accounts')
    .set({ status: 'suspended' })
    .where('account_id', '=', suspended.accountId)
    .execute()
  expect((await api.call(suspended.token, 'GET users/self')).status).toBe(401)
})

test('replies are never cached', async () => {
  const { token } = await api.addAccount()
  expect((await api.call(token, 'GET users/self')).headers.get('cache-control')).toBe('private, no-store')
})

test('every API call of a user that writes has a registered change', () => {
  const reading = apiRoutes({ db: api.app } as never).filter(({ changeHandler }) => changeHandler === undefined)
  const ofUsers = reading.filter(({ route }) => route.access !== 'public')
  expect(ofUsers.filter(({ route }) => route.method !== 'GET').map(({ route }) => route.name)).toEqual([])
})
