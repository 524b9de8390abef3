import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import type { Browser } from '../browser-testing.ts'
import { addStaff, call, dealerApp, dealerToken } from '../staff-testing.ts'
import { ask } from '../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const BOTH = 'both@demo.example'
let under: AuthUnderTest
let secret: string

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: 'owner@demo.example', password: PASSWORD })
  await under.addUser({ userId: 1002, email: BOTH, password: PASSWORD })
  await addStaff(under, { userId: 2001, email: 'dealer@demo.example', password: PASSWORD })
  await addStaff(under, { userId: 2002, email: BOTH, password: PASSWORD })
  await addStaff(under, { userId: 2003, email: 'brand@demo.example', password: PASSWORD, resellerId: 300 })
  await addStaff(under, { userId: 2004, email: 'distributor@demo.example', password: PASSWORD, level: 'distributor' })
  await addStaff(under, { userId: 2005, email: 'admin@demo.example', password: PASSWORD, level: 'admin' })
  await addStaff(under, { userId: 2006, email: 'gone@demo.example', password: PASSWORD })
  secret = await under.addClient({ clientId: 'nvr', passwordGrant: true })
})
afterAll(() => under[Symbol.asyncDispose]())

/** The form of the sign-in page, for that application. */
const post = async (browser: Browser, email: string, app?: ReturnType<typeof dealerApp>, password = PASSWORD) => {
  const path = (await browser.authorize(app)).location?.pathname ?? ''
  return browser.post(path, { email, password })
}
const sessionState = async (browser: Browser) => JSON.parse((await browser.request('/auth/session')).text)

describe('our applications', () => {
  test('the dealer dashboard accepts staff, whose token has no account', async () => {
    const token = await dealerToken(under.browser(), 'dealer@demo.example', PASSWORD)
    expect((await call(under, token, 'GET users/self/tokens')).status).toBe(200)
    expect((await call(under, token, 'POST users/self/sessions')).body).toMatchObject({ session: { userId: 2001 } })
    expect(await call(under, token, 'GET users/self/supportSession')).toMatchObject({
      status: 403,
      body: { code: 9, detail: 'this call is for users of an account' },
    })
    const row = await under.owner
      .selectFrom('sessions')
      .select(['level', 'account_id', 'reseller_id', 'client_id'])
      .where('user_id', '=', 2001)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ level: 'reseller', account_id: 255, reseller_id: 255, client_id: 'dealer.v1' })
  })

  test('account apps don’t accept staff, and the dealer dashboard doesn’t accept members', async () => {
    const asMember = await post(under.browser(), 'dealer@demo.example')
    expect(asMember).toMatchObject({ status: 422, location: undefined })
    const browser = under.browser()
    expect(await post(browser, 'owner@demo.example', dealerApp(browser))).toMatchObject({ status: 422 })
  })

  test.each([
    ['dealer@demo.example', 'Reseller 255'],
    ['brand@demo.example', 'Reseller 300'],
    ['admin@demo.example', 'Provider'],
  ])('account apps direct %s, after the right password, to the dealer dashboard', async (email, company) => {
    const { text } = await post(under.browser(), email)
    expect(text).toContain(JSON.stringify({ kind: 'staff', company, href: '/dealer/' }))
  })

  test('account apps don’t mention staff after a wrong password, on another brand’s host, or if blocked', async () => {
    await addStaff(under, { userId: 2007, email: 'blocked@demo.example', password: PASSWORD })
    await under.owner.updateTable('staff').set({ blocked: true }).where('user_id', '=', 2007).execute()
    const answers = [
      await post(under.browser(), 'dealer@demo.example', undefined, 'Wrong-horse7'),
      await post(under.browser(`http://${under.brandHost}`), 'dealer@demo.example'),
      await post(under.browser(), 'blocked@demo.example'),
    ]
    for (const { status, text } of answers) {
      expect(status).toBe(422)
      expect(text).toContain('{"kind":"incorrect"}')
    }
  })

  test('guessing staff passwords in account apps locks the dealer dashboard too', async () => {
    await addStaff(under, { userId: 2008, email: 'guessed@demo.example', password: PASSWORD })
    for (let i = 0; i < 10; i += 1) await post(under.browser(), 'guessed@demo.example', undefined, 'Wrong-horse7')
    const browser = under.browser()
    expect(await post(browser, 'guessed@demo.example', dealerApp(browser))).toMatchObject({ status: 429 })
  })

  test('an address and password of both a member and staff signs in whichever the application is for', async () => {
    const member = await under.browser().token(BOTH, PASSWORD)
    expect((await call(under, member, 'POST users/self/sessions')).body.session.userId).toBe(1002)
    const staff = await dealerToken(under.browser(), BOTH, PASSWORD)
    expect((await call(under, staff, 'POST users/self/sessions')).body.session.userId).toBe(2002)
  })

  test('the organization’s audit log says who signed in', async () => {
    await dealerToken(under.browser(), 'distributor@demo.example', PASSWORD)
    const line = await under.owner
      .selectFrom('audit_log')
      .select(['account_id', 'action', 'staff_id', 'actor_name'])
      .where('user_id', '=', 2004)
      .executeTakeFirstOrThrow()
    expect(line).toEqual({ account_id: 1, action: 'login', staff_id: 2004, actor_name: 'Dora Dealer' })
  })
})

