import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from './auth-testing.ts'
import { ask } from './token-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
let secret = ''

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
  secret = await under.addClient({ clientId: 'nvr', passwordGrant: true })
})
afterAll(() => under[Symbol.asyncDispose]())

const errorsLogged = () => under.logged.filter((line) => line.includes('"level":"error"'))

describe('U+0000, which PostgreSQL can’t store, is a client error', () => {
  test.each([
    ['client_id', 'client_id=a%00b'],
    ['state', 'state=a%00b'],
    ['login_hint', 'login_hint=%00'],
    ['an unknown parameter', 'x=%00'],
  ])('in %s of an authorization request', async (_, parameter) => {
    const rest = `client_id=account.v2&response_type=code&redirect_uri=${encodeURIComponent(`${under.origin}/`)}`
    const challenge = `code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`
    const [name = ''] = parameter.split('=', 1)
    const others = rest.replace(new RegExp(`(^|&)${name}=[^&]*`), '')
    const answer = await under.browser().request(`/oauth/authorize?${parameter}&${others}&${challenge}`)
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('error invalidRequest') })
  })

  test('in the sign-out address', async () => {
    const answer = await under.browser().request('/auth/logout?redirect_uri=https://a.example/%00')
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('error invalidRequest') })
  })

  test('in the sign-in form and in a posted authorization request', async () => {
    const browser = under.browser()
    const form = (await browser.authorize()).location?.pathname ?? ''
    expect((await browser.post(form, { email: 'a\0@demo.example', password: PASSWORD })).status).toBe(400)
    expect((await browser.post(form, { email: EMAIL, password: PASSWORD })).status).toBe(303)
    expect((await browser.post('/oauth/authorize', { client_id: 'a\0' })).status).toBe(400)
  })

  test.each(['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/token/', '/oauth/TOKEN'])(
    'in a form for %s, with the error body of RFC 6749',
    async (path) => {
      const fields = { grant_type: 'password', username: EMAIL, password: PASSWORD, token: 'x', client_id: 'nvr' }
      for (const name of ['username', 'client_id', 'token', 'scope']) {
        const answer = await ask(under, { ...fields, client_secret: secret, [name]: 'a\0b' }, { path })
        expect(answer, name).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
        expect(answer.body.error_description).toMatch(/U\+0000/)
      }
    },
  )

  test('in a client id sent in a header', async () => {
    for (const id of ['nvr\0', 'nvr%00']) {
      const answer = await ask(under, { grant_type: 'client_credentials' }, { basic: [id, secret] })
      expect(answer, id).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })

  test('in a body declared as UTF-16, because forms must be UTF-8', async () => {
    const fields = `grant_type=client_credentials&client_id=nvr&client_secret=${secret}`
    const response = await fetch(`${under.origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16le' },
      body: Buffer.from(`${fields}\0`, 'utf16le'),
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }])
  })
})

test('none of this logged a server error', () => expect(errorsLogged()).toEqual([]))

test('a server error doesn’t log the id of the sign-in', async () => {
  const browser = under.browser()
  const form = (await browser.authorize()).location?.pathname ?? ''
  const posted = await browser.post(form, { email: EMAIL, password: PASSWORD })
  const resume = posted.location?.pathname ?? ''
  await sql`alter table auth.provider_records rename to put_away`.execute(under.owner)
  try {
    for (const path of [form, resume]) expect((await browser.request(path)).status, path).toBe(500)
  } finally {
    await sql`alter table auth.put_away rename to provider_records`.execute(under.owner)
  }
  const lines = errorsLogged()
  expect(lines.length).toBeGreaterThanOrEqual(2)
  for (const id of [form, resume].map((path) => path.split('/').at(-1) ?? ''))
    expect(lines.map((line) => JSON.parse(line).path).join(' ')).not.toContain(id)
})
