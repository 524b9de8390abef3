import { manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import type { Browser } from '../browser-testing.ts'
import { LIMITS, WINDOW_MS } from '../factors/failures/index.ts'
import { enableMfa, getCurrentCode, setMfa } from '../mfa-testing.ts'
import { addStaff, dealerApp, dealerToken } from '../staff-testing.ts'
import { ask, errorReply } from '../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const STEP_MS = 30_000
const clock = manualClock(Date.now())
let under: AuthUnderTest
let userId = 1000
let email = ''
let token = ''
let secret = ''
let recoveryCodes: readonly string[] = []
let clientSecret = ''

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  clientSecret = await under.addClient({ clientId: 'nvr', passwordGrant: true })
})
afterAll(() => under[Symbol.asyncDispose]())
/** Each test has its own user with a second factor, and no failures counted against this machine. */
beforeEach(async () => {
  clock.advance(WINDOW_MS)
  userId += 1
  email = `person${userId}@video.example`
  await under.addUser({ userId, email, password: PASSWORD })
  token = await under.browser().token(email, PASSWORD)
  const enabled = await enableMfa(under, token, clock.now())
  secret = enabled.secret
  recoveryCodes = enabled.recoveryCodes
  clock.advance(STEP_MS)
})

const current = () => getCurrentCode(secret, clock.now())
const wrong = () => {
  const right = [-1, 0, 1].map((away) => getCurrentCode(secret, clock.now() + away * STEP_MS))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}
const pathOf = ({ location }: { readonly location: URL | undefined }) => `${location?.pathname}${location?.search}`
/** Address and password; the path of the page that asks for the code. */
const toCode = async (browser: Browser, given: { email?: string; app?: ReturnType<typeof dealerApp> } = {}) => {
  const path = (await browser.authorize(given.app)).location?.pathname ?? ''
  return pathOf(await browser.post(path, { email: given.email ?? email, password: PASSWORD }))
}
const linesOf = async (action: string) =>
  under.owner
    .selectFrom('audit_log')
    .select('action')
    .where('user_id', '=', userId)
    .where('action', '=', action)
    .execute()
const failuresOf = async () => (await linesOf('loginFailed')).length

