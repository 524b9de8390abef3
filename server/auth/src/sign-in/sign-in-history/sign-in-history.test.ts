import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ManualClock, MS_PER_DAY, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { openGeoLocator } from '../../sessions/request-origin/index.ts'
import { mmdb } from '../../sessions/request-origin/mmdb-testing.ts'
import { call } from '../../staff-testing.ts'
import { ask, rest } from '../../token-testing.ts'
import { getSignInMethod } from './index.ts'
import { MAX_HISTORY_ENTRIES } from './store.ts'

const PASSWORD = 'Correct-horse7'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
const HOME = '198.51.100.7'

/** As a database of countries writes them. */
const networks = {
  '198.51.100.0/24': { country: { iso_code: 'NL', names: { en: 'Netherlands' } } },
  '203.0.113.0/24': { country: { iso_code: 'JP', names: { en: 'Japan' } } },
}

let folder: string
let under: AuthUnderTest
let clock: ManualClock
let userId = 5000
let email = ''

beforeAll(async () => {
  clock = manualClock(Date.now())
  folder = await mkdtemp(join(tmpdir(), 'sightline-places-'))
  const file = join(folder, 'places.mmdb')
  await writeFile(file, mmdb({ networks }))
  under = await openAuthUnderTest({ clock, geoLocator: await openGeoLocator(file) })
})
afterAll(async () => {
  await under[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  await under.owner.deleteFrom('auth.failures').execute()
  await under.addUser({ userId, email, password: PASSWORD })
  await under.sentMails()
})

const browser = (userAgent = chrome, address = HOME) =>
  under.browser(under.origin, { 'user-agent': userAgent, 'x-forwarded-for': address })
interface Line {
  readonly outcome: string
  readonly tries: number
  readonly address: string | null
}
const history = async (token: string, query = ''): Promise<readonly Line[]> =>
  (await rest(under, token, `GET signIns${query}`)).body
const linesOf = () => under.owner.selectFrom('auth.sign_in_history').selectAll().where('user_id', '=', userId).execute()

/** A sign-in with a wrong password; waits for the entry, which follows the response. */
async function fail(from = browser(), as = email): Promise<void> {
  const before = (await linesOf()).reduce((sum, { tries }) => sum + tries, 0)
  const started = await from.authorize()
  await from.post(started.location?.pathname ?? '', { email: as, password: 'wrong' })
  if (as !== email) return
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await linesOf()).reduce((sum, line) => sum + line.tries, 0) > before) return
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error('the failure is not written down')
}

