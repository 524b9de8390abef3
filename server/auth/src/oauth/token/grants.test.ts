import { manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { LIMITS, WINDOW_MS } from '../../factors/failures/index.ts'
import { ask, errorReply, rest } from '../../token-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
const clock = manualClock(Date.now())
let under: AuthUnderTest
const secrets = new Map<string, string>()

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
  await under.addUser({ userId: 1002, email: 'second@demo.example', password: PASSWORD })
  for (const resellerId of [255, 300]) {
    await under.addUser({ userId: 2000 + resellerId, email: 'twice@demo.example', password: PASSWORD, resellerId })
  }
  const none = { redirectUris: [] }
  secrets.set('nvr', await under.addClient({ clientId: 'nvr', passwordGrant: true, ...none }))
  secrets.set('blue', await under.addClient({ clientId: 'blue', passwordGrant: true, resellerId: 300, ...none }))
  secrets.set('viewer', await under.addClient({ clientId: 'viewer', passwordGrant: true, scopes: ['read'], ...none }))
  secrets.set('robot', await under.addClient({ clientId: 'robot', userId: 1002, scopes: ['read'], ...none }))
  secrets.set('codes', await under.addClient({ clientId: 'codes' }))
})
afterAll(() => under[Symbol.asyncDispose]())

const as = (clientId: string) => ({ basic: [clientId, secrets.get(clientId) ?? ''] as const })
const byPassword = (clientId: string, fields: Record<string, string> = {}) =>
  ask(under, { grant_type: 'password', username: EMAIL, password: PASSWORD, ...fields }, as(clientId))
const auditOf = async (userId: number) =>
  (await under.owner.selectFrom('audit_log').selectAll().where('user_id', '=', userId).execute()).map(
    ({ action, client_id }) => `${action} ${client_id}`,
  )

describe('the password grant', () => {
  test('gives a flagged client the same as a code, and is in the audit log', async () => {
    const { status, body } = await byPassword('nvr')
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_type: 'bearer',
      refresh_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_in: 43_200,
      scope: 'read write',
    })
    expect((await rest(under, body.access_token)).status).toBe(200)
    expect(await auditOf(1001)).toContain('login nvr')
    const refreshed = await ask(
      under,
      { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' },
      as('nvr'),
    )
    expect(refreshed).toMatchObject({ status: 200, body: { refresh_token: body.refresh_token } })
  })

  test("is refused for every client that isn't flagged for it, whatever the password", async () => {
    const before = await auditOf(1001)
    for (const password of [PASSWORD, 'wrong']) {
      expect(await byPassword('codes', { password })).toMatchObject(errorReply('unauthorized_client'))
      const own = { grant_type: 'password', client_id: 'account.v2', username: EMAIL, password }
      expect(await ask(under, own)).toMatchObject(errorReply('unauthorized_client'))
    }
    expect(await auditOf(1001)).toEqual(before)
  })

  test('returns the same error for an unknown address, a wrong password and a blocked user, and logs the failure', async () => {
    await under.addUser({ userId: 1101, email: 'blocked@demo.example', password: PASSWORD })
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', 1101).execute()
    const replies = [
      await byPassword('nvr', { username: 'nobody@demo.example' }),
      await byPassword('nvr', { username: 'second@demo.example', password: 'wrong' }),
      await byPassword('nvr', { username: 'blocked@demo.example' }),
    ]
    expect(replies[0]).toMatchObject(errorReply('invalid_grant'))
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    await expect.poll(() => auditOf(1002)).toContain('loginFailed nvr')
  })

  test('gives only scopes that the client may have', async () => {
    expect(await byPassword('viewer')).toMatchObject({ status: 200, body: { scope: 'read' } })
    expect(await byPassword('viewer', { scope: 'read write' })).toMatchObject(errorReply('invalid_scope'))
    expect(await byPassword('nvr', { scope: 'openid' })).toMatchObject(errorReply('invalid_scope'))
    expect(await byPassword('nvr', { scope: 'read' })).toMatchObject({ body: { scope: 'read' } })
  })

  test("can't choose between several accounts of an address, but a brand's client can", async () => {
    expect(await byPassword('nvr', { username: 'twice@demo.example' })).toMatchObject(errorReply('invalid_grant'))
    const { body } = await byPassword('blue', { username: 'twice@demo.example' })
    expect((await rest(under, body.access_token, 'POST sessions')).body.session.userId).toBe(2300)
  })

  test("of one brand's client works for no other brand", async () => {
    expect(await byPassword('blue')).toMatchObject(errorReply('invalid_grant'))
  })

  test('needs both username and password', async () => {
    const missing = await ask(under, { grant_type: 'password', username: EMAIL }, as('nvr'))
    expect(missing).toMatchObject(errorReply('invalid_request'))
  })
})

