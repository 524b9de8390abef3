import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from './auth-testing.ts'
import type { AuthorizationInput } from './browser-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
})
afterAll(() => under[Symbol.asyncDispose]())

const sessionRow = (token: string) =>
  under.database
    .db('app')
    .plain.selectFrom('sessions')
    .selectAll()
    .where('token_sha256', '=', tokenSha256(token))
    .executeTakeFirst()

describe('authorization code with PKCE', () => {
  test('the whole flow: sign-in page, form, code, token, row in the view `sessions`', async () => {
    const browser = under.browser()
    const started = await browser.authorize({ extra: { appId: 'account.v2' } })
    expect(started.status).toBe(303)
    expect(started.location?.pathname).toMatch(/^\/sign-in\//)
    const page = await browser.request(started.location?.pathname ?? '')
    expect(page.status).toBe(200)
    expect(page.text).toContain('name="email"')

    const back = await under.browser().signIn(EMAIL, PASSWORD)
    expect(`${back.origin}${back.pathname}`).toBe(`${under.origin}/`)
    expect(back.searchParams.get('state')).toBe('st4te')
    expect(back.searchParams.get('iss')).toBe(under.origin)
  })

  test('the token is opaque, has 256 bits and lasts 12 hours, without a refresh token, and only its hash is stored', async () => {
    const browser = under.browser()
    const back = await browser.signIn(EMAIL.toUpperCase(), PASSWORD, { extra: { appId: 'kiosk.v7' } })
    const { status, body } = await browser.exchange(back.searchParams.get('code') ?? '')
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 43_200, scope: 'read write' })
    expect(body.refresh_token).toBeUndefined()
    expect(body.access_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await sessionRow(body.access_token)).toMatchObject({
      user_id: 1001,
      account_id: 1001,
      reseller_id: 255,
      client_id: 'account.v2',
      app_id: 'kiosk.v7',
      scopes: ['read', 'write'],
    })
    const stored = await under.owner.selectFrom('auth.provider_records').selectAll().execute()
    const code = back.searchParams.get('code') ?? ''
    const cookies = [...browser.cookies].filter(([name]) => !name.includes('.sig')).map(([, { value }]) => value)
    for (const secret of [body.access_token, code, ...cookies]) {
      expect(JSON.stringify(stored)).not.toContain(secret)
    }
  })

  test('a wrong verifier is refused', async () => {
    const browser = under.browser()
    const back = await browser.signIn(EMAIL, PASSWORD)
    const code = back.searchParams.get('code') ?? ''
    expect(await browser.exchange(code, { code_verifier: 'x'.repeat(43) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })

  test('PKCE is required, and only S256', async () => {
    const without = await under.browser().authorize({ extra: { code_challenge: '', code_challenge_method: '' } })
    expect(without.location?.searchParams.get('error')).toBe('invalid_request')
    const plain = await under.browser().authorize({ extra: { code_challenge_method: 'plain' } })
    expect(plain.location?.searchParams.get('error')).toBe('invalid_request')
  })

  test('a code works once; a second use also ends the token from the first', async () => {
    const browser = under.browser()
    const back = await browser.signIn(EMAIL, PASSWORD)
    const code = back.searchParams.get('code') ?? ''
    const first = await browser.exchange(code)
    expect(first.status).toBe(200)
    expect(await browser.exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await sessionRow(first.body.access_token)).toBeUndefined()
  })

  test('of many concurrent exchanges of one code at most one succeeds', async () => {
    const browser = under.browser()
    const back = await browser.signIn(EMAIL, PASSWORD)
    const code = back.searchParams.get('code') ?? ''
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.exchange(code)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant').length).toBeGreaterThanOrEqual(7)
  })

  test('after one sign-in, another of our apps gets its code without a page', async () => {
    const browser = under.browser()
    await browser.signIn(EMAIL, PASSWORD)
    const silent = await browser.authorize({ clientId: 'camera-app.v1', redirectUri: `${under.origin}/app/` })
    expect(silent.location?.pathname).toBe('/app/')
    expect(silent.location?.searchParams.get('code')).toBeTruthy()
  })

  test('the sign-in cookie is HttpOnly, SameSite=Lax and lasts until the browser closes', async () => {
    const browser = under.browser()
    const started = await browser.authorize()
    const posted = await browser.post(started.location?.pathname ?? '', { email: EMAIL, password: PASSWORD })
    const resumed = await browser.request(posted.location?.pathname ?? '')
    const cookie = resumed.headers.getSetCookie().find((line) => line.startsWith('sightline.sign-in='))
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; samesite=lax/i)
    expect(cookie).not.toMatch(/expires|max-age|domain/i)
  })
})

test('a question mark in a parameter is part of it', async () => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'account.v2',
    redirect_uri: `${under.origin}/`,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const answer = await under.browser().request(`/oauth/authorize?state=a?b&${query}`)
  expect(answer.location?.pathname).toMatch(/^\/sign-in\//)
  const [row] = await under.owner
    .selectFrom('auth.provider_records')
    .select('payload')
    .where('uid', 'is', null)
    .where('kind', '=', 'Interaction')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .execute()
  expect(row?.payload).toMatchObject({ params: { state: 'a?b', client_id: 'account.v2' } })
})

describe('unregistered addresses are never redirected to', () => {
  test.each([
    ['another host', { redirectUri: 'https://evil.example/' }, 'unknownAddress'],
    ['another path', { redirectUri: '/other' }, 'unknownAddress'],
    ['an added query', { redirectUri: '/?x=1' }, 'unknownAddress'],
    ['no such client', { clientId: 'nobody' }, 'unknownClient'],
  ] as const)('%s: our own error page', async (_, given: AuthorizationInput, kind) => {
    const redirectUri = given.redirectUri?.startsWith('/') ? `${under.origin}${given.redirectUri}` : given.redirectUri
    const answer = await under.browser().authorize({ ...given, ...(redirectUri === undefined ? {} : { redirectUri }) })
    expect(answer.location).toBeUndefined()
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`error ${kind}`)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('response_type=token is refused, because the token callback is off', async () => {
    const answer = await under.browser().authorize({ extra: { response_type: 'token' } })
    expect(answer.location?.searchParams.get('access_token') ?? null).toBeNull()
    expect(`${answer.location}${answer.text}`).toMatch(/unsupported_response_type|invalidRequest/)
  })

  test('an appId with invalid characters is refused', async () => {
    const answer = await under.browser().authorize({ extra: { appId: '<script>' } })
    expect(answer.location?.searchParams.get('error')).toBe('invalid_request')
  })
})

test("metadata has our paths and the host's issuer", async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
    const metadata = JSON.parse((await under.browser().request(path)).text)
    expect(metadata).toMatchObject({
      issuer: under.origin,
      authorization_endpoint: `${under.origin}/oauth/authorize`,
      token_endpoint: `${under.origin}/oauth/token`,
      introspection_endpoint: `${under.origin}/oauth/introspect`,
      revocation_endpoint: `${under.origin}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code', 'token'],
      grant_types_supported: expect.arrayContaining([
        'authorization_code',
        'refresh_token',
        'password',
        'client_credentials',
        'implicit',
      ]),
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    })
  }
})

test('an unregistered host is never reflected', async () => {
  const answer = await under.browser().request('/.well-known/openid-configuration', {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  })
  expect(JSON.parse(answer.text).issuer).toBe(under.origin)
  expect(answer.text).not.toContain('evil.example')
})

test('a brand host is its own issuer', async () => {
  const origin = `http://${under.brandHost}`
  const answer = await under.browser(origin).request('/.well-known/openid-configuration')
  expect(JSON.parse(answer.text).issuer).toBe(origin)
})

test('revoke and introspect work for the client that has the token', async () => {
  const browser = under.browser()
  const token = await browser.token(EMAIL, PASSWORD)
  const ask = async (path: string, clientId = 'account.v2') =>
    (await browser.request(path, { method: 'POST', body: new URLSearchParams({ token, client_id: clientId }) })).text
  expect(JSON.parse(await ask('/oauth/introspect'))).toMatchObject({ active: true, sub: '1001', scope: 'read write' })
  expect(JSON.parse(await ask('/oauth/introspect', 'camera-app.v1'))).toEqual({ active: false })
  await ask('/oauth/revoke', 'camera-app.v1')
  expect(await sessionRow(token)).toBeDefined()
  await ask('/oauth/revoke')
  expect(await sessionRow(token)).toBeUndefined()
  expect(under.revoked.some((r) => r.tokenSha256?.equals(tokenSha256(token)))).toBe(true)
  expect(JSON.parse(await ask('/oauth/introspect'))).toEqual({ active: false })
})