describe('the history', () => {
  test('lists sign-ins and failures, newest first, with device, location and client', async () => {
    await fail(browser(firefox, '203.0.113.9'))
    clock.advance(1000)
    const token = await browser().token(email, PASSWORD)
    expect(await history(token)).toMatchObject([
      {
        outcome: 'signedIn',
        method: 'password',
        tries: 1,
        clientId: 'account.v2',
        device: { browser: 'Chrome', system: 'Windows', kind: 'desktop' },
        address: HOME,
        place: { country: 'NL' },
      },
      { outcome: 'wrongPassword', device: { browser: 'Firefox', system: 'Linux' }, place: { country: 'JP' } },
    ])
  })

  test('combines failures within an hour into one entry', async () => {
    const token = await browser().token(email, PASSWORD)
    await fail()
    await fail()
    clock.advance(MS_PER_HOUR)
    await fail()
    const failed = (await history(token)).filter(({ outcome }) => outcome === 'wrongPassword')
    expect(failed.map(({ tries }) => tries)).toEqual([1, 2])
  })

  test('includes tries that were locked out, and stores nothing for an unknown address', async () => {
    const token = await browser().token(email, PASSWORD)
    for (let tries = 0; tries < 11; tries += 1) {
      clock.advance(1)
      await fail()
    }
    expect((await history(token)).map(({ outcome, tries }) => [outcome, tries])).toEqual([
      ['locked', 1],
      ['wrongPassword', 10],
      ['signedIn', 1],
    ])
    const all = under.owner.selectFrom('auth.sign_in_history').select('sign_in_id')
    const before = (await all.execute()).length
    await fail(browser(), 'nobody@video.example')
    expect(await all.execute()).toHaveLength(before)
  })

  test('includes right and wrong passwords sent by programs', async () => {
    const clientId = `nvr${userId}`
    const secret = await under.addClient({ clientId, passwordGrant: true })
    const basic = [clientId, secret] as const
    const given = await ask(under, { grant_type: 'password', username: email, password: PASSWORD }, { basic })
    await ask(under, { grant_type: 'password', username: email, password: 'wrong' }, { basic })
    await expect.poll(async () => (await linesOf()).length).toBe(2)
    expect(await history(given.body.access_token)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ outcome: 'wrongPassword', clientName: `Client ${clientId}` }),
        expect.objectContaining({ outcome: 'signedIn', clientName: `Client ${clientId}` }),
      ]),
    )
  })

  test("has a maximum size, however many addresses tries come from, and still contains the user's own sign-in", async () => {
    const token = await browser().token(email, PASSWORD)
    for (let from = 1; from <= MAX_HISTORY_ENTRIES.failed + 5; from += 1) {
      await under.owner.deleteFrom('auth.failures').execute()
      await fail(browser(firefox, `192.0.2.${from}`))
    }
    const lines = await history(token, '?limit=100')
    const failed = lines.filter(({ outcome }) => outcome === 'wrongPassword')
    expect(failed).toHaveLength(MAX_HISTORY_ENTRIES.failed + 1)
    expect(failed.filter(({ address }) => address === null)).toMatchObject([{ tries: 5 }])
    expect(lines.filter(({ outcome }) => outcome === 'signedIn')).toHaveLength(1)
  }, 60_000)

  test('has pages and goes back 90 days', async () => {
    await fail()
    clock.advance(MS_PER_HOUR)
    const token = await browser().token(email, PASSWORD)
    const response = await fetch(`${under.origin}/rest/v2.0/users/self/signIns?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await response.json()).toMatchObject([{ outcome: 'signedIn' }])
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? ''
    const second = await fetch(new URL(next, response.url), { headers: { authorization: `Bearer ${token}` } })
    expect(await second.json()).toMatchObject([{ outcome: 'wrongPassword' }])
    await under.owner
      .updateTable('auth.access_sessions')
      .set({ expires_at: instant(Date.now() + 100 * MS_PER_DAY) })
      .execute()
    clock.advance(91 * MS_PER_DAY)
    expect(await history(token)).toEqual([])
    clock.advance(-91 * MS_PER_DAY)
  })

  test('accepts only its own page tokens', async () => {
    const token = await browser().token(email, PASSWORD)
    const from = (pageToken: string) => call(under, token, `GET users/self/signIns?pageToken=${pageToken}`)
    const edge = (value: unknown) => Buffer.from(JSON.stringify(['next', value, 1, '-time'])).toString('base64url')
    for (const odd of ['nonsense', edge('now'), edge(1.5)])
      expect(await from(odd)).toMatchObject({ status: 400, body: { code: 3 } })
    expect((await from(edge(clock.now()))).status).toBe(200)
  })

  test('is empty for a demo user, whom many people share', async () => {
    await under.owner
      .updateTable('users')
      .set({ rights: ['demoUser'] })
      .where('user_id', '=', userId)
      .execute()
    expect(await history(await browser().token(email, PASSWORD))).toEqual([])
  })
})

describe('an email reports a sign-in', () => {
  const told = async () =>
    (await under.sentMails()).filter(({ to, subject }) => to === email && subject.startsWith('New sign-in'))

  test('from a new device, once, except for the very first', async () => {
    await browser().token(email, PASSWORD)
    expect(await told()).toEqual([])
    const other = browser(firefox, '198.51.100.200')
    await other.token(email, PASSWORD)
    const mails = await told()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('Firefox on Linux')
    expect(mails[0]?.text).toContain('Netherlands (198.51.100.200)')
    expect(mails[0]?.text).toContain(`${under.origin}/sessions`)
    await other.request('/auth/logout')
    await other.token(email, PASSWORD)
    expect(await told()).toEqual([])
  })

  test("with the country in the recipient's language", async () => {
    await under.owner.updateTable('users').set({ language: 'pl' }).where('user_id', '=', userId).execute()
    await browser().token(email, PASSWORD)
    await browser(firefox, '203.0.113.9').token(email, PASSWORD)
    const mail = (await under.sentMails()).find(({ to }) => to === email)
    expect(mail?.text).toContain('Japonia (203.0.113.9)')
  })

  test('but not from a browser without its cookie in a known network with a known kind of device', async () => {
    await browser().token(email, PASSWORD)
    await browser().token(email, PASSWORD)
    expect(await told()).toEqual([])
  })

  test('but not from a known device in another network, unless the country is new', async () => {
    const own = under.browser(under.origin, { 'user-agent': chrome })
    const travels = async (address: string) => {
      const there = under.browser(under.origin, { 'user-agent': chrome, 'x-forwarded-for': address })
      for (const [name, { value }] of own.cookies) if (name.startsWith('sightline.device')) there.keep(name, value)
      await there.token(email, PASSWORD)
      for (const [name, { value }] of there.cookies) if (name.startsWith('sightline.device')) own.keep(name, value)
    }
    await travels(HOME)
    await travels('198.51.100.99')
    expect(await told()).toEqual([])
    await travels('203.0.113.9')
    expect((await told()).map(({ text }) => text.includes('Japan'))).toEqual([true])
  })
})

test.each([
  [['pwd'], 'password'],
  [['pwd', 'otp', 'mfa'], 'passwordAndCode'],
  [['hwk', 'user'], 'passkey'],
])('the methods %j are shown as %s', (amr, method) => {
  expect(getSignInMethod(amr)).toBe(method)
})