describe('client credentials', () => {
  const asRobot = (fields: Record<string, string> = {}) =>
    ask(under, { grant_type: 'client_credentials', ...fields }, as('robot'))

  test("act for the client's user for an hour, without a refresh token", async () => {
    const { status, body } = await asRobot()
    expect(status).toBe(200)
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 3600, scope: 'read' })
    expect((await rest(under, body.access_token)).status).toBe(200)
    const introspected = await ask(under, { token: body.access_token }, { ...as('robot'), path: '/oauth/introspect' })
    expect(introspected.body).toMatchObject({ active: true, sub: '1002', client_id: 'robot', scope: 'read' })
    // The scope `read` allows no changes.
    expect((await rest(under, body.access_token, 'DELETE tokens/all')).status).toBe(403)
  })

  test('are refused for clients without a user, other scopes, and a missing secret', async () => {
    const nobody = await ask(under, { grant_type: 'client_credentials' }, as('nvr'))
    expect(nobody).toMatchObject(errorReply('unauthorized_client'))
    expect(await asRobot({ scope: 'write' })).toMatchObject(errorReply('invalid_scope'))
    const bare = await ask(under, { grant_type: 'client_credentials', client_id: 'robot' })
    expect(bare).toMatchObject(errorReply('invalid_client', 401))
  })

  test('end when the user is blocked', async () => {
    const { body } = await asRobot()
    const block = (blocked: boolean) =>
      under.owner.updateTable('users').set({ blocked }).where('user_id', '=', 1002).execute()
    await block(true)
    expect((await rest(under, body.access_token)).status).toBe(401)
    expect(await asRobot()).toMatchObject(errorReply('invalid_grant'))
    await block(false)
  })
})

describe('revoking and introspecting', () => {
  test("revoking either token of a sign-in ends both; another client's stays", async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { body } = await byPassword('nvr')
      const token = body[kind] ?? ''
      await ask(under, { token }, { ...as('robot'), path: '/oauth/revoke' })
      expect((await rest(under, body.access_token)).status).toBe(200)
      expect((await ask(under, { token }, { ...as('nvr'), path: '/oauth/revoke' })).status).toBe(200)
      expect((await rest(under, body.access_token)).status).toBe(401)
      const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
      expect(await ask(under, again, as('nvr'))).toMatchObject(errorReply('invalid_grant'))
      for (const dead of [body.access_token, body.refresh_token ?? '']) {
        const said = await ask(under, { token: dead }, { ...as('nvr'), path: '/oauth/introspect' })
        expect(said.body).toEqual({ active: false })
      }
    }
  })

  test('both need client authentication', async () => {
    const { body } = await byPassword('nvr')
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      const bare = await ask(under, { token: body.access_token, client_id: 'nvr' }, { path })
      expect(bare).toMatchObject(errorReply('invalid_client', 401))
    }
    const said = await ask(under, { token: body.access_token }, { ...as('robot'), path: '/oauth/introspect' })
    expect(said.body).toEqual({ active: false })
    expect((await rest(under, body.access_token)).status).toBe(200)
  })
})

