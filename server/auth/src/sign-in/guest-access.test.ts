import { type ManualClock, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import type { Browser } from '../browser-testing.ts'
import { call, dealerApp } from '../staff-testing.ts'

const PASSWORD = 'Correct-horse7'
const SHOP = 5001
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
let under: AuthUnderTest
let clock: ManualClock

beforeAll(async () => {
  clock = manualClock(Date.now())
  under = await openAuthUnderTest({ clock })
  await under.addUser({ userId: SHOP, email: 'shop@demo.example', password: PASSWORD, resellerId: 300 })
  await under.addUser({ userId: 5002, email: 'regular@demo.example', password: PASSWORD, resellerId: 300 })
  await under.addUser({ userId: 5003, email: 'elsewhere@demo.example', password: PASSWORD, resellerId: 255 })
  await under.addClient({ clientId: 'nvr' })
})
afterAll(() => under[Symbol.asyncDispose]())

type Columns = Partial<{
  status: 'active' | 'inactive' | 'suspended'
  user_type: 'regular' | 'demo'
  public_demo: boolean
}>
const account = (accountId: number, columns: Columns) =>
  under.owner.updateTable('accounts').set(columns).where('account_id', '=', accountId).execute()
const open = (accountId = SHOP) => account(accountId, { status: 'active', user_type: 'demo', public_demo: true })
const close = (accountId = SHOP) => account(accountId, { public_demo: false })

beforeEach(async () => {
  await under.owner.deleteFrom('auth.sign_in_history').execute()
  await under.owner.deleteFrom('auth.lockdowns').execute()
  await under.owner.updateTable('users').set({ blocked: false }).execute()
  await open()
})

const brand = () => `http://${under.brandHost}`
const browser = (address = '198.51.100.7', origin = brand()) =>
  under.browser(origin, { 'user-agent': firefox, 'x-forwarded-for': address })
const pageOf = async (from: Browser, given: Parameters<Browser['authorize']>[0] = {}) =>
  (await from.authorize(given)).location?.pathname ?? ''
const offered = async (from: Browser, given: Parameters<Browser['authorize']>[0] = {}): Promise<unknown> => {
  const { text } = await from.request(await pageOf(from, given))
  return JSON.parse(/id="offered">(.*?)<\/p>/.exec(text)?.[1] ?? 'null')
}
/** From the page through the button back to the application; returns the address it came back to. */
const look = async (from: Browser, accountId = SHOP): Promise<URL> => {
  const posted = await from.post(await pageOf(from), { demonstration: String(accountId) })
  if (posted.location === undefined) throw new Error(`looking around answered ${posted.status}: ${posted.text}`)
  const back = await from.request(posted.location.pathname)
  if (back.location === undefined) throw new Error(`the way back answered ${back.status}: ${back.text}`)
  return back.location
}
const guestToken = async (from = browser()): Promise<string> => {
  const { body } = await from.exchange((await look(from)).searchParams.get('code') ?? '')
  return body.access_token
}
const ask = (token: string, what: string, body?: unknown) => call(under, token, what, body)
const isAlive = async (token: string) => (await ask(token, 'GET users/self/sessions')).status === 200
const sessionOf = (token: string) =>
  under.owner
    .selectFrom('auth.access_sessions')
    .selectAll()
    .where('token_sha256', '=', tokenSha256(token))
    .executeTakeFirst()
const auditOf = async (userId: number) =>
  (await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId).execute()).map(
    ({ action }) => action,
  )
const asNvr = {
  clientId: 'nvr',
  redirectUri: 'https://nvr.example/back',
  extra: { code_challenge: '', code_challenge_method: '' },
}

