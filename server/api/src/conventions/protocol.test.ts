import { hasFields, isJsonOnly, isList, isReplayed, isTagged } from '@sightline/contract/conventions'
import { allRoutes } from '@sightline/contract/routes'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { cameras } from '../cameras/index.ts'
import { recordings } from '../recordings/index.ts'
import { referenceLists } from '../reference-lists/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { streams } from '../streams/index.ts'
import { subUsers } from '../sub-users/index.ts'
import { users } from '../users/index.ts'

const slices = [cameras, recordings, referenceLists, streams, subUsers, users]

describe.each(engines)('methods, versions and media types on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices, open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test("a method that a path doesn't support returns 405, code 10, with Allow", async () => {
    for (const [request, allow] of [
      ['DELETE users/self', 'GET, HEAD, OPTIONS, PATCH'],
      ['POST cameras', 'GET, HEAD, OPTIONS'],
      ['GET users/self/sessions', undefined],
      ['PUT cameras/12/streamTickets', 'OPTIONS, POST'],
    ] as const) {
      const answer = await api.call(undefined, request)
      if (allow === undefined) expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
      else expect(answer).toMatchObject({ status: 405, body: { code: 10 } })
      expect(answer.headers.get('allow')).toBe(allow ?? null)
    }
  })

  test('OPTIONS lists the methods of a path without a token; an unknown path is not found', async () => {
    const known = await api.call(undefined, 'OPTIONS users/self')
    expect([known.status, known.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, PATCH'])
    expect(known.headers.get('access-control-allow-origin')).toBeNull()
    expect(await api.call(undefined, 'OPTIONS nonsense')).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('HEAD has the headers of GET and no body', async () => {
    const { token } = await api.addAccount()
    const get = await api.call(token, 'GET users/self')
    const head = await api.call(token, 'HEAD users/self')
    expect([head.status, head.body.length ?? 0]).toEqual([200, 0])
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    expect((await api.call(undefined, 'HEAD users/self')).status).toBe(401)
  })

  test('an older version gets the same reply as the newest, with links to the version in the request', async () => {
    const { token } = await api.addAccount()
    const ask = (path: string, method = 'GET') =>
      fetch(`${api.origin}/rest/${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    const page = await ask('v2.1/languages?limit=1')
    expect(page.headers.get('link')).toMatch(/^<\/rest\/v2\.1\/languages\?/)
    for (const path of ['v2.0/users/self', 'v2%2e3/users/self', '/v2.2/users/self/', 'v2.4/users/self?fields=userId']) {
      expect((await ask(path)).status, path).toBe(200)
    }
    for (const path of ['v2.0/users/self', 'v2%2E1/users/self']) {
      const wrong = await ask(path, 'DELETE')
      expect([wrong.status, wrong.headers.get('allow')], path).toEqual([405, 'GET, HEAD, OPTIONS, PATCH'])
    }
    expect((await ask('v2.0', 'GET')).status).toBe(404)
  })

  test.each(['v2.5', 'v2.10', 'v2', 'v1.0', 'v3.0'])('version %s is not found, code 4', async (version) => {
    const { token } = await api.addAccount()
    const answer = await fetch(`${api.origin}/rest/${version}/users/self`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 4 })
  })

  test.each([
    ['text/html', 406],
    ['image/*', 406],
    ['application/json;q=0, */*', 406],
    ['application/xml, */*;q=0', 406],
    ['text/html, */*;q=0.1', 200],
    ['APPLICATION/JSON; charset=utf-8', 200],
    ['application/*', 200],
    ['*/*;q=0, application/json', 200],
  ])('Accept: %s returns %i', async (accept, status) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'GET users/self', undefined, { accept })
    expect(answer.status).toBe(status)
    if (status === 406) expect(answer.body).toMatchObject({ code: 10, title: expect.any(String) })
  })

  test.each(['Z', '+0000', '+00:00', '%2B00:00', '%2B0000'])('a date-time ending in %s is accepted', async (zone) => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const [from, till] = [`2026-11-21T09:00:00${zone}`, `2026-11-21T10:00:00.5${zone}`]
    const answer = await api.call(token, `GET cameras/${cameraId}/recordingTimeline?from=${from}&till=${till}`)
    expect(answer).toMatchObject({
      status: 200,
      body: { from: '2026-11-21T09:00:00.000+00:00', till: '2026-11-21T10:00:00.500+00:00' },
    })
  })
})

describe("text that the database can't store", () => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test.each([
    ['U+0000', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('%s in a body is refused with code 2, however deep, and in property names', async (_, text) => {
    const { token } = await api.addAccount()
    for (const body of [{ firstName: text }, { more: [{ deep: [text] }] }, { [text]: 1 }]) {
      const answer = await api.call(token, 'PATCH users/self', body)
      expect(answer).toMatchObject({ status: 400, body: { code: 2, detail: expect.stringMatching(/U\+0000/) } })
    }
  })
  test("in a parameter is refused with code 3 and the parameter's name", async () => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'GET cameras?q=a%00b')
    expect(answer).toMatchObject({ status: 400, body: { code: 3, detail: expect.stringMatching(/^query: q: /) } })
  })
})

describe("a user's calls", () => {
  test("beyond the limit return 429, code 16, with Retry-After; other users aren't affected", async () => {
    await using api = await testApi({ slices, callLimit: { perSecond: 0.5, burst: 5 } })
    const busy = await api.addAccount()
    const other = await api.addAccount()
    const statuses: number[] = []
    for (let n = 0; n < 7; n += 1) statuses.push((await api.call(busy.token, 'GET users/self/featureFlags')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = await api.call(busy.token, 'GET cameras')
    expect(refused.body).toMatchObject({ code: 16 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await api.call(other.token, 'GET users/self')).status).toBe(200)
  })

  test('are limited by address if there is no token', async () => {
    await using api = await testApi({ slices, callLimit: { perSecond: 0.5, burst: 2 } })
    const ask = async () => (await api.call(undefined, 'GET languages')).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  })

  test('are limited by the /64 of an IPv6 address', async () => {
    await using api = await testApi({ slices, callLimit: { perSecond: 0.5, burst: 2 } })
    const ask = async (from: string) =>
      (await api.call(undefined, 'GET languages', undefined, { 'x-forwarded-for': from })).status
    const answers = [await ask('2001:db8:1:1::1'), await ask('2001:db8:1:1:2::2'), await ask('2001:db8:1:1:3::3')]
    expect([...answers, await ask('2001:db8:1:2::1')]).toEqual([200, 200, 429, 200])
  })

  test("with missing or unknown tokens are limited by address and don't affect users there", async () => {
    await using api = await testApi({ slices, callLimit: { perSecond: 0.5, burst: 3 } })
    const { token } = await api.addAccount()
    const statuses: number[] = []
    for (const tried of ['unknown1', 'unknown2', undefined, 'unknown3', 'unknown4'])
      statuses.push((await api.call(tried, 'GET users/self')).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    const refused = await api.call('unknown5', 'GET users/self')
    expect(refused).toMatchObject({ status: 429, body: { code: 16 } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await api.call(token, 'GET users/self')).status).toBe(200)
  })
})

describe('the contract', () => {
  test('every list of objects defines its pages, and only lists do', () => {
    expect(allRoutes.filter((candidate) => isList(candidate) !== (candidate.list !== undefined))).toEqual([])
  })
  test('sort fields and keys of a list are fields of its items', () => {
    for (const { name, list, reply } of allRoutes.filter(isList)) {
      const { items } = z.toJSONSchema(reply, { io: 'input', unrepresentable: 'any' }) as { items: object }
      for (const path of [list?.key ?? '', ...(list?.sort ?? [])]) {
        let at: { properties?: Record<string, object> } | undefined = items
        for (const part of path.replace(/^-/, '').split('.')) at = at?.properties?.[part]
        expect(at, `${name}: ${path}`).toBeDefined()
      }
    }
  })
  test('every GET of objects supports field selection, and every single object has an ETag', () => {
    const gets = allRoutes.filter((candidate) => candidate.method === 'GET' && isJsonOnly(candidate))
    expect(gets.filter((candidate) => !hasFields(candidate)).map(({ name }) => name)).toEqual([])
    expect(gets.filter((candidate) => !isList(candidate) && !isTagged(candidate)).map(({ name }) => name)).toEqual([])
  })
  test('every POST is idempotent or says why not', () => {
    const posts = allRoutes.filter((candidate) => candidate.method === 'POST')
    const silent = posts.filter((candidate) => !isReplayed(candidate) && candidate.notReplayed === undefined)
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})