describe('hosts', () => {
  const brand = () => under.browser(`http://${under.brandHost}`)
  test('staff of a reseller sign in on the hosts of its brand and on the provider’s', async () => {
    for (const browser of [brand(), under.browser()])
      expect(await dealerToken(browser, 'brand@demo.example', PASSWORD)).toBeTruthy()
  })
  test.each(['dealer@demo.example', 'distributor@demo.example', 'admin@demo.example'])(
    '%s is unknown on another brand’s host',
    async (email) => {
      const browser = brand()
      expect(await post(browser, email, dealerApp(browser))).toMatchObject({ status: 422 })
    },
  )
  test.each(['distributor@demo.example', 'admin@demo.example'])('%s signs in on the provider’s host', async (email) => {
    expect(await dealerToken(under.browser(), email, PASSWORD)).toBeTruthy()
  })
})

describe('registered applications', () => {
  test('accept both, and prefer the member if both have the password', async () => {
    const signIn = (username: string) =>
      ask(under, { grant_type: 'password', username, password: PASSWORD }, { basic: ['nvr', secret] })
    expect((await signIn('owner@demo.example')).status).toBe(200)
    const staff = await signIn('dealer@demo.example')
    expect(staff.status).toBe(200)
    expect((await call(under, staff.body.access_token, 'POST users/self/sessions')).body.session.userId).toBe(2001)
    const both = await signIn(BOTH)
    expect((await call(under, both.body.access_token, 'POST users/self/sessions')).body.session.userId).toBe(1002)
  })
  test('ask which one is meant if a password fits a member and staff', async () => {
    const browser = under.browser()
    const app = { clientId: 'nvr', redirectUri: 'https://nvr.example/back' }
    const path =
      (await browser.authorize({ ...app, extra: { code_challenge: '', code_challenge_method: '' } })).location
        ?.pathname ?? ''
    const page = await browser.post(path, { email: BOTH, password: PASSWORD })
    expect(page.status).toBe(200)
    expect(page.text).toContain('"userId":1002')
    expect(page.text).toContain('"userId":2002')
  })
})

describe('a browser signed in as staff', () => {
  test('gets no account token and is redirected to the page that explains this', async () => {
    const browser = under.browser()
    await dealerToken(browser, 'dealer@demo.example', PASSWORD)
    expect(await sessionState(browser)).toEqual({ loggedIn: true, otherApp: 'dealer' })
    const asked = await browser.authorize()
    expect(asked.location?.pathname).toMatch(/^\/sign-in\//)
    const led = await browser.request(asked.location?.pathname ?? '')
    expect(led).toMatchObject({ status: 303, text: '' })
    expect(led.location?.href).toBe(`${under.origin}/firstlogout`)
    const silent = await browser.authorize({ extra: { prompt: 'none' } })
    expect(silent.location?.searchParams.get('error')).toBe('login_required')
    expect(silent.location?.searchParams.get('code')).toBeNull()
  })

  test('can sign in as a member after signing out', async () => {
    const browser = under.browser()
    await dealerToken(browser, 'dealer@demo.example', PASSWORD)
    const out = await browser.request(`/auth/logout?redirect_uri=${encodeURIComponent(`${under.origin}/`)}`)
    expect(out.location?.href).toBe(`${under.origin}/`)
    expect(await sessionState(browser)).toEqual({ loggedIn: false, otherApp: null })
    expect(await browser.token('owner@demo.example', PASSWORD)).toBeTruthy()
  })

  test('needs no sign-in page for the dealer dashboard', async () => {
    const browser = under.browser()
    await dealerToken(browser, 'dealer@demo.example', PASSWORD)
    expect((await browser.authorize(dealerApp(browser))).location?.searchParams.get('code')).toBeTruthy()
  })
})

test('the dealer dashboard asks a browser signed in as a member for a staff sign-in, which ends the member’s', async () => {
  const browser = under.browser()
  const member = await browser.token('owner@demo.example', PASSWORD)
  expect(await sessionState(browser)).toEqual({ loggedIn: true, otherApp: null })
  const asked = await browser.authorize(dealerApp(browser))
  expect((await browser.request(asked.location?.pathname ?? '')).text).toContain('name="email"')
  const posted = await browser.post(asked.location?.pathname ?? '', {
    email: 'dealer@demo.example',
    password: PASSWORD,
  })
  const back = await browser.request(posted.location?.pathname ?? '')
  expect(back.location?.pathname).toBe('/dealer/')
  expect((await call(under, member, 'GET users/self/tokens')).status).toBe(401)
})

test('blocking a staff member ends everything immediately and prevents new sign-ins', async () => {
  const browser = under.browser()
  const token = await dealerToken(browser, 'gone@demo.example', PASSWORD)
  await under.owner.updateTable('staff').set({ blocked: true }).where('user_id', '=', 2006).execute()
  expect((await call(under, token, 'GET users/self/tokens')).status).toBe(401)
  expect(await sessionState(browser)).toEqual({ loggedIn: false, otherApp: null })
  const again = await browser.authorize(dealerApp(browser))
  expect(again.location?.searchParams.get('code') ?? null).toBeNull()
  expect(await post(browser, 'gone@demo.example', dealerApp(browser))).toMatchObject({ status: 422 })
})
