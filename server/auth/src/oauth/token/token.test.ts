import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endLinksOfSignIns } from '../../account-mails/action-links/index.ts'
import { type AuthUnderTest, expireTokens, openAuthUnderTest } from '../../auth-testing.ts'
import type { Browser, TokenBody } from '../../browser-testing.ts'
import { sessions } from '../../sessions/index.ts'
import { rest as callRest, errorReply, getCode, ask as post, type Reply, type TokenCall } from '../../token-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
const BACK = 'https://nvr.example/back'
const me = { email: EMAIL, password: PASSWORD }
let under: AuthUnderTest
let secret = ''

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
  secret = await under.addClient({ clientId: 'nvr', name: 'Night Watch', passwordGrant: true, redirectUris: [BACK] })
  await under.addClient({ clientId: 'phone', kind: 'native', redirectUris: ['com.example.phone:/back'] })
  await under.addClient({ clientId: 'reader', scopes: ['read'], kind: 'browser' })
})
afterAll(() => under[Symbol.asyncDispose]())

const ask = (fields: Record<string, string>, call: TokenCall = {}): Promise<Reply> => post(under, fields, call)
const asNvr = (): TokenCall => ({ basic: ['nvr', secret] })
const nvrCode = async (browser: Browser = under.browser()): Promise<string> =>
  getCode(await browser.letIn({ ...me, clientId: 'nvr', redirectUri: BACK }))
const exchangeNvr = async (code: string): Promise<Reply> =>
  ask({ grant_type: 'authorization_code', code, redirect_uri: BACK }, asNvr())
const refreshNvr = (refresh_token = '', fields: Record<string, string> = {}): Promise<Reply> =>
  ask({ grant_type: 'refresh_token', refresh_token, ...fields }, asNvr())
const nvrTokens = async (): Promise<TokenBody> => (await exchangeNvr(await nvrCode())).body
const rest = (token: string, call?: string) => callRest(under, token, call)

async function phoneTokens(browser = under.browser()): Promise<TokenBody> {
  const redirectUri = 'com.example.phone:/back'
  const back = await browser.letIn({ ...me, clientId: 'phone', isPublic: true, redirectUri })
  const { body } = await browser.exchange(getCode(back), { client_id: 'phone', redirect_uri: redirectUri })
  return body
}
const refreshPhone = (refresh_token = ''): Promise<Reply> =>
  ask({ grant_type: 'refresh_token', client_id: 'phone', refresh_token })

