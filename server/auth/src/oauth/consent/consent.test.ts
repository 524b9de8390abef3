import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { Browser } from '../../browser-testing.ts'
import { ask, getCode } from '../../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const EMAIL = 'owner@demo.example'
const BACK = 'https://nvr.example/back'
let under: AuthUnderTest

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
  await under.addUser({ userId: 1002, email: 'second@demo.example', password: PASSWORD })
  await under.addUser({ userId: 1300, email: 'blue@demo.example', password: PASSWORD, resellerId: 300 })
  for (const clientId of ['nvr', 'once', 'wide', 'forged', 'gone']) {
    await under.addClient({
      clientId,
      name: `The ${clientId} people`,
      redirectUris: [`https://${clientId}.example/back`],
    })
  }
  await under.addClient({ clientId: 'phone', kind: 'native', redirectUris: ['com.example.phone:/back'] })
  await under.addClient({ clientId: 'blue', resellerId: 300 })
})
afterAll(() => under[Symbol.asyncDispose]())

const noPkce = { code_challenge: '', code_challenge_method: '' }
const authorize = (browser: Browser, clientId: string, extra: Record<string, string> = {}) =>
  browser.authorize({ clientId, redirectUri: `https://${clientId}.example/back`, extra: { ...noPkce, ...extra } })
async function signedIn(email = EMAIL): Promise<Browser> {
  const browser = under.browser()
  await browser.signIn(email, PASSWORD)
  return browser
}
async function questionPath(browser: Browser, clientId: string, extra: Record<string, string> = {}): Promise<string> {
  return (await authorize(browser, clientId, extra)).location?.pathname ?? ''
}
const consents = async (clientId: string) =>
  under.owner.selectFrom('auth.consents').select(['user_id', 'scopes']).where('client_id', '=', clientId).execute()

