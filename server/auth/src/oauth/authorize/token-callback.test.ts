import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { Browser, ConsentInput } from '../../browser-testing.ts'
import { rest } from '../../token-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
const settings = { authFlow: 'token', tokenParametersInQuery: false } as const
let under: AuthUnderTest
let plain: AuthUnderTest

beforeAll(async () => {
  under = await openAuthUnderTest({ settings })
  plain = await openAuthUnderTest()
  for (const server of [under, plain]) {
    await server.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
    await server.addClient({ clientId: 'portal', kind: 'browser', legacyTokenCallback: true })
    await server.addClient({ clientId: 'modern', kind: 'browser' })
  }
  await under.addClient({
    clientId: 'queried',
    kind: 'browser',
    legacyTokenCallback: true,
    redirectUris: ['https://queried.example/back?shop=7'],
  })
})
afterAll(async () => {
  await under[Symbol.asyncDispose]()
  await plain[Symbol.asyncDispose]()
})

const token = { response_type: 'token', code_challenge: '', code_challenge_method: '' }
const letIn = (browser: Browser, clientId: string, more: Partial<ConsentInput> = {}) =>
  browser.letIn({ email: EMAIL, password: PASSWORD, clientId, ...more, extra: { ...token, ...more.extra } })
const namesOf = (url: URL) => [...url.searchParams.keys()].sort()
const sessionsOf = async ({ owner }: AuthUnderTest) =>
  (await owner.selectFrom('auth.access_sessions').select('token_id').execute()).length