describe('a confidential client with a code', () => {
  test('gets exactly what existing clients expect, for 12 hours, never cached', async () => {
    const { status, headers, body } = await exchangeNvr(await nvrCode())
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_type: 'bearer',
      refresh_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_in: 43_200,
      scope: 'read write',
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await rest(body.access_token)).status).toBe(200)
  })

  test('may also send id and secret in the body', async () => {
    const fields = { grant_type: 'authorization_code', code: await nvrCode(), redirect_uri: BACK }
    expect((await ask({ ...fields, client_id: 'nvr', client_secret: secret })).status).toBe(200)
  })

  test('needs its own secret: none, a wrong one and the stored hash are refused', async () => {
    const fields = { grant_type: 'authorization_code', code: await nvrCode(), redirect_uri: BACK }
    expect(await ask({ ...fields, client_id: 'nvr' })).toMatchObject(errorReply('invalid_client', 401))
    for (const wrong of ['x', `${secret}x`, tokenSha256(secret).toString('hex')]) {
      const reply = await ask(fields, { basic: ['nvr', wrong] })
      expect(reply).toMatchObject(errorReply('invalid_client', 401))
      expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
    expect((await ask(fields, asNvr())).status).toBe(200)
  })

  test('gets errors as an OAuth body, whatever it accepts', async () => {
    const headers = { accept: 'text/html, image/gif, image/jpeg, *; q=.2' }
    const reply = await ask({ grant_type: 'refresh_token', refresh_token: 'x' }, { ...asNvr(), headers })
    expect(reply).toMatchObject(errorReply('invalid_grant'))
    expect(reply.headers.get('content-type')).toContain('application/json')
  })

  test("can't use a code twice, and the second use ends its tokens", async () => {
    const code = await nvrCode()
    const { body } = await exchangeNvr(code)
    expect(await exchangeNvr(code)).toMatchObject(errorReply('invalid_grant'))
    expect((await rest(body.access_token)).status).toBe(401)
    expect(await refreshNvr(body.refresh_token)).toMatchObject(errorReply('invalid_grant'))
  })

  test("can't use another client's code", async () => {
    const browser = under.browser()
    const foreign = getCode(await browser.signIn(EMAIL, PASSWORD))
    expect(await exchangeNvr(foreign)).toMatchObject(errorReply('invalid_grant'))
    const own = await nvrCode()
    expect(await browser.exchange(own, { redirect_uri: BACK })).toMatchObject(errorReply('invalid_grant'))
  })

  test('must send the redirect address of its request, which must be registered', async () => {
    const fields = { grant_type: 'authorization_code', code: await nvrCode(), redirect_uri: `${BACK}?x=1` }
    expect(await ask(fields, asNvr())).toMatchObject(errorReply('invalid_grant'))
    for (const redirectUri of [`${BACK}/`, `${BACK}?x=1`, 'http://nvr.example/back', 'https://nvr.example.evil/back']) {
      const answer = await under.browser().authorize({ clientId: 'nvr', redirectUri })
      expect(answer).toMatchObject({ status: 400, location: undefined })
    }
  })

  test('may omit PKCE, but a challenge in the request must be met', async () => {
    const browser = under.browser()
    const back = await browser.letIn({ ...me, clientId: 'nvr', redirectUri: BACK, isPublic: true })
    const fields = { grant_type: 'authorization_code', code: getCode(back), redirect_uri: BACK }
    expect(await ask(fields, asNvr())).toMatchObject(errorReply('invalid_grant'))
    expect(await ask({ ...fields, code_verifier: 'v'.repeat(43) }, asNvr())).toMatchObject(errorReply('invalid_grant'))
    expect((await ask({ ...fields, code_verifier: browser.verifier }, asNvr())).status).toBe(200)
  })

  test("can't add a verifier to a code that was requested without a challenge (PKCE downgrade)", async () => {
    const fields = { grant_type: 'authorization_code', code: await nvrCode(), redirect_uri: BACK }
    expect(await ask({ ...fields, code_verifier: 'v'.repeat(43) }, asNvr())).toMatchObject(errorReply('invalid_grant'))
  })

  test('gets all its scopes if it requests none', async () => {
    const back = await under.browser().letIn({ ...me, clientId: 'nvr', redirectUri: BACK, extra: { scope: '' } })
    expect((await exchangeNvr(getCode(back))).body.scope).toBe('read write')
  })

  test('is refused a scope it may not have before the user is asked', async () => {
    const redirectUri = 'https://reader.example/back'
    const answer = await under.browser().authorize({ clientId: 'reader', redirectUri })
    expect(answer.location?.searchParams.get('error')).toBe('invalid_scope')
  })

  test('keeps the application of the request in its tokens, even after a refresh', async () => {
    const back = await under.browser().letIn({ ...me, clientId: 'nvr', redirectUri: BACK, extra: { appId: 'nvr.v3' } })
    const first = (await exchangeNvr(getCode(back))).body
    const second = (await refreshNvr(first.refresh_token)).body
    const { body } = await rest(second.access_token)
    expect(body.find((entry: { current: boolean }) => entry.current)).toMatchObject({
      appId: 'nvr.v3',
      clientId: 'nvr',
    })
  })
})

