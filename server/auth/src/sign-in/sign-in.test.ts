import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import type { Browser } from '../browser-testing.ts'
import { call } from '../staff-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
  await under.addUser({ userId: 1002, email: 'second@demo.example', password: PASSWORD })
  // The same user with two brands, once with one password and once with two.
  for (const resellerId of [255, 300]) {
    await under.addUser({ userId: 2000 + resellerId, email: 'twice@demo.example', password: PASSWORD, resellerId })
    const password = `${PASSWORD}-${resellerId}`
    await under.addUser({ userId: 3000 + resellerId, email: 'apart@demo.example', password, resellerId })
  }
  await under.addUser({ userId: 1300, email: 'blue@demo.example', password: PASSWORD, resellerId: 300 })
})
afterAll(() => under[Symbol.asyncDispose]())

const start = async (browser: Browser): Promise<string> => (await browser.authorize()).location?.pathname ?? ''
const userOf = async (browser: Browser, back: URL): Promise<unknown> => {
  const { body } = await browser.exchange(back.searchParams.get('code') ?? '')
  return under.owner
    .selectFrom('auth.access_sessions')
    .select('user_id')
    .where('token_sha256', '=', tokenSha256(body.access_token))
    .executeTakeFirst()
}
const auditOf = async (userId: number) =>
  (await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId).execute()).map(
    (r) => r.action,
  )