describe('after the password', () => {
  test('its own page asks for the code, and the right one leads to the application', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    expect(path).toMatch(/^\/sign-in\/[\w-]+\?step=code&lang=en$/)
    const page = await browser.request(path)
    expect(page).toMatchObject({ status: 200 })
    expect(page.text).toContain('<p>app null</p>')
    expect(page.text).not.toContain(PASSWORD)
    const posted = await browser.post(path, { code: current() })
    const back = await browser.request(pathOf(posted))
    const { body } = await browser.exchange(back.location?.searchParams.get('code') ?? '')
    expect(body.access_token).toBeTruthy()
    expect(await linesOf('login')).toHaveLength(2)
  })

  test('no token is issued and no one is signed in before the code', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    const resume = path.replace('/sign-in/', '/oauth/authorize/').split('?', 1)[0] ?? ''
    const early = await browser.request(resume)
    expect(early.location?.searchParams.get('code') ?? null).toBeNull()
    expect(JSON.parse((await browser.request('/auth/session')).text)).toMatchObject({ loggedIn: false })
    const silent = await browser.authorize({ extra: { prompt: 'none' } })
    expect(silent.location?.searchParams.get('error')).toBe('login_required')
    expect(await linesOf('login')).toHaveLength(1)
  })

  test('a wrong code is reported on the same page and logged', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    const answer = await browser.post(path, { code: wrong() })
    expect(answer).toMatchObject({ status: 422, location: undefined })
    expect(answer.text).toContain('{"kind":"incorrect"}')
    await expect.poll(failuresOf).toBe(1)
    expect((await browser.post(path, { code: current() })).status).toBe(303)
  })

  test('the page can be reloaded and shown in another language', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    for (const at of [path, path.replace('lang=en', 'lang=nl'), path.replace('step=code', 'step=recovery')])
      expect((await browser.request(at)).text).toMatch(/<p>(app|recoveryCode) null/)
    expect((await browser.request(path.replace('step=code', 'step=recovery'))).text).toContain('step=code&lang=en')
  })

  test('going back shows the password page, where another user can sign in', async () => {
    await under.addUser({ userId: userId + 5000, email: `other${email}`, password: PASSWORD })
    const browser = under.browser()
    const start = (await toCode(browser)).split('?', 1)[0] ?? ''
    expect((await browser.request(start)).text).toContain('name="email"')
    const posted = await browser.post(start, { email: `other${email}`, password: PASSWORD })
    expect((await browser.request(pathOf(posted))).location?.searchParams.get('code')).toBeTruthy()
  })

  test('going back and forward again works', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    await browser.request(path.split('?', 1)[0] ?? '')
    expect((await browser.post(path, { code: current() })).status).toBe(303)
  })

  test('opened without a password, the page shows the password form and refuses a code', async () => {
    const browser = under.browser()
    const start = (await browser.authorize()).location?.pathname ?? ''
    expect((await browser.request(`${start}?step=code`)).text).toContain('name="email"')
    expect((await browser.post(`${start}?step=code`, { code: current() })).text).toContain('error expired')
  })

  test('a form from another site is refused', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    const answer = await browser.post(path, { code: current() }, { 'sec-fetch-site': 'cross-site' })
    expect(answer).toMatchObject({ status: 403 })
    expect((await browser.post(path, { code: current() })).status).toBe(303)
  })

  test('a changed password or a block ends it', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
    expect((await browser.post(path, { code: current() })).text).toContain('error expired')
    await under.owner.updateTable('users').set({ blocked: false }).where('user_id', '=', userId).execute()
    await under.auth.plane.revokeSessions({ userId })
    expect((await browser.post(path, { code: current() })).text).toContain('error expired')
  })

  describe('a suspended account', () => {
    const setStatus = (status: 'active' | 'suspended') =>
      under.owner.updateTable('accounts').set({ status }).where('account_id', '=', userId).execute()
    const SUSPENDED = '{"kind":"suspended","company":"Reseller 255"}'

    test.each([
      ['the code', () => ({ code: current() })],
      ['a wrong code', () => ({ code: wrong() })],
      ['a passkey', () => ({ passkey: '{}' })],
    ])('is the reason shown in reply to %s; the sign-in continues once it is active again', async (_, form) => {
      const browser = under.browser()
      const path = await toCode(browser)
      await setStatus('suspended')
      const answer = await browser.post(path, form())
      expect(answer).toMatchObject({ status: 422, location: undefined })
      expect(answer.text).toContain(SUSPENDED)
      await expect.poll(failuresOf).toBe(1)
      const loaded = await browser.request(path)
      expect(loaded.status).toBe(200)
      expect(loaded.text).toContain(SUSPENDED)
      await setStatus('active')
      expect((await browser.post(path, { code: current() })).status).toBe(303)
    })

    test('is the reason shown to a user who has to choose an account', async () => {
      const shared = `both${userId}@video.example`
      await under.addUser({ userId: userId + 6000, email: shared, password: PASSWORD, resellerId: 255 })
      await under.addUser({ userId: userId + 7000, email: shared, password: PASSWORD, resellerId: 300 })
      const browser = under.browser()
      const start = (await browser.authorize()).location?.pathname ?? ''
      await browser.post(start, { email: shared, password: PASSWORD })
      const change = { status: 'suspended' } as const
      await under.owner
        .updateTable('accounts')
        .set(change)
        .where('account_id', '=', userId + 6000)
        .execute()
      expect((await browser.post(start, { userId: String(userId + 6000) })).text).toContain(SUSPENDED)
      expect((await browser.post(start, { userId: String(userId + 7000) })).status).toBe(303)
    })

    test('is not revealed without the right password in this sign-in, or to a blocked user', async () => {
      const path = await toCode(under.browser())
      await setStatus('suspended')
      const stranger = under.browser()
      const start = (await stranger.authorize()).location?.pathname ?? ''
      const forms: readonly Record<string, string>[] = [{ code: current() }, { userId: String(userId) }]
      for (const form of forms)
        expect((await stranger.post(`${start}?step=code`, form)).text).toContain('error expired')
      expect((await stranger.post(path, { code: current() })).text).not.toContain('suspended')
      const blocked = under.browser()
      await setStatus('active')
      const own = await toCode(blocked)
      await setStatus('suspended')
      await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
      expect((await blocked.post(own, { code: current() })).text).toContain('error expired')
    })
  })

  test("a user who chooses an account is asked for that account's code", async () => {
    const shared = `twice${userId}@video.example`
    await under.addUser({ userId: userId + 2000, email: shared, password: PASSWORD, resellerId: 255 })
    const own = await under.browser().token(shared, PASSWORD)
    const enabled = await enableMfa(under, own, clock.now())
    await under.addUser({ userId: userId + 3000, email: shared, password: PASSWORD, resellerId: 300 })
    const browser = under.browser()
    const start = (await browser.authorize()).location?.pathname ?? ''
    expect((await browser.post(start, { email: shared, password: PASSWORD })).status).toBe(200)
    const chosen = await browser.post(start, { userId: String(userId + 2000) })
    expect(chosen.location?.search).toContain('step=code')
    clock.advance(STEP_MS)
    const code = getCurrentCode(enabled.secret, clock.now())
    expect((await browser.post(pathOf(chosen), { code })).status).toBe(303)
    const other = under.browser()
    const again = (await other.authorize()).location?.pathname ?? ''
    await other.post(again, { email: shared, password: PASSWORD })
    expect((await other.post(again, { userId: String(userId + 3000) })).location?.pathname).toMatch(/^\/oauth\//)
  })
})