describe('a third-party client', () => {
  test('asks for consent with its name, the user, the scopes and the return address', async () => {
    const browser = await signedIn()
    const page = await browser.request(await questionPath(browser, 'once'))
    expect(page.status).toBe(200)
    expect(page.text).toContain(JSON.stringify(['The once people', EMAIL, ['read', 'write'], 'once.example']))
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("form-action 'self' https://once.example;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  test('asks only once, in every browser of that user', async () => {
    const back = await under.browser().letIn({ email: EMAIL, password: PASSWORD, clientId: 'nvr', redirectUri: BACK })
    expect(back.searchParams.get('code')).toBeTruthy()
    expect(await consents('nvr')).toEqual([{ user_id: 1001, scopes: ['read', 'write'] }])
    const silent = await authorize(await signedIn(), 'nvr')
    expect(silent.location?.searchParams.get('code')).toBeTruthy()
    const other = await authorize(await signedIn('second@demo.example'), 'nvr')
    expect(other.location?.pathname).toMatch(/^\/sign-in\//)
    const audit = await under.owner.selectFrom('audit_log').selectAll().where('action', '=', 'clientAllowed').execute()
    expect(audit).toMatchObject([{ account_id: 1001, user_id: 1001, client_id: 'nvr', address: '127.0.0.1' }])
  })

  test('asks again for more scopes but not for fewer', async () => {
    const letIn = (scope: string) =>
      under.browser().letIn({ email: EMAIL, password: PASSWORD, clientId: 'wide', extra: { scope } })
    await letIn('read')
    const browser = await signedIn()
    expect((await authorize(browser, 'wide', { scope: 'read' })).location?.host).toBe('wide.example')
    expect((await authorize(browser, 'wide', { scope: 'read write' })).location?.pathname).toMatch(/^\/sign-in\//)
    await letIn('write')
    expect(await consents('wide')).toEqual([{ user_id: 1001, scopes: ['read', 'write'] }])
    expect((await authorize(browser, 'wide', { scope: 'read write' })).location?.host).toBe('wide.example')
  })

  test('neither asks for nor gets unknown scopes', async () => {
    const extra = { scope: 'read offline_access profile' }
    const who = { email: EMAIL, password: PASSWORD, clientId: 'odd' }
    const secret = await under.addClient({ clientId: 'odd' })
    const back = await under.browser().letIn({ ...who, extra })
    const fields = { grant_type: 'authorization_code', code: getCode(back), redirect_uri: 'https://odd.example/back' }
    const { body } = await ask(under, fields, { basic: ['odd', secret] })
    expect(body).toMatchObject({ scope: 'read', refresh_token: expect.any(String) })
  })

  test('with openid gets an id token with the user’s identity and nothing else', async () => {
    const secret = await under.addClient({ clientId: 'oidc', scopes: ['openid', 'read'] })
    const extra = { scope: 'openid read', nonce: 'n0nce' }
    const back = await under.browser().letIn({ email: EMAIL, password: PASSWORD, clientId: 'oidc', extra })
    const fields = { grant_type: 'authorization_code', code: getCode(back), redirect_uri: 'https://oidc.example/back' }
    const { body } = await ask(under, fields, { basic: ['oidc', secret] })
    const [, claims = ''] = String(body.id_token).split('.')
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(said).toMatchObject({ iss: under.origin, sub: '1001', aud: 'oidc', nonce: 'n0nce' })
    expect(said).not.toHaveProperty('email')
  })

  test('that is our own application never asks, even if it requests it', async () => {
    const browser = await signedIn()
    const started = await browser.authorize({ extra: { prompt: 'consent' } })
    const passed = await browser.request(started.location?.pathname ?? '')
    const back = await browser.request(passed.location?.pathname ?? '')
    expect(back.location?.searchParams.get('code')).toBeTruthy()
  })

  test('gets an error but no code after a refusal, which isn’t remembered', async () => {
    const who = { email: EMAIL, password: PASSWORD, clientId: 'once' }
    const back = await under.browser().letIn({ ...who, decision: 'refuse' })
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('st4te')
    expect(back.searchParams.get('code')).toBeNull()
    expect(await consents('once')).toEqual([])
  })

  test('with prompt=none gets an error that consent is required', async () => {
    const answer = await authorize(await signedIn(), 'once', { prompt: 'none' })
    expect(answer.location?.searchParams.get('error')).toBe('consent_required')
  })

  test('that is native asks whenever the user would otherwise see nothing', async () => {
    const redirectUri = 'com.example.phone:/back'
    const browser = under.browser()
    const first = await browser.letIn({
      email: EMAIL,
      password: PASSWORD,
      clientId: 'phone',
      isPublic: true,
      redirectUri,
    })
    expect(first.searchParams.get('code')).toBeTruthy()
    const silent = await browser.authorize({ clientId: 'phone', redirectUri })
    const page = await browser.request(silent.location?.pathname ?? '')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.phone:;")
    const again = await browser.post(silent.location?.pathname ?? '', { decision: 'allow' })
    const resumed = await browser.request(again.location?.pathname ?? '')
    expect(resumed.location?.protocol).toBe('com.example.phone:')
    // A user who has just entered a password sees no further page.
    const fresh = await under.browser().signIn(EMAIL, PASSWORD, { clientId: 'phone', redirectUri })
    expect(fresh.searchParams.get('code')).toBeTruthy()
  })

  test('of one brand accepts only that brand’s users, on the provider’s host too', async () => {
    const browser = under.browser()
    const path = await questionPath(browser, 'blue')
    const refusal = await browser.post(path, { email: EMAIL, password: PASSWORD })
    expect(refusal).toMatchObject({ status: 422, text: expect.stringContaining('incorrect') })
    const back = await under.browser().letIn({ email: 'blue@demo.example', password: PASSWORD, clientId: 'blue' })
    expect(back.searchParams.get('code')).toBeTruthy()
    const silent = await authorize(await signedIn(), 'blue')
    expect(silent.location?.pathname).toMatch(/^\/sign-in\//)
    expect(silent.location?.searchParams.get('code') ?? null).toBeNull()
  })
})

describe('consent counts only', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sub-domain', { 'sec-fetch-site': 'same-site' }],
    ['from an old browser on another site', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('not %s', async (_, headers) => {
    const browser = await signedIn()
    const path = await questionPath(browser, 'forged')
    const answer = await browser.post(path, { decision: 'allow' }, headers)
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('error refused') })
    expect(await consents('forged')).toEqual([])
  })

  test('for this browser’s own question: another browser’s address doesn’t work', async () => {
    const path = await questionPath(await signedIn(), 'forged')
    const thief = await signedIn('second@demo.example')
    await questionPath(thief, 'forged')
    expect(await thief.post(path, { decision: 'allow' })).toMatchObject({ status: 400 })
    expect(await consents('forged')).toEqual([])
  })

  test('while the user who was asked is still signed in', async () => {
    const browser = await signedIn()
    const path = await questionPath(browser, 'forged')
    await browser.request('/auth/logout')
    expect(await browser.post(path, { decision: 'allow' })).toMatchObject({ status: 400 })
    await browser.signIn('second@demo.example', PASSWORD)
    expect(await browser.post(path, { decision: 'allow' })).toMatchObject({ status: 400 })
    expect(await consents('forged')).toEqual([])
  })

  test('if it is "allow": any other value, or opening the page, allows nothing', async () => {
    const browser = await signedIn()
    const path = await questionPath(browser, 'forged')
    expect((await browser.post(path, { decision: 'maybe' })).status).toBe(400)
    expect((await browser.request(`${path}?decision=allow`)).status).toBe(200)
    expect((await browser.post(path, { email: EMAIL, password: PASSWORD })).status).toBe(400)
    expect(await consents('forged')).toEqual([])
  })

  test('for a client that still exists', async () => {
    const browser = await signedIn()
    const path = await questionPath(browser, 'gone')
    await under.owner.deleteFrom('auth.clients').where('client_id', '=', 'gone').execute()
    expect((await browser.post(path, { decision: 'allow' })).status).toBe(400)
  })
})