describe('the form', () => {
  test('gives the same error for an unknown address, a wrong password and a blocked user, suspended or not', async () => {
    await under.addUser({ userId: 1101, email: 'blocked@demo.example', password: PASSWORD })
    await under.addUser({ userId: 1102, email: 'suspended@demo.example', password: PASSWORD })
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', 'in', [1101, 1102]).execute()
    await under.owner.updateTable('accounts').set({ status: 'suspended' }).where('account_id', '=', 1102).execute()
    const answers = []
    for (const [email, password] of [
      ['nobody@demo.example', PASSWORD],
      [EMAIL, 'wrong'],
      ['blocked@demo.example', PASSWORD],
      ['suspended@demo.example', PASSWORD],
    ] as const) {
      const browser = under.browser()
      const path = await start(browser)
      const { status, text } = await browser.post(path, { email, password })
      answers.push({ status, text: text.replaceAll(path, '').replaceAll(email, '') })
    }
    expect(answers[0]).toMatchObject({ status: 422, text: expect.stringContaining('"incorrect"') })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('says that the account is suspended, and by whom, only after the right password', async () => {
    await under.addUser({ userId: 1104, email: 'unpaid@demo.example', password: PASSWORD })
    await under.owner.updateTable('accounts').set({ status: 'suspended' }).where('account_id', '=', 1104).execute()
    const browser = under.browser()
    const path = await start(browser)
    const wrong = await browser.post(path, { email: 'unpaid@demo.example', password: 'wrong' })
    expect(wrong.text).toContain('{"kind":"incorrect"}')
    const right = await browser.post(path, { email: 'unpaid@demo.example', password: PASSWORD })
    expect(right).toMatchObject({ status: 422, location: undefined })
    expect(right.text).toContain('{"kind":"suspended","company":"Reseller 255"}')
    await expect.poll(() => auditOf(1104)).toEqual(['loginFailed', 'loginFailed'])
  })

  test('shows the address again but never the password', async () => {
    const browser = under.browser()
    const { text } = await browser.post(await start(browser), { email: EMAIL, password: 'wr0ng-pass' })
    expect(text).toContain(EMAIL)
    expect(text).not.toContain('wr0ng-pass')
  })

  test('finds the address in any case and form, with spaces around it', async () => {
    const back = await under.browser().signIn('  ＯWNER@Demo.Example ', PASSWORD)
    expect(back.searchParams.get('code')).toBeTruthy()
  })

  test('prevents frames and caching, and allows only its own styles', async () => {
    const browser = under.browser()
    const { headers } = await browser.request(await start(browser))
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test("writes sign-ins and failures to the account's audit log", async () => {
    const browser = under.browser()
    await browser.post(await start(browser), { email: 'second@demo.example', password: 'wrong' })
    await under.browser().signIn('second@demo.example', PASSWORD)
    expect(await auditOf(1002)).toEqual(['loginFailed', 'login'])
  })
})

describe('the form accepts', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ["a client that isn't a browser", { 'sec-fetch-site': '', origin: '' }],
    ['an old browser on another page', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('nothing from %s', async (_, headers: Record<string, string>) => {
    const browser = under.browser()
    const path = await start(browser)
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const answer = await browser.request(path, {
      method: 'POST',
      body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
      headers: given,
    })
    expect(answer).toMatchObject({ status: 403, location: undefined })
    expect(answer.text).toContain('error refused')
  })
  test('an old browser on our own page', async () => {
    const browser = under.browser()
    const answer = await browser.request(await start(browser), {
      method: 'POST',
      body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
      headers: { origin: under.origin },
    })
    expect(answer.status).toBe(303)
  })
  test('only the browser that it was shown to', async () => {
    const path = await start(under.browser())
    const answer = await under.browser().post(path, { email: EMAIL, password: PASSWORD })
    expect(answer).toMatchObject({ status: 400, location: undefined })
    expect(answer.text).toContain('error expired')
  })
  test('only one submission', async () => {
    const browser = under.browser()
    const path = await start(browser)
    const posted = await browser.post(path, { email: EMAIL, password: PASSWORD })
    await browser.request(posted.location?.pathname ?? '')
    expect((await browser.post(path, { email: EMAIL, password: PASSWORD })).text).toContain('error expired')
  })
  test.each([
    ['too long', 'application/x-www-form-urlencoded', `email=${'a'.repeat(9000)}`],
    ['not a form', 'application/json', '{"email":"a","password":"b"}'],
  ])('no body that is %s', async (_, type, body) => {
    const browser = under.browser()
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type }
    const answer = await browser.request(await start(browser), { method: 'POST', body, headers })
    expect(answer.text).toContain('error refused')
  })
})

describe('brands', () => {
  test("a brand's host finds only that brand's users", async () => {
    const at = `http://${under.brandHost}`
    expect((await under.browser(at).signIn('blue@demo.example', PASSWORD)).origin).toBe(at)
    await expect(under.browser(at).signIn(EMAIL, PASSWORD)).rejects.toThrow('422')
  })
  test("on the provider's host the password decides between brands", async () => {
    const browser = under.browser()
    const back = await browser.signIn('apart@demo.example', `${PASSWORD}-300`)
    expect(await userOf(browser, back)).toEqual({ user_id: 3300 })
  })
  test('if it fits several accounts, the user chooses one of those', async () => {
    const browser = under.browser()
    const path = await start(browser)
    const asked = await browser.post(path, { email: 'twice@demo.example', password: PASSWORD })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('"userId":2255')
    expect(asked.text).toContain('"brand":"Reseller 300"')
    expect((await browser.post(path, { userId: '1001' })).text).toContain('error expired')
    const chosen = await browser.post(path, { userId: '2300' })
    const resumed = await browser.request(chosen.location?.pathname ?? '')
    expect(await userOf(browser, resumed.location ?? new URL('x:'))).toEqual({ user_id: 2300 })
  })
  test('no account can be chosen without a password first', async () => {
    const browser = under.browser()
    expect((await browser.post(await start(browser), { userId: '2300' })).text).toContain('error expired')
  })
})

describe('another user in the same browser', () => {
  test("ends the first user's session with every token", async () => {
    const browser = under.browser()
    const first = await browser.token(EMAIL, PASSWORD)
    const started = await browser.authorize({ extra: { prompt: 'login' } })
    const posted = await browser.post(started.location?.pathname ?? '', {
      email: 'second@demo.example',
      password: PASSWORD,
    })
    const resumed = await browser.request(posted.location?.pathname ?? '')
    expect(await userOf(browser, resumed.location ?? new URL('x:'))).toEqual({ user_id: 1002 })
    const rows = await under.owner
      .selectFrom('auth.access_sessions')
      .select('token_id')
      .where('token_sha256', '=', tokenSha256(first))
      .execute()
    expect(rows).toEqual([])
  })
  test('can also use a sign-in page that was opened before', async () => {
    const browser = under.browser()
    const path = await start(browser)
    const resumePath = path.replace('/sign-in/', '/oauth/authorize/')
    await browser.signIn(EMAIL, PASSWORD)
    const posted = await browser.post(path, { email: 'second@demo.example', password: PASSWORD })
    expect(posted.location?.pathname).toBe(resumePath)
    const resumed = await browser.request(resumePath)
    expect(await userOf(browser, resumed.location ?? new URL('x:'))).toEqual({ user_id: 1002 })
  })
  test('a user whose account was suspended sees why in the API and on the page, and has access again later', async () => {
    await under.addUser({ userId: 1105, email: 'paused@demo.example', password: PASSWORD })
    const browser = under.browser()
    const token = await browser.token('paused@demo.example', PASSWORD)
    const setStatus = (status: 'active' | 'suspended') =>
      under.owner.updateTable('accounts').set({ status }).where('account_id', '=', 1105).execute()
    await setStatus('suspended')
    const refused = await call(under, token, 'GET users/self/tokens')
    expect(refused).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', error_description: 'the account is suspended' },
    })
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="the account is suspended"',
    )
    const page = await browser.request(await start(browser))
    expect(page.status).toBe(200)
    expect(page.text).toContain('{"kind":"suspended","company":"Reseller 255"}')
    const other = under.browser()
    expect((await other.request(await start(other))).text).not.toContain('suspended')
    await setStatus('active')
    expect((await call(under, token, 'GET users/self/tokens')).status).toBe(200)
    expect((await browser.authorize()).location?.searchParams.get('code')).toBeTruthy()
  })
  test('a user who was blocked is asked to sign in again and gets no code', async () => {
    await under.addUser({ userId: 1103, email: 'later@demo.example', password: PASSWORD })
    const browser = under.browser()
    await browser.signIn('later@demo.example', PASSWORD)
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', 1103).execute()
    const again = await browser.authorize()
    expect(again.location?.pathname).toMatch(/^\/sign-in\//)
    const posted = await browser.post(again.location?.pathname ?? '', { email: EMAIL, password: PASSWORD })
    const resumed = await browser.request(posted.location?.pathname ?? '')
    expect(await userOf(browser, resumed.location ?? new URL('x:'))).toEqual({ user_id: 1001 })
  })
})