describe('a flagged client', () => {
  test('gets only the token, its lifetime and the state, in the query of its registered address', async () => {
    const back = await letIn(under.browser(), 'portal', { extra: { appId: 'account.v2' } })
    expect(`${back.origin}${back.pathname}${back.hash}`).toBe('https://portal.example/back')
    expect(namesOf(back)).toEqual(['access_token', 'expires_in', 'state'])
    expect(back.searchParams.get('expires_in')).toBe('43200')
    expect(back.searchParams.get('state')).toBe('st4te')
    const access = back.searchParams.get('access_token') ?? ''
    expect(access).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const { status, body } = await rest(under, access)
    expect(status).toBe(200)
    expect(body[0]).toMatchObject({ clientId: 'portal', appId: 'account.v2', current: true })
  })

  test('creates no refresh token and no code', async () => {
    await letIn(under.browser(), 'portal')
    const kinds = await under.owner
      .selectFrom('auth.provider_records')
      .select('kind')
      .where('kind', 'in', ['RefreshToken', 'AuthorizationCode'])
      .execute()
    expect(kinds).toEqual([])
  })

  test("the reply isn't cached, sends no Referer, and shows the token only in its address", async () => {
    const browser = under.browser()
    await letIn(browser, 'portal')
    const answer = await browser.authorize({
      clientId: 'portal',
      redirectUri: 'https://portal.example/back',
      extra: token,
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text).toBe('')
    const access = answer.location?.searchParams.get('access_token') ?? ''
    expect(access).not.toBe('')
    expect(under.logged.join('\n')).not.toContain(access)
    const stored = await under.owner.selectFrom('auth.provider_records').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(access)
  })

  test('gets skip_app_cookie back if it sent it', async () => {
    const back = await letIn(under.browser(), 'portal', { extra: { skip_app_cookie: 'true' } })
    expect(back.searchParams.get('skip_app_cookie')).toBe('true')
    const odd = await under.browser().authorize({
      clientId: 'portal',
      redirectUri: 'https://portal.example/back',
      extra: { ...token, skip_app_cookie: '"><script>' },
    })
    expect(odd.location?.searchParams.get('error')).toBe('invalid_request')
  })

  test('may have a query in its registered address', async () => {
    const redirectUri = 'https://queried.example/back?shop=7'
    const back = await letIn(under.browser(), 'queried', { redirectUri })
    expect(namesOf(back)).toEqual(['access_token', 'expires_in', 'shop', 'state'])
  })

  test('is redirected only to its exact address', async () => {
    for (const redirectUri of [
      'https://portal.example/back/',
      'https://portal.example/',
      'https://evil.example/back',
    ]) {
      const answer = await under.browser().authorize({ clientId: 'portal', redirectUri, extra: token })
      expect(answer).toMatchObject({ status: 400, location: undefined })
    }
  })

  test('gets nothing for a request with duplicate response parameters', async () => {
    const browser = under.browser()
    await letIn(browser, 'portal')
    const query = new URLSearchParams({
      client_id: 'portal',
      redirect_uri: 'https://portal.example/back',
      scope: 'read',
    })
    for (const twice of [
      'response_type=token&response_type=code',
      'response_type=token&response_mode=fragment&response_mode=query',
      'response_type=token&scope=write',
    ]) {
      const answer = await browser.request(`/oauth/authorize?${query}&${twice}`)
      expect(`${answer.location}${answer.text}`, twice).toMatch(/invalid_request|invalidRequest/)
      expect(answer.location?.searchParams.get('access_token') ?? null, twice).toBeNull()
    }
  })

  test('gets a refusal there, without a token', async () => {
    const browser = under.browser()
    await browser.signIn(EMAIL, PASSWORD)
    const more = await letIn(browser, 'queried', {
      redirectUri: 'https://queried.example/back?shop=7',
      decision: 'refuse',
      extra: { prompt: 'consent' },
    })
    expect(more.searchParams.get('error')).toBe('access_denied')
    expect(more.searchParams.get('state')).toBe('st4te')
    expect(more.searchParams.get('access_token')).toBeNull()
  })

  test('can also use a code, which never comes with a token', async () => {
    const extra = { response_type: 'code' }
    const back = await under
      .browser()
      .letIn({ email: EMAIL, password: PASSWORD, clientId: 'portal', isPublic: true, extra })
    expect(namesOf(back)).toEqual(['code', 'iss', 'state'])
  })

  test('signing the browser out ends the token', async () => {
    const browser = under.browser()
    const access = (await letIn(browser, 'portal')).searchParams.get('access_token') ?? ''
    await browser.request('/auth/logout')
    expect((await rest(under, access)).status).toBe(401)
    expect(under.revoked.some((r) => r.tokenSha256?.equals(tokenSha256(access)))).toBe(true)
  })
})

describe('no other client', () => {
  test.each([
    ['response_type=token', { response_type: 'token' }],
    ['the internal name of the response mode', { response_type: 'code', response_mode: 'token_callback' }],
    ['a token in a fragment', { response_type: 'token', response_mode: 'fragment' }],
    ['token twice', { response_type: 'token token' }],
    ['code and token', { response_type: 'code token' }],
  ])('gets a token by %s', async (_, extra) => {
    const browser = plain.browser()
    await browser.letIn({ email: EMAIL, password: PASSWORD, clientId: 'modern', isPublic: true })
    const before = await sessionsOf(plain)
    for (const clientId of ['modern', 'account.v2']) {
      const redirectUri = clientId === 'modern' ? 'https://modern.example/back' : `${plain.origin}/`
      const answer = await browser.authorize({ clientId, redirectUri, extra })
      expect(`${answer.location} ${answer.text}`).toMatch(/unsupported_response_type|invalid_request|invalidRequest/)
      expect(`${answer.location} ${answer.text}`).not.toContain('access_token')
    }
    expect(await sessionsOf(plain)).toBe(before)
  })
})

test("a flagged client doesn't get its token in a fragment or a form", async () => {
  for (const response_mode of ['fragment', 'form_post']) {
    const browser = under.browser()
    await letIn(browser, 'portal')
    const redirectUri = 'https://portal.example/back'
    const one = await browser.authorize({ clientId: 'portal', redirectUri, extra: { ...token, response_mode } })
    expect(one.location?.hash).toBe('')
    expect(one.location?.searchParams.get('access_token')).toBeTruthy()
    const twice = { ...token, response_type: 'token token', response_mode }
    const two = await browser.authorize({ clientId: 'portal', redirectUri, extra: twice })
    expect(`${two.location} ${two.text}`).not.toContain('access_token=')
  }
})

test("with authFlow token our own portal gets its token this way without consent; with code it doesn't", async () => {
  const own = { email: EMAIL, password: PASSWORD, clientId: 'account.v2' }
  const back = await under.browser().letIn({ ...own, redirectUri: `${under.origin}/`, extra: token })
  expect(namesOf(back)).toEqual(['access_token', 'expires_in', 'state'])
  const modern = under.browser()
  const code = await modern.signIn(EMAIL, PASSWORD)
  expect((await modern.exchange(code.searchParams.get('code') ?? '')).status).toBe(200)
})

test('an authorization request may be posted and continues as a GET', async () => {
  const fields = { client_id: 'portal', redirect_uri: 'https://portal.example/back', ...token, scope: 'read' }
  const answer = await under.browser().post('/oauth/authorize', fields, { 'sec-fetch-site': 'cross-site' })
  expect(answer.status).toBe(303)
  expect(answer.location?.pathname).toBe('/oauth/authorize')
  expect(answer.location?.searchParams.get('client_id')).toBe('portal')
})
