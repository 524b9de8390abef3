import { manualClock } from '@sightline/platform/clock'
import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import { failures, LIMITS, WINDOW_MS } from '../factors/failures/index.ts'
import { openPasswords } from '../factors/passwords/index.ts'
import { type Audience, findByEmail, type Lookup } from '../people/index.ts'
import { addStaff } from '../staff-testing.ts'
import { ask } from '../token-testing.ts'
import { type Attempt, checkAttempt, signInAttempts } from './check.ts'

const PASSWORD = 'Correct-horse7'
const OWN = 'Battery-staple8'
const SAME = 'same@demo.example'
const clock = manualClock(Date.now())
let under: AuthUnderTest

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  await under.addUser({ userId: 1300, email: 'blue@demo.example', password: PASSWORD, resellerId: 300 })
  await under.addUser({ userId: 1255, email: 'first@demo.example', password: PASSWORD })
  await under.addUser({ userId: 2255, email: SAME, password: PASSWORD })
  await under.addUser({ userId: 2300, email: SAME, password: OWN, resellerId: 300 })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(() => clock.advance(WINDOW_MS))

const ownHost = () => under.origin
const brandHost = () => `http://${under.brandHost}`
/** 422 for a wrong password that was compared, 429 if it wasn't compared, 303 if it is right. */
const giveAt = async (at: string, email: string, password: string): Promise<number> => {
  const browser = under.browser(at)
  const path = (await browser.authorize()).location?.pathname ?? ''
  return (await browser.post(path, { email, password })).status
}

describe('a lock does not reveal whether an address has an account', () => {
  test.each([
    ["the provider's host, then the brand's", 'blue@demo.example', ownHost, brandHost],
    ["a brand's host, then the provider's", 'first@demo.example', brandHost, ownHost],
  ])('%s', async (_, known, first, second) => {
    for (const email of [known, `nobody-${known}`]) {
      for (let i = 0; i < LIMITS.pair; i += 1) expect(await giveAt(first(), email, 'wrong')).toBe(422)
      expect(await giveAt(first(), email, 'wrong')).toBe(429)
      expect(await giveAt(second(), email, 'wrong')).toBe(429)
    }
  })

  test('password checks inside the account count for the same email address', async () => {
    const ask = () => under.auth.plane.verifyPassword({ userId: 1300, password: 'wrong', address: '127.0.0.1' })
    for (let i = 0; i < LIMITS.pair; i += 1) expect(await ask()).toBe('wrong')
    expect(await ask()).toBe('locked')
    expect(await giveAt(brandHost(), 'blue@demo.example', PASSWORD)).toBe(429)
    expect(await giveAt(ownHost(), 'blue@demo.example', PASSWORD)).toBe(429)
  })
})

test.each([
  ["the provider's host", ownHost],
  ["the brand's host", brandHost],
])(
  'at %s a wrong password is counted in the same number of places for every address, so that time reveals nothing',
  async (_, at) => {
    const counted = async (email: string): Promise<number> => {
      await under.owner.deleteFrom('auth.failures').execute()
      expect(await giveAt(at(), email, 'wrong')).toBe(422)
      return (await under.owner.selectFrom('auth.failures').select('key').execute()).length
    }
    const ofNobody = await counted('nobody@demo.example')
    expect(ofNobody).toBeGreaterThan(3)
    expect([await counted('blue@demo.example'), await counted(SAME)]).toEqual([ofNobody, ofNobody])
  },
)

describe.each([
  ["the provider's host", ownHost],
  ["the brand's host", brandHost],
])('another user with the same address who signs in at %s', (_, at) => {
  test('allows no more guesses for the first account', async () => {
    let guesses = 0
    for (let round = 0; round < 4; round += 1) {
      for (let i = 0; i < LIMITS.pair - 1; i += 1) {
        if ((await giveAt(ownHost(), SAME, `guess-${round}-${i}`)) === 422) guesses += 1
      }
      await giveAt(at(), SAME, OWN)
    }
    expect(guesses).toBeLessThanOrEqual(LIMITS.pair)
  })
})

test('a user who mistypes and then signs in starts from zero', async () => {
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < LIMITS.pair - 1; i += 1) {
      expect(await giveAt(ownHost(), 'first@demo.example', 'wrong')).toBe(422)
    }
    expect(await giveAt(ownHost(), 'first@demo.example', PASSWORD)).toBe(303)
  }
})

test('the same number of passwords is compared for an address with no, one or two accounts', async () => {
  const db = under.database.db('auth')
  const passwords = await openPasswords()
  let compared = 0
  const counting: typeof passwords = {
    ...passwords,
    verify(stored, password) {
      compared += 1
      return passwords.verify(stored, password)
    },
  }
  const deps = {
    failures: failures(db, clock),
    passwords: counting,
    attempts: signInAttempts(),
    findByEmail: (email: string, among: Lookup) => findByEmail(db, email, among),
  }
  const sharing = { email: 'shared@demo.example', password: PASSWORD }
  await addStaff(under, { userId: 2001, ...sharing })
  await addStaff(under, { userId: 2002, ...sharing, resellerId: 300 })
  const attempted = async (attempt: Pick<Attempt, 'email' | 'among' | 'recognizesStaff'>): Promise<number> => {
    compared = 0
    await checkAttempt({ ...attempt, password: 'wrong', address: '192.0.2.9' }, deps)
    return compared
  }
  const countOf = (email: string, resellerId: number | undefined, audience: Audience): Promise<number> =>
    attempted({ email, among: { resellerId, audience } })
  const countBesideStaff = (email: string, resellerId: number | undefined): Promise<number> =>
    attempted({ email, among: { resellerId, audience: 'members' }, recognizesStaff: true })
  for (const email of ['nobody@demo.example', 'first@demo.example', SAME, sharing.email]) {
    expect(await countBesideStaff(email, undefined)).toBe(4)
    expect(await countBesideStaff(email, 300)).toBe(2)
  }
  for (const email of ['nobody@demo.example', 'first@demo.example', SAME]) {
    // There are two brands; two of the staff share an address.
    expect(await countOf(email, undefined, 'members')).toBe(2)
    expect(await countOf(email, undefined, 'staff')).toBe(2)
    expect(await countOf(email, undefined, 'both')).toBe(4)
    expect(await countOf(email, 300, 'members')).toBe(1)
    expect(await countOf(email, 300, 'both')).toBe(2)
  }
})

test('of many concurrent passwords those beyond the queue are refused immediately, and the right one works later', async () => {
  const basic = ['nvr', await under.addClient({ clientId: 'nvr', passwordGrant: true })] as const
  const browser = under.browser()
  const path = (await browser.authorize()).location?.pathname ?? ''
  const form = { email: 'first@demo.example', password: PASSWORD }
  await using counters = await hold(under, 'lock table auth.failures in exclusive mode')
  let answered = 0
  const grants = Array.from({ length: 66 }, async (_, n) => {
    const fields = { grant_type: 'password', username: `nobody${n}@demo.example`, password: 'Wrong-guess.1' }
    const reply = await ask(under, fields, { basic })
    answered += 1
    return reply
  })
  await expect.poll(() => answered, { timeout: 15_000 }).toBe(3)
  const page = await browser.post(path, form)
  expect(page.status).toBe(429)
  expect(page.headers.get('retry-after')).toBe('2')
  expect(page.text).toContain('"busy"')
  await counters.release()
  const replies = await Promise.all(grants)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ body: { error: 'temporarily_unavailable' } })
  expect(refused[0]?.headers.get('retry-after')).toBe('2')
  expect((await browser.post(path, form)).status).toBe(303)
})
