import { manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from './auth-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
const clock = manualClock(Date.now())
let under: AuthUnderTest
let open: AuthUnderTest
let nextAddress = 1

beforeAll(async () => {
  // A burst of 3 sign-ins and 15 requests of any kind.
  under = await openAuthUnderTest({
    settings: { authFlow: 'code', tokenParametersInQuery: false, signInsPerSecond: 0.03 },
  })
  open = await openAuthUnderTest({ clock })
  for (const server of [under, open]) await server.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
})
afterAll(async () => {
  await under[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
})

const fresh = () => `198.51.100.${nextAddress++}`
const authorization = ({ origin }: AuthUnderTest, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: 'account.v2',
    redirect_uri: `${origin}/`,
    scope: 'read',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    ...more,
  })}`
const askFrom = (address: string, path: string, init: RequestInit = {}) =>
  fetch(`${under.origin}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': address, ...init.headers },
  })
const interactions = async ({ owner }: AuthUnderTest) =>
  owner.selectFrom('auth.provider_records').select('payload').where('kind', '=', 'Interaction').execute()

describe('sign-ins started from one address', () => {
  test('beyond the limit get a page with 429 and Retry-After, and nothing is stored', async () => {
    const address = fresh()
    const before = (await interactions(under)).length
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await askFrom(address, authorization(under))).status)
    expect(statuses).toEqual([303, 303, 303, 429, 429])
    expect((await interactions(under)).length).toBe(before + 3)
    const refused = await askFrom(address, authorization(under))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await refused.text()).toContain('error tooManyRequests')
  })

  test("don't count for other addresses, except in the same IPv6 /64", async () => {
    const within = (host: number) => `2001:db8:1:${nextAddress}:${host}::1`
    for (let n = 0; n < 3; n += 1) expect((await askFrom(within(n), authorization(under))).status).toBe(303)
    expect((await askFrom(within(9), authorization(under))).status).toBe(429)
    nextAddress += 1
    expect((await askFrom(within(9), authorization(under))).status).toBe(303)
  })

  test('can still be finished, because the form and the token have their own limit', async () => {
    const browser = under.browser()
    const form = (await browser.authorize()).location?.pathname ?? ''
    for (let n = 0; n < 3; n += 1) await browser.authorize()
    expect((await browser.authorize()).status).toBe(429)
    expect((await browser.post(form, { email: EMAIL, password: PASSWORD })).status).toBe(303)
  })
})

describe('requests from one address', () => {
  test('beyond the limit get an RFC 6749 body at the token endpoint and a page at the form', async () => {
    const address = fresh()
    const ask = () =>
      askFrom(address, '/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) })
    for (let n = 0; n < 15; n += 1) expect((await ask()).status).toBe(400)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.stringContaining('Retry-After'),
    })
    const form = await askFrom(address, '/sign-in/aaaaaaaaaaaaaaaaaaaa')
    expect([form.status, await form.text()]).toEqual([429, expect.stringContaining('error tooManyRequests')])
  })

  test("don't count for public information: metadata and whether the browser is signed in", async () => {
    const address = fresh()
    for (const path of ['/.well-known/openid-configuration', '/auth/session'])
      for (let n = 0; n < 20; n += 1) expect((await askFrom(address, path)).status).toBe(200)
  })
})

describe('a started sign-in', () => {
  test("stores at most 2 KiB of the application's parameters; a longer request is refused and not stored", async () => {
    const browser = open.browser()
    const before = (await interactions(open)).length
    for (const name of ['state', 'login_hint', 'ui_locales']) {
      const answer = await browser.request(authorization(open, { state: 'st4te', [name]: 'x'.repeat(2100) }))
      expect(answer.location?.searchParams.get('error'), name).toBe('invalid_request')
      expect(answer.location?.searchParams.get('error_description'), name).toMatch(/2048 bytes.*2[12]\d\d/)
    }
    expect((await interactions(open)).length).toBe(before)
    const long = await browser.request(authorization(open, { state: 'x'.repeat(1800) }))
    expect(long.location?.pathname).toMatch(/^\/sign-in\//)
  })

  test('expires after 20 minutes', async () => {
    const browser = open.browser()
    const form = (await browser.authorize()).location?.pathname ?? ''
    clock.advance(19 * 60_000)
    expect((await browser.request(form)).status).toBe(200)
    clock.advance(2 * 60_000)
    expect(await browser.request(form)).toMatchObject({ status: 400, text: expect.stringContaining('error expired') })
  })
})