describe('the sign-in page', () => {
  test('offers its brand’s public demonstrations, and all of them on the provider’s hosts', async () => {
    await open(5003)
    expect(await offered(browser())).toEqual([{ accountId: SHOP, name: `Account ${SHOP}` }])
    const everywhere = [SHOP, 5003].map((accountId) => ({ accountId, name: `Account ${accountId}` }))
    expect(await offered(browser('198.51.100.7', under.origin))).toEqual(everywhere)
    await close(5003)
  })

  test('offers at most five', async () => {
    const ids = [5101, 5102, 5103, 5104, 5105]
    for (const userId of ids) {
      await under.addUser({ userId, email: `more${userId}@demo.example`, password: PASSWORD, resellerId: 300 })
      await open(userId)
    }
    expect(await offered(browser())).toHaveLength(5)
    for (const userId of ids) await close(userId)
  })

  test('offers none to staff or for a third-party client', async () => {
    const from = browser()
    expect(await offered(from, dealerApp(from))).toEqual([])
    expect(await offered(browser(), asNvr)).toEqual([])
  })

  test.each([
    ['is not public', () => close()],
    ['is no longer a demonstration', () => account(SHOP, { user_type: 'regular' })],
    ['is inactive', () => account(SHOP, { status: 'inactive' })],
    ['is suspended', () => account(SHOP, { status: 'suspended' })],
    [
      'has a blocked owner',
      () => under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', SHOP).execute(),
    ],
    [
      'has an owner in a lockdown',
      () =>
        under.owner
          .insertInto('auth.lockdowns')
          .values({ user_id: SHOP, account_id: SHOP, email_folded: 'shop@demo.example', at: instant(clock.now()) })
          .execute(),
    ],
  ])('neither offers nor opens an account that %s', async (_why, change) => {
    const from = browser()
    const page = await pageOf(from)
    await change()
    expect(await offered(browser())).toEqual([])
    const refused = await from.post(page, { demonstration: String(SHOP) })
    expect(refused).toMatchObject({ status: 422, location: undefined })
    expect(refused.text).toContain('"kind":"demonstration"')
    expect((await from.authorize({ extra: { prompt: 'none' } })).location?.searchParams.get('error')).toBe(
      'login_required',
    )
  })

  test.each([
    ['a regular account', 5002],
    ['an account of another brand', 5003],
    ['an unknown account', 77],
  ])('doesn’t open %s by its number', async (_what, accountId) => {
    await open(5003)
    const from = browser()
    expect(await from.post(await pageOf(from), { demonstration: String(accountId) })).toMatchObject({ status: 422 })
    await close(5003)
  })

  test('doesn’t open one that it didn’t offer: for staff or for a third-party client', async () => {
    for (const given of [dealerApp({ origin: brand() }), asNvr]) {
      const from = browser()
      expect(await from.post(await pageOf(from, given), { demonstration: String(SHOP) })).toMatchObject({ status: 422 })
    }
  })

  test('accepts the button only from its own page', async () => {
    const from = browser()
    const page = await pageOf(from)
    const foreign = await from.post(page, { demonstration: String(SHOP) }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign).toMatchObject({ status: 403 })
    expect(await browser().post(page, { demonstration: String(SHOP) })).toMatchObject({ status: 400 })
  })
})

