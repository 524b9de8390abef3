import { MS_PER_HOUR, MS_PER_MINUTE, systemClock } from '@sightline/platform/clock'
import { silentLogger } from '@sightline/platform/log'
import { openLastSeen, tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, expireTokens, openAuthUnderTest } from '../auth-testing.ts'
import { ask, getCode, rest } from '../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const safariOnPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

let under: AuthUnderTest
let userId = 4000
let email = ''

beforeAll(async () => {
  under = await openAuthUnderTest()
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  under.revoked.length = 0
  await under.addUser({ userId, email, password: PASSWORD })
})

const browser = (userAgent: string, address = '198.51.100.7') =>
  under.browser(under.origin, { 'user-agent': userAgent, 'x-forwarded-for': address })
const listed = async (token: string) => (await rest(under, token, 'GET sessions')).body
const idsOf = async (token: string) =>
  ((await listed(token)) as { sessionId: number; current: boolean }[]).map(({ sessionId }) => sessionId)
const aliveWith = async (token: string) => (await rest(under, token)).status === 200

test('a user sees each browser once, with device, address and which one is the current session', async () => {
  const here = browser(chromeOnWindows)
  const token = await here.token(email, PASSWORD)
  await browser(safariOnPhone, '10.0.0.8').token(email, PASSWORD)
  const sessions = await listed(token)
  expect(sessions).toHaveLength(2)
  expect(sessions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        device: { browser: 'Chrome', system: 'Windows', kind: 'desktop' },
        address: '198.51.100.7',
        place: { isLocal: false, country: null, city: null },
        clientId: 'account.v2',
        clientName: null,
        current: true,
      }),
      expect.objectContaining({
        device: { browser: 'Safari', system: 'iOS', kind: 'phone' },
        place: { isLocal: true, country: null, city: null },
        current: false,
      }),
    ]),
  )
})

test('two applications in one browser share one session', async () => {
  const here = browser(chromeOnWindows)
  const portal = await here.token(email, PASSWORD)
  const back = await here.authorize({ clientId: 'camera-app.v1', redirectUri: `${here.origin}/app/` })
  expect(getCode(back.location ?? new URL(here.origin))).not.toBe('')
  expect(await listed(portal)).toHaveLength(1)
})

test("a program that redeems a browser's code doesn't replace it in the list", async () => {
  const here = browser(chromeOnWindows)
  const portal = await here.token(email, PASSWORD)
  const back = await here.authorize()
  const ofProgram = under.browser(under.origin, { 'user-agent': 'node', 'x-forwarded-for': '203.0.113.9' })
  const code = getCode(back.location ?? new URL(here.origin))
  expect((await ofProgram.exchange(code, { code_verifier: here.verifier })).status).toBe(200)
  expect(await listed(portal)).toEqual([
    expect.objectContaining({
      device: { browser: 'Chrome', system: 'Windows', kind: 'desktop' },
      address: '198.51.100.7',
    }),
  ])
})

