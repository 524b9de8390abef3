import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { PasswordsOverloaded } from '@sightline/contract/auth-plane'
import { encodePasswordHeader } from '@sightline/contract/credentials'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { enableMfa, getCurrentCode, ownMfa, setMfa } from '../../mfa-testing.ts'
import { call } from '../../staff-testing.ts'
import { PASSWORD_COST } from '../passwords/index.ts'

const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
let nextId = 1000

beforeAll(async () => {
  under = await openAuthUnderTest({ passwordCost: PASSWORD_COST })
})
afterAll(() => under[Symbol.asyncDispose]())

const newToken = async () => {
  nextId += 1
  const email = `user${nextId}@demo.example`
  await under.addUser({ userId: nextId, email, password: PASSWORD })
  return under.browser().token(email, PASSWORD)
}

const send = async (token: string, given: RequestInit) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...given.headers }
  const response = await fetch(`${under.origin}/rest/v2.0/users/self/credentials`, { ...given, headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
const check = (token: string) => send(token, { headers: { 'x-password': encodePasswordHeader(PASSWORD) } })
const change = (token: string, password: string) =>
  send(token, { method: 'PATCH', body: JSON.stringify({ password, newPassword: 'Battery-staple8' }) })

/** Keeps as many passwords being hashed as there is room for, and one more trying, while `work` is done. */
async function whileHashing<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false
  let refused = 0
  const filler = { userId: 999, accountId: 999, password: PASSWORD }
  await under.addUser({ userId: filler.userId, email: `user${nextId}-filler@demo.example`, password: PASSWORD })
  const fill = async () => {
    while (!isOver) {
      await under.auth.plane.createCredentials(filler).catch(async (error: unknown) => {
        if (!(error instanceof PasswordsOverloaded)) throw error
        refused += 1
        await setImmediate()
      })
    }
  }
  const filling = Promise.all(Array.from({ length: 300 }, fill))
  while (refused === 0) await sleep(1)
  try {
    return await work()
  } finally {
    isOver = true
    await filling
    await under.owner.deleteFrom('users').where('user_id', '=', filler.userId).execute()
  }
}

test.each([
  ['checking', check],
  ['changing', (token: string) => change(token, PASSWORD)],
])(
  '%s a password while the hash queue is full returns code 16 with Retry-After, and works later',
  async (_what, ask) => {
    const tokens = [await newToken(), await newToken(), await newToken()]
    const answers = await whileHashing(async () => {
      const all: Awaited<ReturnType<typeof ask>>[] = []
      // A slot may become free just as one arrives.
      for (const token of tokens) all.push(await ask(token))
      return all
    })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({ body: { code: 16 } })
    expect(refused?.headers.get('retry-after')).toBe('2')
    expect((await ask(await newToken())).status).toBe(204)
  },
)

test('turning the second factor on while the hash queue is full returns code 16 with Retry-After, and works later', async () => {
  const people: { token: string; secret: string }[] = []
  for (let i = 0; i < 3; i += 1) {
    const token = await newToken()
    people.push({ token, secret: (await ownMfa(under, token)).secret ?? '' })
  }
  const enable = ({ token, secret }: { token: string; secret: string }) =>
    setMfa(under, token, true, getCurrentCode(secret, Date.now()))
  const answers = await whileHashing(async () => {
    const all: Awaited<ReturnType<typeof setMfa>>[] = []
    for (const person of people) all.push(await enable(person))
    return all
  })
  const at = answers.findIndex(({ status }) => status === 429)
  const [refused, person] = [answers[at], people[at]]
  expect(refused).toMatchObject({ body: { code: 16 } })
  expect(refused?.headers.get('retry-after')).toBe('2')
  if (person !== undefined) expect((await enable(person)).status).toBe(200)
})

test.each([
  ['adding a passkey', 'POST users/self/passkeys/registration', {}],
  ['requiring passkeys after the password', 'PATCH users/self/passkeys', { asSecondFactor: true }],
])(
  '%s while the hash queue is full returns code 16 with Retry-After, and checks passwords again later',
  async (...given) => {
    const [, what, body] = given
    const here = { origin: `http://${under.brandHost}` }
    const tokens = [await newToken(), await newToken(), await newToken()]
    const ask = (token: string) => call(here, token, what, { ...body, proof: { password: PASSWORD } })
    const answers = await whileHashing(async () => {
      const all: Awaited<ReturnType<typeof ask>>[] = []
      for (const token of tokens) all.push(await ask(token))
      return all
    })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({ body: { code: 16 } })
    expect(refused?.headers.get('retry-after')).toBe('2')
    expect((await call(here, tokens[0] ?? '', what, { ...body, proof: { password: 'wrong' } })).status).toBe(401)
  },
)

test("a recovery code at sign-in while the hash queue is full is asked for again and isn't used up", async () => {
  const token = await newToken()
  const email = `user${nextId}@demo.example`
  const { recoveryCodes } = await enableMfa(under, token, Date.now())
  const browser = under.browser()
  const start = (await browser.authorize()).location?.pathname ?? ''
  const { location } = await browser.post(start, { email, password: PASSWORD })
  const path = `${location?.pathname}${location?.search}`
  const answers = await whileHashing(async () => {
    const all: Awaited<ReturnType<typeof browser.post>>[] = []
    for (const code of recoveryCodes.slice(0, 3)) all.push(await browser.post(path, { code }))
    return all
  })
  const at = answers.findIndex(({ status }) => status === 429)
  expect(answers[at]?.text).toContain('"busy"')
  expect(answers[at]?.headers.get('retry-after')).toBe('2')
  const again = under.browser()
  const from = (await again.authorize()).location?.pathname ?? ''
  await again.post(from, { email, password: PASSWORD })
  expect((await again.post(`${from}?step=code`, { code: recoveryCodes[at] ?? '' })).status).toBe(303)
})

test('ten wrong passwords also lock changing it (429, code 16, Retry-After), even with the right one', async () => {
  const token = await newToken()
  for (let wrong = 0; wrong < 10; wrong++) expect((await change(token, `wrong${wrong}`)).status).toBe(401)
  const locked = await change(token, PASSWORD)
  expect(locked).toMatchObject({ status: 429, body: { code: 16 } })
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800)
})