describe('refreshing a confidential client', () => {
  test('keeps the same refresh token, which can be used again', async () => {
    const { refresh_token } = await nvrTokens()
    for (let round = 0; round < 3; round += 1) {
      const { status, body } = await refreshNvr(refresh_token)
      expect(status).toBe(200)
      expect(body).toEqual({
        access_token: expect.any(String),
        token_type: 'bearer',
        refresh_token,
        expires_in: 43_200,
        scope: 'read write',
      })
      expect((await rest(body.access_token)).status).toBe(200)
    }
  })

  test('works many times at the same moment', async () => {
    const { refresh_token } = await nvrTokens()
    const replies = await Promise.all(Array.from({ length: 30 }, () => refreshNvr(refresh_token)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('can narrow the scope but never widen it', async () => {
    const back = await under.browser().letIn({ ...me, clientId: 'nvr', redirectUri: BACK, extra: { scope: 'read' } })
    const { refresh_token } = (await exchangeNvr(getCode(back))).body
    expect(await refreshNvr(refresh_token, { scope: 'read write' })).toMatchObject(errorReply('invalid_scope'))
    const wide = await nvrTokens()
    expect((await refreshNvr(wide.refresh_token, { scope: 'read' })).body.scope).toBe('read')
    expect((await refreshNvr(wide.refresh_token)).body.scope).toBe('read write')
  })

  test("is refused with another client's refresh token", async () => {
    const phone = await phoneTokens()
    expect(await refreshNvr(phone.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    const nvr = await nvrTokens()
    expect(await refreshPhone(nvr.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    expect((await refreshNvr(nvr.refresh_token)).status).toBe(200)
  })

  test('fails after DELETE users/self/tokens/current, which also ends its other access tokens', async () => {
    const first = await nvrTokens()
    const second = (await refreshNvr(first.refresh_token)).body
    const elsewhere = await nvrTokens()
    expect((await rest(second.access_token, 'DELETE tokens/current')).status).toBe(204)
    expect(await refreshNvr(first.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    expect((await rest(first.access_token)).status).toBe(401)
    expect((await rest(elsewhere.access_token)).status).toBe(200)
  })

  test('works after the browser signs out, but not after all tokens are ended', async () => {
    const browser = under.browser()
    const { body } = await exchangeNvr(await nvrCode(browser))
    await browser.request('/auth/logout')
    expect((await rest(body.access_token)).status).toBe(200)
    expect((await refreshNvr(body.refresh_token)).status).toBe(200)
    expect((await rest(body.access_token, 'DELETE tokens/all')).status).toBe(204)
    expect(await refreshNvr(body.refresh_token)).toMatchObject(errorReply('invalid_grant'))
  })

  test('works after a password change only for the sign-in that changed it', async () => {
    const email = 'changes@demo.example'
    await under.addUser({ userId: 1040, email, password: PASSWORD })
    const tokensOf = async () => {
      const back = await under.browser().letIn({ ...me, email, clientId: 'nvr', redirectUri: BACK })
      return (await exchangeNvr(getCode(back))).body
    }
    const [kept, ended] = [await tokensOf(), await tokensOf()]
    const response = await fetch(`${under.origin}/rest/v2.0/users/self/credentials`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${kept.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD, newPassword: 'Another-horse8' }),
    })
    expect(response.ok).toBe(true)
    expect((await rest(kept.access_token)).status).toBe(200)
    expect((await refreshNvr(kept.refresh_token)).status).toBe(200)
    expect((await rest(ended.access_token)).status).toBe(401)
    expect(await refreshNvr(ended.refresh_token)).toMatchObject(errorReply('invalid_grant'))
  })

  test('fails for a user who was blocked since', async () => {
    await under.addUser({ userId: 1020, email: 'blocked@demo.example', password: PASSWORD })
    const browser = under.browser()
    const back = await browser.letIn({ ...me, email: 'blocked@demo.example', clientId: 'nvr', redirectUri: BACK })
    const { body } = await exchangeNvr(getCode(back))
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', 1020).execute()
    expect(await refreshNvr(body.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    const { body: said } = await ask({ token: body.access_token }, { ...asNvr(), path: '/oauth/introspect' })
    expect(said).toEqual({ active: false })
  })
})

describe('a native client', () => {
  test('gets one hour and a refresh token, and each refresh gives another one', async () => {
    const first = await phoneTokens()
    expect(first).toMatchObject({ expires_in: 3600, refresh_token: expect.any(String) })
    const { body: second } = await refreshPhone(first.refresh_token)
    expect(second).toMatchObject({ expires_in: 3600, refresh_token: expect.any(String) })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await rest(second.access_token)).status).toBe(200)
  })

  test('loses the whole token family if a refresh token is used twice', async () => {
    const first = await phoneTokens()
    const { body: second } = await refreshPhone(first.refresh_token)
    expect(await refreshPhone(first.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    expect(await refreshPhone(second.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    expect((await rest(second.access_token)).status).toBe(401)
  })

  test('gets tokens from at most one of many concurrent uses, and none of them works', async () => {
    const { refresh_token } = await phoneTokens()
    const replies = await Promise.all(Array.from({ length: 8 }, () => refreshPhone(refresh_token)))
    const given = replies.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    for (const { body } of given) {
      expect((await rest(body.access_token)).status).toBe(401)
      expect((await refreshPhone(body.refresh_token)).status).toBe(400)
    }
  })

  test('must use PKCE', async () => {
    const extra = { code_challenge: '', code_challenge_method: '' }
    const redirectUri = 'com.example.phone:/back'
    const answer = await under.browser().authorize({ clientId: 'phone', redirectUri, extra })
    expect(answer.location?.searchParams.get('error')).toBe('invalid_request')
  })

  test('may use any loopback port for its redirect, as RFC 8252 §7.3 requires', async () => {
    await under.addClient({ clientId: 'desktop', kind: 'native', redirectUris: ['http://127.0.0.1/back'] })
    const redirectUri = 'http://127.0.0.1:51234/back'
    const back = await under.browser().letIn({ ...me, clientId: 'desktop', isPublic: true, redirectUri })
    expect(back.host).toBe('127.0.0.1:51234')
    const other = await under.browser().authorize({ clientId: 'desktop', redirectUri: 'http://127.0.0.1:51234/evil' })
    expect(other).toMatchObject({ status: 400, location: undefined })
  })
})

describe('the list of sign-ins', () => {
  test('shows a refreshable sign-in as one, even after its access token expired, and ends it by id', async () => {
    await under.addUser({ userId: 1030, email: 'lists@demo.example', password: PASSWORD })
    const back = await under.browser().letIn({ ...me, email: 'lists@demo.example', clientId: 'nvr', redirectUri: BACK })
    const first = (await exchangeNvr(getCode(back))).body
    const portal = await under.browser().token('lists@demo.example', PASSWORD)
    await expireTokens(under.owner, first.access_token)
    const ended = { onRevoked: () => undefined, endLinks: endLinksOfSignIns }
    await sessions({ db: under.database.db('auth'), ...ended }).sweep()
    const listed = (await rest(portal)).body
    expect(listed).toHaveLength(2)
    const nvr = listed.find((entry: { clientId: string }) => entry.clientId === 'nvr')
    expect(Date.parse(nvr.expiresAt)).toBeGreaterThan(Date.now() + 86_400_000)
    const second = (await refreshNvr(first.refresh_token)).body
    const after = (await rest(second.access_token)).body
    expect(after).toHaveLength(2)
    const current = after.find((entry: { current: boolean }) => entry.current)
    expect(current).toMatchObject({ clientId: 'nvr', createdAt: nvr.createdAt })
    expect((await rest(portal, `DELETE tokens/${current.tokenId}`)).status).toBe(204)
    expect(await refreshNvr(first.refresh_token)).toMatchObject(errorReply('invalid_grant'))
    expect((await rest(second.access_token)).status).toBe(401)
  })
})
