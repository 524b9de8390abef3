import { encodePasswordHeader } from '@sightline/contract/credentials'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from './auth-testing.ts'
import { LIMITS } from './factors/failures/index.ts'
import { ask } from './token-testing.ts'

const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
let secret = ''
let nextId = 1000

beforeAll(async () => {
  under = await openAuthUnderTest()
  secret = await under.addClient({ clientId: 'nvr', passwordGrant: true })
})
afterAll(() => under[Symbol.asyncDispose]())

interface Somebody {
  readonly userId: number
  readonly email: string
  readonly token: string
}

async function somebody(): Promise<Somebody> {
  nextId += 1
  const email = `user${nextId}@demo.example`
  await under.addUser({ userId: nextId, email, password: PASSWORD })
  return { userId: nextId, email, token: await under.browser().token(email, PASSWORD) }
}

type Answer = 'wrong' | 'locked' | 'right'

async function credentials({ token }: Somebody, init: RequestInit): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers }
  const { status } = await fetch(`${under.origin}/rest/v2.4/users/self/credentials`, { ...init, headers })
  if (status === 429) return 'locked'
  return status === 401 ? 'wrong' : 'right'
}

/** Every way to send a password. */
const ways: Readonly<Record<string, (person: Somebody, password: string) => Promise<Answer>>> = {
  async 'the sign-in page'({ email }, password) {
    const browser = under.browser()
    const { status } = await browser.post((await browser.authorize()).location?.pathname ?? '', { email, password })
    if (status === 429) return 'locked'
    return status === 422 ? 'wrong' : 'right'
  },
  async 'the password grant'({ email }, password) {
    const fields = { grant_type: 'password', username: email, password }
    const { status } = await ask(under, fields, { basic: ['nvr', secret] })
    if (status === 429) return 'locked'
    return status === 400 ? 'wrong' : 'right'
  },
  'GET users/self/credentials': (person, password) =>
    credentials(person, { headers: { 'x-password': encodePasswordHeader(password) } }),
  'PATCH users/self/credentials': (person, password) =>
    credentials(person, { method: 'PATCH', body: JSON.stringify({ password, newPassword: 'Battery-staple8' }) }),
  async 'a call of the API that wants the password'({ userId }, password) {
    const answer = await under.auth.plane.verifyPassword({ userId, password, address: '127.0.0.1' })
    if (answer === 'locked' || answer === 'wrong') return answer
    return 'right'
  },
}

describe('wrong passwords share one counter', () => {
  test.each(Object.keys(ways))('ten by %s lock every way to sign in, even with the right password', async (first) => {
    const person = await somebody()
    for (let i = 0; i < LIMITS.pair; i += 1) expect(await ways[first]?.(person, `wrong-${i}`)).toBe('wrong')
    for (const [name, tryIt] of Object.entries(ways)) expect(await tryIt(person, PASSWORD), name).toBe('locked')
  })

  test('ten spread over all ways lock them too', async () => {
    const person = await somebody()
    const all = Object.values(ways)
    for (let i = 0; i < LIMITS.pair; i += 1) expect(await all[i % all.length]?.(person, `wrong-${i}`)).toBe('wrong')
    for (const [name, tryIt] of Object.entries(ways)) expect(await tryIt(person, PASSWORD), name).toBe('locked')
  })
})