describe('a guest', () => {
  test('acts for the owner for two hours, without proof of identity', async () => {
    const from = browser()
    const back = await from.post(await pageOf(from, { extra: { scope: 'openid read write' } }), {
      demonstration: String(SHOP),
    })
    const resumed = await from.request(back.location?.pathname ?? '')
    const { body } = await from.exchange(resumed.location?.searchParams.get('code') ?? '')
    expect(body.expires_in).toBe(7200)
    expect(await sessionOf(body.access_token)).toMatchObject({ user_id: SHOP, account_id: SHOP, visitor: true })
    const idToken = (body as unknown as { id_token: string }).id_token
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ sub: String(SHOP) })
    expect(claims).not.toHaveProperty('amr')
  })

  test('has access even if the owner never set a password or uses a second factor', async () => {
    await under.addUser({ userId: 5201, email: 'invited@demo.example', password: PASSWORD, resellerId: 300 })
    await open(5201)
    const isIn = async () => {
      const from = browser()
      const { body } = await from.exchange((await look(from, 5201)).searchParams.get('code') ?? '')
      return isAlive(body.access_token)
    }
    const since = instant(clock.now())
    const passkeys = { user_id: 5201, account_id: 5201, created_at: since, passkeys_since: since }
    await under.owner
      .insertInto('auth.two_factor')
      .values({ ...passkeys, recovery_salt: Buffer.alloc(16) })
      .execute()
    expect(await isIn()).toBe(true)
    await under.owner.deleteFrom('auth.credentials').where('user_id', '=', 5201).execute()
    expect(await isIn()).toBe(true)
    await close(5201)
  })

  test('is rejected by every user call that changes something or shows how the owner signs in', async () => {
    const token = await guestToken()
    // The token, the guest's own visit and its end; a demo allows no support sessions.
    const open = 'postSession getSessions getSignIns deleteCurrentToken getOwnSupportSession getSupportSessions'.split(
      ' ',
    )
    const members = under.auth.served.map(({ route }) => route).filter(({ callers }) => callers !== 'staff')
    const asked = members.filter(({ name }) => !open.includes(name))
    expect(asked.length).toBe(members.length - open.length)
    for (const { method, name, path } of asked) {
      const answer = await ask(
        token,
        `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`,
        method === 'GET' ? undefined : {},
      )
      expect([name, answer.status, answer.body.code]).toEqual([name, 403, 9])
    }
    expect(await ask(token, 'POST users/self/sessions')).toMatchObject({
      status: 200,
      body: { session: { userId: SHOP } },
    })
    expect((await ask(token, 'DELETE users/self/tokens/current')).status).toBe(204)
    expect(await isAlive(token)).toBe(false)
  })

  test('sees only their own session, and the owner sees no guest sessions', async () => {
    const owner = await browser('203.0.113.9').token('shop@demo.example', PASSWORD)
    const [first, second] = [await guestToken(browser('198.51.100.1')), await guestToken(browser('198.51.100.2'))]
    for (const [token, address] of [
      [first, '198.51.100.1'],
      [second, '198.51.100.2'],
    ] as const) {
      expect((await ask(token, 'GET users/self/sessions')).body).toMatchObject([{ address, current: true }])
      expect((await ask(token, 'GET users/self/signIns')).body).toEqual([])
    }
    const seen = (await ask(owner, 'GET users/self/sessions')).body as { address: string }[]
    expect(seen.map(({ address }) => address)).not.toContain('198.51.100.1')
    expect(JSON.stringify((await ask(owner, 'GET users/self/tokens')).body)).not.toContain('198.51.100')
    expect((await ask(owner, 'DELETE users/self/sessions/others')).status).toBe(204)
    expect(await isAlive(first)).toBe(true)
  })

  test('causes no email, no audit entry per visit and no sign-in in the owner’s history', async () => {
    await browser('203.0.113.9').token('shop@demo.example', PASSWORD)
    await under.sentMails()
    const before = await under.owner.selectFrom('auth.known_devices').selectAll().where('user_id', '=', SHOP).execute()
    for (let visit = 0; visit < 3; visit += 1) await guestToken(browser('198.51.100.50'))
    expect(await under.sentMails()).toEqual([])
    const after = await under.owner.selectFrom('auth.known_devices').selectAll().where('user_id', '=', SHOP).execute()
    expect(after).toEqual(before)
    const lines = await under.owner
      .selectFrom('auth.sign_in_history')
      .select(['method', 'tries', 'address', 'browser'])
      .where('user_id', '=', SHOP)
      .where('method', '=', 'visit')
      .execute()
    expect(lines).toEqual([{ method: 'visit', tries: 3, address: null, browser: 'Firefox' }])
  })

  test('leaves at most 41 entries a day, in the audit log too, however many guests come, and the owner’s own are among them', async () => {
    const visits = async () => (await auditOf(SHOP)).filter((action) => action === 'visit').length
    const before = await visits()
    for (let network = 0; network < 45; network += 1) await look(browser(`100.64.${network}.1`))
    await browser('203.0.113.9').token('shop@demo.example', PASSWORD)
    const lines = await under.owner
      .selectFrom('auth.sign_in_history')
      .select(['method', 'tries'])
      .where('user_id', '=', SHOP)
      .execute()
    expect(lines.filter(({ method }) => method === 'visit')).toHaveLength(41)
    expect(lines.filter(({ method }) => method === 'password')).toHaveLength(1)
    expect(Math.max(...lines.map(({ tries }) => tries))).toBe(5)
    expect((await visits()) - before).toBe(41)
  })

  test('leaves no entry when signing out', async () => {
    const from = browser()
    const token = await guestToken(from)
    const signOuts = async () => (await auditOf(SHOP)).filter((action) => action === 'logout').length
    const before = await signOuts()
    await from.request('/auth/logout')
    expect(await isAlive(token)).toBe(false)
    expect((await ask(await guestToken(), 'DELETE users/self/tokens/current')).status).toBe(204)
    expect(await signOuts()).toBe(before)
  })
})