describe('a code works once', () => {
  test('and not again in another sign-in or after turning it on', async () => {
    const code = current()
    const first = under.browser()
    expect((await first.post(await toCode(first), { code })).status).toBe(303)
    const second = under.browser()
    const path = await toCode(second)
    expect((await second.post(path, { code })).status).toBe(422)
    expect((await second.post(path, { code: getCurrentCode(secret, clock.now() - STEP_MS) })).status).toBe(422)
    clock.advance(STEP_MS)
    expect((await second.post(path, { code: current() })).status).toBe(303)
  })

  test.each([
    ['app code', () => current()],
    ['recovery code', () => recoveryCodes[0] ?? ''],
  ])('for exactly one of 20 sign-ins with the same %s at the same moment', async (_, codeOf) => {
    const code = codeOf()
    const pages = []
    for (let i = 0; i < 20; i += 1) {
      const browser = under.browser()
      pages.push({ browser, path: await toCode(browser) })
    }
    const answers = await Promise.all(pages.map(({ browser, path }) => browser.post(path, { code })))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    for (const { status } of answers.filter((one) => one.status !== 303)) expect([422, 429]).toContain(status)
  })

  test('but pressing the button twice still signs in', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    const code = current()
    const [first, second] = await Promise.all([browser.post(path, { code }), browser.post(path, { code })])
    const inTheEnd = [first, second].filter(({ status }) => status === 303)
    expect(inTheEnd.length).toBeGreaterThan(0)
    const late = await browser.post(path, { code })
    expect(late).toMatchObject({ status: 303 })
    expect(late.location?.pathname).toMatch(/^\/oauth\/authorize\//)
    expect((await browser.request(pathOf(late))).location?.searchParams.get('code')).toBeTruthy()
  })
})

test('a recovery code signs in once, is logged, and an email says how many are left', async () => {
  const [code = ''] = recoveryCodes
  const browser = under.browser()
  const path = (await toCode(browser)).replace('step=code', 'step=recovery')
  expect((await browser.post(path, { code: code.toUpperCase() })).status).toBe(303)
  expect(await linesOf('recoveryCodeUsed')).toHaveLength(1)
  const mails = (await under.sentMails()).filter((mail) => mail.to === email)
  expect(mails.at(-1)?.subject).toBe('A recovery code was used to sign in to Sightline')
  expect(mails.at(-1)?.text).toContain('Recovery codes left: 9.')
  const again = under.browser()
  expect((await again.post(await toCode(again), { code })).status).toBe(422)
})