describe('ending another session', () => {
  test("ends its token and its browser's sign-in, but not the caller's", async () => {
    const here = await browser(chromeOnWindows).token(email, PASSWORD)
    const there = browser(safariOnPhone)
    const token = await there.token(email, PASSWORD)
    const sessions: { sessionId: number; current: boolean }[] = await listed(here)
    const other = sessions.find(({ current }) => !current)?.sessionId
    expect(await rest(under, here, `DELETE sessions/${other}`)).toMatchObject({ status: 204 })
    expect(await aliveWith(token)).toBe(false)
    expect(under.revoked).toEqual([{ tokenSha256: tokenSha256(token) }])
    // The cookie no longer signs in: the password page appears.
    expect((await there.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
    expect(await aliveWith(here)).toBe(true)
    expect(await idsOf(here)).toEqual(sessions.filter(({ current }) => current).map(({ sessionId }) => sessionId))
  })

  test('ends the refresh token of a client that keeps one', async () => {
    const secret = await under.addClient({ clientId: `nvr${userId}`, passwordGrant: true })
    const here = await browser(chromeOnWindows).token(email, PASSWORD)
    const basic = [`nvr${userId}`, secret] as const
    const given = await ask(under, { grant_type: 'password', username: email, password: PASSWORD }, { basic })
    const [other] = ((await listed(here)) as { sessionId: number; clientName: string | null }[]).filter(
      ({ clientName }) => clientName === `Client nvr${userId}`,
    )
    await expireTokens(under.owner, given.body.access_token)
    expect(await idsOf(here)).toContain(other?.sessionId)
    expect(await rest(under, here, `DELETE sessions/${other?.sessionId}`)).toMatchObject({ status: 204 })
    const refresh = { grant_type: 'refresh_token', refresh_token: given.body.refresh_token ?? '' }
    expect(await ask(under, refresh, { basic })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await idsOf(here)).not.toContain(other?.sessionId)
  })

  test("another user's session looks like a nonexistent one", async () => {
    const here = await browser(chromeOnWindows).token(email, PASSWORD)
    const [mine] = await idsOf(here)
    await under.addUser({ userId: userId + 500, email: `else${userId}@video.example`, password: PASSWORD })
    const stranger = await browser(chromeOnWindows).token(`else${userId}@video.example`, PASSWORD)
    expect(await rest(under, stranger, `DELETE sessions/${mine}`)).toMatchObject({ status: 404 })
    expect(await rest(under, stranger, 'DELETE sessions/987654321')).toMatchObject({ status: 404 })
    expect(await aliveWith(here)).toBe(true)
  })
})

test('ending all others keeps the current browser signed in, including its other applications', async () => {
  const here = browser(chromeOnWindows)
  const token = await here.token(email, PASSWORD)
  const others = [browser(safariOnPhone), browser(chromeOnWindows, '203.0.113.9')]
  const tokens = []
  for (const other of others) tokens.push(await other.token(email, PASSWORD))
  expect(await rest(under, token, 'DELETE sessions/others')).toMatchObject({ status: 204 })
  expect(await Promise.all(tokens.map(aliveWith))).toEqual([false, false])
  expect(await listed(token)).toMatchObject([{ current: true }])
  expect((await here.authorize()).location?.searchParams.has('code')).toBe(true)
})

test("a signed-out session isn't listed", async () => {
  const here = await browser(chromeOnWindows).token(email, PASSWORD)
  const there = browser(safariOnPhone)
  const token = await there.token(email, PASSWORD)
  await there.request(`/auth/logout?token=${token}`)
  expect(await listed(here)).toMatchObject([{ current: true }])
})

test("a demo user, whom many people share, sees only their own session and can't end any", async () => {
  await under.owner
    .updateTable('users')
    .set({ rights: ['demoUser'] })
    .where('user_id', '=', userId)
    .execute()
  const here = await browser(chromeOnWindows).token(email, PASSWORD)
  await browser(safariOnPhone).token(email, PASSWORD)
  expect(await listed(here)).toMatchObject([{ current: true }])
  expect(await rest(under, here, 'DELETE sessions/others')).toMatchObject({ status: 403 })
  // A token that may only read is as shared as any other.
  const reading = await browser(chromeOnWindows).token(email, PASSWORD)
  await under.owner
    .updateTable('auth.access_sessions')
    .set({ scopes: ['read'] })
    .where('user_id', '=', userId)
    .execute()
  expect(await listed(reading)).toMatchObject([{ current: true }])
  expect((await rest(under, reading, 'GET signIns')).body).toEqual([])
})

test('last-seen times are written in batches, to the minute, and never go back', async () => {
  const token = await browser(chromeOnWindows).token(email, PASSWORD)
  const later = systemClock.now() + MS_PER_HOUR
  let now = later
  const db = under.database.db('app')
  await using lastSeen = openLastSeen({ db, clock: { now: () => now }, log: silentLogger })
  const seen = async () => Date.parse((await listed(token))[0].lastSeenAt)
  lastSeen.note(tokenSha256(token))
  lastSeen.note(tokenSha256('made up'))
  await lastSeen.flush()
  expect(await seen()).toBe(later - (later % MS_PER_MINUTE))
  now = later - 10 * MS_PER_MINUTE
  lastSeen.note(tokenSha256(token))
  await lastSeen.flush()
  expect(await seen()).toBe(later - (later % MS_PER_MINUTE))
})