// The tests above share the counters, so these run last and let the window pass after each.
describe('failures', () => {
  const nextWindow = () => clock.advance(WINDOW_MS)

  test('wrong passwords share one counter with the sign-in page', async () => {
    nextWindow()
    const username = 'second@demo.example'
    for (let i = 0; i < LIMITS.pair; i += 1) {
      expect((await byPassword('nvr', { username, password: 'wrong' })).status).toBe(400)
    }
    const locked = await byPassword('nvr', { username })
    expect(locked).toMatchObject(errorReply('temporarily_unavailable', 429))
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    const browser = under.browser()
    const started = await browser.authorize()
    const posted = await browser.post(started.location?.pathname ?? '', { email: username, password: PASSWORD })
    expect(posted.status).toBe(429)
    expect((await byPassword('nvr')).status).toBe(200)
    nextWindow()
    expect((await byPassword('nvr', { username })).status).toBe(200)
  })

  test('wrong secrets count on every endpoint together and lock that client at that address', async () => {
    nextWindow()
    const fields = { grant_type: 'client_credentials', token: 'x' }
    const paths = ['/oauth/token', '/oauth/introspect', '/oauth/revoke']
    for (let i = 0; i < LIMITS.pair; i += 1) {
      const wrong = await ask(under, fields, { basic: ['robot', 'wrong'], path: paths[i % 3] ?? '' })
      expect(wrong).toMatchObject(errorReply('invalid_client', 401))
    }
    const locked = await ask(under, fields, as('robot'))
    expect(locked).toMatchObject(errorReply('temporarily_unavailable', 429))
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await byPassword('nvr')).status).toBe(200)
    nextWindow()
    expect((await ask(under, fields, as('robot'))).status).toBe(200)
  })

  test('an address over its limit blocks the sign-in page, not requests of a server there', async () => {
    nextWindow()
    const { body } = await byPassword('nvr')
    const window_ends_at = instant(clock.now() + WINDOW_MS)
    await under.owner
      .insertInto('auth.failures')
      .values({ key: 'address 127.0.0.1', failures: LIMITS.address, window_ends_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ failures: LIMITS.address, window_ends_at }))
      .execute()
    const browser = under.browser()
    const path = (await browser.authorize()).location?.pathname ?? ''
    expect((await browser.post(path, { email: EMAIL, password: PASSWORD })).status).toBe(429)
    const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
    expect((await ask(under, again, as('nvr'))).status).toBe(200)
    expect((await byPassword('nvr')).status).toBe(200)
  })

  test("guessing at many addresses through a server doesn't block its other users", async () => {
    nextWindow()
    for (let i = 0; i <= LIMITS.address; i += 1) {
      const wrong = await byPassword('nvr', { username: `guess${i % 20}@demo.example`, password: 'wrong' })
      expect([400, 429]).toContain(wrong.status)
    }
    expect((await byPassword('nvr')).status).toBe(200)
    // It doesn't block the sign-in page for that address either.
    const browser = under.browser()
    const path = (await browser.authorize()).location?.pathname ?? ''
    expect((await browser.post(path, { email: EMAIL, password: PASSWORD })).status).toBe(303)
  })

  test("each server has its own limit, which doesn't affect other servers", async () => {
    nextWindow()
    const window_ends_at = instant(clock.now() + WINDOW_MS)
    const count = (failures: number) =>
      under.owner
        .insertInto('auth.failures')
        .values({ key: 'passwords of client nvr', failures, window_ends_at })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ failures, window_ends_at }))
        .execute()
    await count(LIMITS.client - 1)
    expect((await byPassword('nvr', { password: 'wrong' })).status).toBe(400)
    expect(await byPassword('nvr')).toMatchObject(errorReply('temporarily_unavailable', 429))
    expect((await byPassword('viewer')).status).toBe(200)
  })

  test("a client can't be locked out from other addresses", async () => {
    nextWindow()
    for (let i = 0; i < LIMITS.subject + 10; i += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` }
      await ask(under, { grant_type: 'client_credentials' }, { basic: ['robot', 'wrong'], headers })
    }
    expect((await ask(under, { grant_type: 'client_credentials' }, as('robot'))).status).toBe(200)
  })
})