describe('guessing', () => {
  test('is locked after as many wrong codes as wrong passwords, and a right password allows no more', async () => {
    for (let i = 0; i < LIMITS.pair; i += 1) {
      const browser = under.browser()
      expect((await browser.post(await toCode(browser), { code: wrong() })).status).toBe(422)
    }
    const browser = under.browser()
    const start = (await browser.authorize()).location?.pathname ?? ''
    const locked = await browser.post(start, { email, password: PASSWORD })
    expect(locked.status).toBe(429)
    expect(locked.text).toContain('"locked"')
    clock.advance(WINDOW_MS)
    const later = under.browser()
    expect((await later.post(await toCode(later), { code: current() })).status).toBe(303)
  })

  test('is also locked on an open page, with the time to wait', async () => {
    const browser = under.browser()
    const path = await toCode(browser)
    for (let i = 0; i < LIMITS.code; i += 1) await browser.post(path, { code: wrong() })
    const locked = await browser.post(path, { code: current() })
    expect(locked.status).toBe(429)
    expect(locked.text).toContain('"locked","minutes":15')
    expect(locked.headers.get('retry-after')).toBe('900')
  })

  test('has one limit for all addresses', async () => {
    const passwords = { client_id: 'nvr', client_secret: clientSecret, grant_type: 'password' }
    for (let i = 0; i < LIMITS.code; i += 1) {
      const form = { ...passwords, username: email, password: PASSWORD, mfa_code: wrong() }
      const answer = await ask(under, form, { headers: { 'x-forwarded-for': `198.51.100.${i}` } })
      expect(answer).toMatchObject(errorReply('invalid_grant'))
    }
    const form = { ...passwords, username: email, password: PASSWORD, mfa_code: current() }
    const answer = await ask(under, form, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(answer.status).toBe(429)
  })

  test('is forgiven by a complete sign-in', async () => {
    for (let i = 0; i < LIMITS.pair - 1; i += 1) {
      const browser = under.browser()
      await browser.post((await browser.authorize()).location?.pathname ?? '', { email, password: 'wrong' })
    }
    const through = under.browser()
    expect((await through.post(await toCode(through), { code: current() })).status).toBe(303)
    for (let i = 0; i < 3; i += 1) {
      const browser = under.browser()
      const start = (await browser.authorize()).location?.pathname ?? ''
      expect((await browser.post(start, { email, password: 'wrong' })).status).toBe(422)
    }
  })
})

describe('the password grant', () => {
  const grant = (more: Record<string, string> = {}) =>
    ask(
      under,
      { grant_type: 'password', username: email, password: PASSWORD, ...more },
      { basic: ['nvr', clientSecret] },
    )

  test('requires mfa_code for users with a second factor, and accepts a code once', async () => {
    const without = await grant()
    expect(without).toMatchObject(errorReply('invalid_grant'))
    expect(without.body.error_description).toContain('mfa_code')
    expect(await grant({ mfa_code: wrong() })).toMatchObject(errorReply('invalid_grant'))
    const mfa_code = current()
    expect((await grant({ mfa_code })).status).toBe(200)
    expect(await grant({ mfa_code })).toMatchObject(errorReply('invalid_grant'))
    expect((await grant({ mfa_code: recoveryCodes[0] ?? '' })).status).toBe(200)
    await expect.poll(failuresOf).toBe(2)
  })

  test('gives one token to 20 concurrent requests with one code', async () => {
    const mfa_code = current()
    const all = await Promise.all(Array.from({ length: 20 }, () => grant({ mfa_code })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('reveals nothing about the code if the password is wrong', async () => {
    const answers = [await grant({ password: 'wrong', mfa_code: current() }), await grant({ password: 'wrong' })]
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test('never logs codes', async () => {
    const code = wrong()
    await grant({ mfa_code: code })
    const browser = under.browser()
    await browser.post(await toCode(browser), { code })
    expect(under.logged.join('\n')).not.toContain(code)
  })
})

test('staff with a second factor are asked for it by the dealer dashboard', async () => {
  const staff = { userId: userId + 7000, email: `staff${email}`, password: PASSWORD }
  await addStaff(under, staff)
  const enabled = await enableMfa(under, await dealerToken(under.browser(), staff.email, PASSWORD), clock.now())
  clock.advance(STEP_MS)
  const browser = under.browser()
  const path = await toCode(browser, { email: staff.email, app: dealerApp(browser) })
  expect(path).toContain('step=code')
  const posted = await browser.post(path, { code: getCurrentCode(enabled.secret, clock.now()) })
  expect((await browser.request(pathOf(posted))).location?.pathname).toBe('/dealer/')
})

test('a user who turns it off signs in with the password only', async () => {
  expect((await setMfa(under, token, false, current())).status).toBe(200)
  expect(await under.browser().token(email, PASSWORD)).toBeTruthy()
})
