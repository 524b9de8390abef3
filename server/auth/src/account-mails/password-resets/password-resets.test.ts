import { type ManualClock, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { SignInTestPage } from '../../browser-testing.ts'
import { MAX_RESET_REQUESTS } from './ask.ts'

const OLD = 'Correct-horse7'
const NEW = 'Another-zebra9'
const NOBODY = 'nobody@video.example'

let under: AuthUnderTest
let clock: ManualClock
let userId = 2000
let email = ''

beforeAll(async () => {
  clock = manualClock(Date.now())
  under = await openAuthUnderTest({ clock })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  under.revoked.length = 0
  under.logged.length = 0
  await under.owner.deleteFrom('auth.failures').execute()
})

const addUser = (over: object = {}) => under.addUser({ userId, email, password: OLD, ...over })
const brandOrigin = () => `http://${under.brandHost}`
const ask = (to: string, origin = under.origin) => under.browser(origin).post('/sign-in/forgot?lang=en', { email: to })
const call = (path: string, body: unknown, headers: object = {}): Promise<SignInTestPage> =>
  under.browser().request(`/auth/passwordResets${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** Waits for that many emails to the recipient, because the work continues after the response. */
async function untilWritten(to: string, atLeast: number): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const rows = await under.owner.selectFrom('mail_outbox').select('mail_id').where('recipient', '=', to).execute()
    if (rows.length >= atLeast) return
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error(`there are not ${atLeast} mails yet`)
}
async function mailsTo(to: string, atLeast: number) {
  await untilWritten(to, atLeast)
  return (await under.sentMails()).filter((mail) => mail.to === to)
}
const linkIn = (text: string): URL => new URL(/^https?:\S+$/m.exec(text)?.[0] ?? '')
async function linkOf(to: string): Promise<URL> {
  const mails = await mailsTo(to, 1)
  return linkIn(mails.at(-1)?.text ?? '')
}
const whileNobodyCanBeLookedUp = (ask: () => Promise<SignInTestPage>): Promise<SignInTestPage> =>
  under.owner.transaction().execute(async (tx) => {
    await sql`lock table users, staff, auth.action_links, mail_outbox in access exclusive mode`.execute(tx)
    return ask()
  })
/** All earlier requests are handled once a later request of another user has its email. */
async function untilDone(): Promise<void> {
  const last = `last${userId}@video.example`
  await under.addUser({ userId: 900_000 + userId, email: last, password: OLD })
  await ask(last)
  await untilWritten(last, 1)
}
const signsIn = async (password: string, of = userId): Promise<boolean> =>
  (await under.auth.plane.verifyPassword({ userId: of, password, address: '192.0.2.9' })) === 'right'

describe('requesting a link', () => {
  test('sends an email whose link sets a new password once, and ends every token and sign-in', async () => {
    await addUser()
    await under.browser().token(email, OLD)
    expect((await ask(email)).text).toBe(`<h1>reset asked</h1><p>${email}</p><a href="undefined">`)
    const link = await linkOf(email)
    const path = link.pathname + link.search
    for (let looks = 0; looks < 2; looks += 1) expect((await under.browser().request(path)).status).toBe(200)
    expect((await under.browser().request(path, { method: 'HEAD' })).status).toBe(200)
    const done = await under.browser().post(path, { password: NEW, confirmation: NEW })
    expect(done.text).toContain('password set')
    expect(under.revoked).toEqual([{ userId }])
    expect(await signsIn(NEW)).toBe(true)
    expect(await signsIn(OLD)).toBe(false)
    expect((await under.browser().request(path)).status).toBe(404)
  })

  test('expires after 30 minutes', async () => {
    await addUser()
    await ask(email)
    const link = await linkOf(email)
    clock.advance(30 * MS_PER_MINUTE)
    expect((await under.browser().request(link.pathname)).status).toBe(404)
  })

  test('returns the same reply for every address, before looking anyone up', async () => {
    await addUser()
    const known = await whileNobodyCanBeLookedUp(() => ask(email))
    const unknown = await whileNobodyCanBeLookedUp(() => ask(NOBODY))
    expect(unknown.status).toBe(known.status)
    expect(unknown.text.replace(NOBODY, email)).toBe(known.text)
    for (const to of [email, NOBODY])
      expect(await whileNobodyCanBeLookedUp(() => call('', { email: to }))).toMatchObject({ status: 202, text: '' })
    expect(await mailsTo(email, 2)).toHaveLength(2)
    await untilDone()
    expect(await mailsTo(NOBODY, 0)).toEqual([])
  })

  test('finds only a brand’s users on its host; on the provider’s, each account gets an email that names it', async () => {
    await addUser({ accountId: userId, resellerId: 255 })
    const second = 500_000 + userId
    await under.addUser({ userId: second, email, password: OLD, resellerId: 300 })
    await ask(email, brandOrigin())
    const [ofBrand] = await mailsTo(email, 1)
    expect(linkIn(ofBrand?.text ?? '').host).toBe(under.brandHost)
    expect(ofBrand?.text).not.toContain('This is for your account')
    await ask(email)
    const both = (await mailsTo(email, 3)).map(({ text }) => /This is for your account (.*)\./.exec(text)?.[1])
    expect(both).toEqual([`Account ${userId} - Reseller 255`, `Account ${second} - Reseller 300`])
  })

  test('works for staff, who then sign in to the dealer dashboard', async () => {
    const staff = { user_id: userId, level: 'reseller' as const, organisation_id: 255, distributor_id: 1 }
    const named = { reseller_id: 255, email, email_folded: email, first_name: 'Daan', last_name: 'Dealer' }
    await under.owner
      .insertInto('staff')
      .values({ ...staff, ...named, permissions: [] })
      .execute()
    await under.auth.plane.createCredentials({ userId, accountId: 255, password: OLD })
    await ask(email)
    const link = await linkOf(email)
    const done = await under.browser().post(link.pathname, { password: NEW, confirmation: NEW })
    expect(done.text).toContain('href="/dealer/"')
    expect(await signsIn(NEW)).toBe(true)
  })

  test('sends nothing to blocked users, and a link to invited users who never set a password', async () => {
    await addUser()
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
    await ask(email)
    const invited = `invited${userId}@video.example`
    await under.addUser({ userId: 600_000 + userId, email: invited, password: OLD })
    const own = () => under.owner.deleteFrom('auth.credentials').where('user_id', '=', 600_000 + userId)
    await own().execute()
    await ask(invited)
    const link = await linkOf(invited)
    await under.browser().post(link.pathname, { password: NEW, confirmation: NEW })
    expect(await signsIn(NEW, 600_000 + userId)).toBe(true)
    expect(await mailsTo(email, 0)).toEqual([])
  })

  test('sends a user at most five emails an hour, with the same reply', async () => {
    await addUser()
    const answers: string[] = []
    for (let times = 0; times < 7; times += 1) answers.push((await ask(email)).text)
    expect(new Set(answers).size).toBe(1)
    await untilDone()
    expect(await mailsTo(email, 5)).toHaveLength(5)
  })

  test(`is refused after ${MAX_RESET_REQUESTS} requests from one network, which can still sign in`, async () => {
    await addUser()
    for (let times = 0; times < MAX_RESET_REQUESTS; times += 1) expect((await ask(NOBODY)).status).toBe(200)
    const refused = await ask(email)
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('"kind":"locked","minutes":15')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(JSON.parse((await call('', { email })).text)).toMatchObject({ code: 16 })
    await under.browser().token(email, OLD)
    clock.advance(15 * MS_PER_MINUTE)
    expect((await ask(NOBODY)).status).toBe(200)
  })
})

describe('the page', () => {
  test('is linked from the sign-in page, in the same language, and links back', async () => {
    const browser = under.browser()
    const started = await browser.authorize({ extra: { ui_locales: 'nl' } })
    const signIn = started.location?.pathname ?? ''
    const page = await browser.request(`/sign-in/forgot?from=${signIn.split('/').at(-1)}&lang=nl`)
    expect(page.text).toContain(`<a href="${signIn}?lang=nl">`)
    expect(page.headers.get('content-language')).toBe('nl')
  })

  test.each(['javascript:alert(1)', '../../evil', '"><script>', 'short'])(
    'doesn’t link back to an impossible sign-in: %s',
    async (from) => {
      const page = await under.browser().request(`/sign-in/forgot?${new URLSearchParams({ from })}`)
      expect(page.text).toContain('<a href="undefined">')
    },
  )

  test.each([
    ['', 'Please enter your email address'],
    ['nobody', 'Please enter a valid email address'],
  ])('refuses an invalid address with a message: %j', async (typed, problem) => {
    const answer = await ask(typed)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(JSON.stringify([typed, { kind: 'email', problem }]))
  })

  test('refuses forms from other sites, and needs neither cookies nor scripts', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await under.browser().post('/sign-in/forgot', { email }, foreign)).status).toBe(403)
    const page = await under.browser().request('/sign-in/forgot')
    expect(page.headers.getSetCookie()).toEqual([])
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
  })
})

describe('the calls', () => {
  test('request a link and set the password with its token', async () => {
    await addUser()
    expect(await call('', { email })).toMatchObject({ status: 202, text: '' })
    const token = (await linkOf(email)).pathname.split('/').at(-1)
    const set = await call(`/${token}`, { newPassword: NEW })
    expect(set).toMatchObject({ status: 204, text: '' })
    expect(under.revoked).toEqual([{ userId }])
    expect(await signsIn(NEW)).toBe(true)
    const again = await call(`/${token}`, { newPassword: OLD })
    expect([again.status, JSON.parse(again.text)]).toMatchObject([404, { code: 4 }])
  })

  test.each([
    ['an invalid address', { body: { email: 'nobody' } }, { status: 400, code: 3 }],
    ['no address', { body: {} }, { status: 400, code: 3 }],
    ['no JSON', { body: 'email=x' }, { status: 400, code: 2 }],
    ['a short password', { path: '/token', body: { newPassword: 'short' } }, { status: 400, code: 3 }],
    ['a common password', { path: '/token', body: { newPassword: 'password1' } }, { status: 400, code: 3 }],
    ['an invented token', { path: '/made-up', body: { newPassword: NEW } }, { status: 404, code: 4 }],
  ])(
    'return an error code for %s',
    async (_, { path = '', body }: { path?: string; body: unknown }, { status, code }) => {
      const answer = await call(path, body)
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }])
    },
  )

  test('refuse forms from other sites', async () => {
    const type = { 'content-type': 'text/plain' }
    expect((await call('', { email }, type)).status).toBe(400)
  })

  test('accept only POST', async () => {
    expect((await under.browser().request('/auth/passwordResets')).status).toBe(404)
  })
})

test('neither the address nor the token is in the log', async () => {
  await addUser()
  await ask(email)
  const link = await linkOf(email)
  const said = under.logged.join('')
  for (const secret of [email, link.pathname.split('/').at(-1) ?? '']) expect(said).not.toContain(secret)
})