describe('a guest session', () => {
  test('ends two hours after it began, however late a token is requested', async () => {
    const from = browser()
    await look(from)
    clock.advance(90 * 60_000)
    const back = await from.authorize({ extra: {} })
    const { body } = await from.exchange(back.location?.searchParams.get('code') ?? '')
    expect(body.expires_in).toBeLessThanOrEqual(1800)
    expect(body.expires_in).toBeGreaterThan(1700)
  })

  test('works for our other applications, and asks again for prompt=login, for max_age and after two hours', async () => {
    const from = browser()
    await look(from)
    const silent = async (extra: Record<string, string>) =>
      (await from.authorize({ extra })).location?.searchParams.get('error') ?? 'in'
    const back = await from.authorize({ clientId: 'camera-app.v1', redirectUri: `${brand()}/app/` })
    expect(back.location?.searchParams.get('code')).toBeTruthy()
    expect(await silent({ prompt: 'none' })).toBe('in')
    const age = { scope: 'openid read write', max_age: '3600' }
    expect(await silent({ prompt: 'none', ...age })).toBe('login_required')
    for (const extra of [{ prompt: 'login' }, age]) {
      const page = await pageOf(from, { extra })
      expect(page).toMatch(/^\/sign-in\//)
      const again = await from.post(page, { demonstration: String(SHOP) })
      expect((await from.request(again.location?.pathname ?? '')).location?.searchParams.get('code')).toBeTruthy()
    }
    clock.advance(7_300_000)
    expect(await silent({ prompt: 'none' })).toBe('login_required')
  })

  test('works for no third-party client, even one that the owner allowed', async () => {
    await browser().letIn({ clientId: 'nvr', email: 'shop@demo.example', password: PASSWORD })
    const from = browser()
    await look(from)
    const asked = await from.authorize({ ...asNvr, extra: { ...asNvr.extra, prompt: 'none' } })
    expect(asked.location?.searchParams.get('error')).toBe('login_required')
    const page = await pageOf(from, asNvr)
    expect(page).toMatch(/^\/sign-in\//)
    expect((await from.request(page)).text).toContain('name="email"')
  })

  test('ends when someone signs in with the password, and the reverse', async () => {
    const from = browser()
    const visiting = await guestToken(from)
    const page = await pageOf(from, { extra: { prompt: 'login' } })
    const signedIn = await from.post(page, { email: 'shop@demo.example', password: PASSWORD })
    const back = await from.request(signedIn.location?.pathname ?? '')
    const { body } = await from.exchange(back.location?.searchParams.get('code') ?? '')
    expect([await isAlive(visiting), (await sessionOf(body.access_token))?.visitor]).toEqual([false, false])
    const again = await from.post(await pageOf(from, { extra: { prompt: 'login' } }), { demonstration: String(SHOP) })
    await from.request(again.location?.pathname ?? '')
    expect(await isAlive(body.access_token)).toBe(false)
  })
})

describe('when a demonstration ends', () => {
  test.each([
    ['it is closed', () => close(), false],
    ['the account becomes inactive', () => account(SHOP, { status: 'inactive' }), true],
    ['the account is no longer a demonstration', () => account(SHOP, { user_type: 'regular' }), false],
  ])(
    'because %s, guest sessions end immediately and for good, and the owner’s don’t',
    async (_why, end, staysPublic) => {
      const owner = await browser().token('shop@demo.example', PASSWORD)
      const from = browser()
      const token = await guestToken(from)
      const code = (await from.authorize({ extra: { prompt: 'none' } })).location?.searchParams.get('code') ?? ''
      await end()
      const row = under.owner.selectFrom('accounts').select('public_demo').where('account_id', '=', SHOP)
      expect((await row.executeTakeFirst())?.public_demo).toBe(staysPublic)
      expect([await isAlive(token), await isAlive(owner)]).toEqual([false, true])
      expect((await from.exchange(code)).status).toBe(400)
      await open()
      expect(await isAlive(token)).toBe(false)
      expect((await from.authorize({ extra: { prompt: 'none' } })).location?.searchParams.get('error')).toBe(
        'login_required',
      )
    },
  )

  test('a guest who has pressed the button but not returned yet gets no access', async () => {
    const from = browser()
    const posted = await from.post(await pageOf(from), { demonstration: String(SHOP) })
    await close()
    const back = await from.request(posted.location?.pathname ?? '')
    expect(back).toMatchObject({ status: 400, location: undefined })
    const visits = under.owner.selectFrom('auth.access_sessions').select('token_id').where('visitor', '=', true)
    expect(await visits.execute()).toEqual([])
  })

  test('a guest who arrives while it is being closed loses access like the others', async () => {
    const from = browser()
    const posted = await from.post(await pageOf(from), { demonstration: String(SHOP) })
    await using visits = await hold(under, 'lock table auth.user_sessions in share mode')
    const resumed = from.request(posted.location?.pathname ?? '')
    await visits.waiting(1)
    const closed = close()
    await visits.waiting(2)
    await visits.release()
    const code = (await resumed).location?.searchParams.get('code') ?? ''
    await closed
    expect((await from.exchange(code)).status).toBe(400)
    await open()
    expect((await from.authorize({ extra: { prompt: 'none' } })).location?.searchParams.get('error')).toBe(
      'login_required',
    )
  })
})
