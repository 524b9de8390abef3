import type { Route } from '@sightline/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SliceReply, type TestApi, testApi } from '../api-testing.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const inParallel = (count: number, send: () => Promise<SliceReply>): Promise<SliceReply[]> =>
  Promise.all(Array.from({ length: count }, send))

describe('the same DELETE sent several times at once', () => {
  test('of an account returns 204 once and 404 otherwise', async () => {
    const { token } = await api.addStaff()
    const { accountId } = await api.addAccount()
    const answers = await inParallel(5, () => api.call(token, `DELETE resellers/255/accounts/${accountId}`))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
  })

  test('of a zone, a sub-user, a profile, a reseller or a staff member returns 204 once and 404 otherwise', async () => {
    const [{ accountId, token }, admin] = [await api.addAccount(), await api.addStaff({ level: 'admin' })]
    const zone = (await api.call(token, 'POST zones', { name: 'Yard' })).body.zoneId
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    const profile = await api.call(token, 'POST permissionProfiles', { name: 'Day', rights: {} })
    const [reseller, colleague] = [await api.addReseller(), await api.addStaff({ level: 'admin' })]
    for (const [who, path] of [
      [token, `zones/${zone}`],
      [token, `users/${userId}`],
      [token, `permissionProfiles/${profile.body.permissionProfileId}`],
      [admin.token, `resellers/${reseller}`],
      [admin.token, `provider/users/${colleague.userId}`],
    ] as const) {
      const answers = await inParallel(3, () => api.call(who, `DELETE ${path}`))
      expect(answers.map(({ status }) => status).sort(), path).toEqual([204, 404, 404])
    }
  })
})

test('a call whose database connection breaks returns 503, code 16, with Retry-After, and works again later', async () => {
  const { token } = await api.addAccount()
  const ended = await api.owner.plain.transaction().execute(async (tx) => {
    await sql`lock table zones in access exclusive mode`.execute(tx)
    const answer = api.call(token, 'GET zones')
    // Only the API's own role can see what its sessions wait for and end them.
    const waiting = sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(api.app.plain)).rows.length).toBeGreaterThan(0)
    return answer
  })
  expect(ended).toMatchObject({ status: 503, body: { code: 16 } })
  expect(ended.headers.get('retry-after')).toBe('2')
  expect((await api.call(token, 'GET zones')).status).toBe(200)
})

describe('a malformed request gets an API error body', () => {
  test('a body larger than 1 MiB returns 413, code 2', async () => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'PATCH users/self', { firstName: 'x'.repeat(1 << 20) })
    expect(answer).toMatchObject({ status: 413, body: { code: 2, title: expect.any(String) } })
  })

  test.each([
    ['cannot be decoded', 'cameras/%E0%A4%A', 400, 2],
    ['is too long for an id', `cameras/${'1'.repeat(300)}`, 404, 4],
    ['is longer than any of ours', `${'cameras/'.repeat(200)}1`, 404, 4],
  ])('an address that %s', async (_, path, status, code) => {
    const { token } = await api.addAccount()
    for (const who of [token, undefined]) {
      const answer = await api.call(who, `GET ${path}`)
      expect(answer).toMatchObject({ status, body: { code, title: expect.any(String) } })
      expect(answer.body).not.toHaveProperty('statusCode')
    }
  })
})

describe('an id beyond 2^53', () => {
  const NUMBERS = ['9007199254740992', '9999999999999999', '99999999999999999999', '2147483648']
  const tokens = async () => {
    const [owner, admin] = [await api.addAccount(), await api.addStaff({ level: 'admin' })]
    return (callers: Route['callers']) => (callers === 'staff' ? admin.token : owner.token)
  }
  const somewhere = (path: string, value: string) => path.replaceAll(/\{\w+\}/g, value)

  test('in the path is refused without a server error', async () => {
    const tokenOf = await tokens()
    const withIds = api.routes.filter(({ path, plane }) => path.includes('{') && plane === 'api')
    expect(withIds.length).toBeGreaterThan(30)
    for (const { name, method, path, callers } of withIds) {
      const token = tokenOf(callers)
      for (const value of NUMBERS) {
        const { status } = await api.call(
          token,
          `${method} ${somewhere(path, value)}`,
          method === 'GET' ? undefined : {},
        )
        expect(status, `${name} with ${value}`).toBeLessThan(500)
      }
    }
  })

  test('in the query or in a body is refused or finds nothing', async () => {
    const tokenOf = await tokens()
    const ending = api.routes.filter(({ media }) => media?.includes('text/event-stream') !== true)
    const places = ending.flatMap((route) =>
      Object.keys(route.ids)
        .filter((place) => !place.startsWith('params.'))
        .map((place) => ({ route, place, field: place.replace(/^\w+\./, '') })),
    )
    for (const { route, place, field } of places) {
      const token = tokenOf(route.callers)
      for (const value of NUMBERS) {
        const path = somewhere(route.path, 'self')
        const asked = place.startsWith('query.') ? [`${path}?${field}=${value}`] : [path, `{"${field}":${value}}`]
        const { status } = await api.call(token, `${route.method} ${asked[0]}`, asked[1])
        expect([200, 400, 401, 403, 404, 405], `${route.name} ${place} with ${value}`).toContain(status)
      }
    }
  })

  test('in a page token returns 400', async () => {
    const { token } = await api.addStaff({ level: 'admin' })
    for (const value of NUMBERS) {
      const pageToken = Buffer.from(`["next","x",${value},"name"]`).toString('base64url')
      const answer = await api.call(token, `GET resellers/255/accounts?sort=name&pageToken=${pageToken}`)
      expect([200, 400]).toContain(answer.status)
    }
  })

  test('as a package id or another integer returns 400, 404 or 409', async () => {
    const { token } = await api.addStaff({ level: 'admin' })
    const { accountId } = await api.addAccount()
    const pack = { name: 'SD', sku: 'SD-7', quality: 'SD1', retention: 168, maxAmountOfCameras: 10 }
    const account = { contactDetails: { firstName: 'A', lastName: 'B' }, email: 'big@demo.example' }
    for (const value of [2_147_483_648, Number.MAX_SAFE_INTEGER]) {
      for (const [request, body] of [
        ['PUT resellers/255/subscriptionPackages/9', { ...pack, retention: value }],
        ['PUT resellers/255/subscriptionPackages/9', { ...pack, maxAmountOfCameras: value }],
        ['PUT resellers/255/subscriptionPackages/9', { ...pack, sortOrder: value }],
        [`PUT resellers/255/subscriptionPackages/${value}`, pack],
        [`PATCH resellers/255/accounts/${accountId}/subscriptions/current`, { subscriptionId: value }],
        ['POST resellers/255/accounts', { ...account, subscriptionId: value }],
      ] as const) {
        const { status } = await api.call(token, request, body)
        expect([200, 400, 404, 409], `${request} ${JSON.stringify(body)}`).toContain(status)
      }
    }
  })
})
