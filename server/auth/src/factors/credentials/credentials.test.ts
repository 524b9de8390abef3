import { encodePasswordHeader } from '@sightline/contract/credentials'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { isCommonPassword } from './common-passwords.ts'

const PASSWORD = 'Correct-horse7'
const NEXT = 'Battery-staple8'
let under: AuthUnderTest
let nextId = 1000

beforeAll(async () => {
  under = await openAuthUnderTest()
})
afterAll(() => under[Symbol.asyncDispose]())

const newUser = async (given: { password?: string; rights?: string[] } = {}) => {
  nextId += 1
  const { password = PASSWORD, rights = [] } = given
  const email = `user${nextId}@demo.example`
  await under.addUser({ userId: nextId, email, password, rights })
  return { userId: nextId, email, token: await under.browser().token(email, password) }
}

const call = async (token: string, method: string, given: { path?: string; headers?: object; body?: unknown } = {}) => {
  const { path = 'users/self/credentials', headers = {}, body } = given
  const response = await fetch(`${under.origin}/rest/v2.0/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
const check = (token: string, password: string) =>
  call(token, 'GET', { headers: { 'x-password': encodePasswordHeader(password) } })
const change = (token: string, password: string, newPassword: string) =>
  call(token, 'PATCH', { body: { password, newPassword } })

describe('GET users/self/credentials', () => {
  test('the right password returns 204; a wrong one code 8 without a Bearer challenge, and the token still works', async () => {
    const { token } = await newUser()
    expect((await check(token, PASSWORD)).status).toBe(204)
    const wrong = await check(token, 'wrong')
    expect(wrong).toMatchObject({ status: 401, body: { code: 8, detail: 'Incorrect password' } })
    expect(wrong.headers.get('www-authenticate')).toBeNull()
    expect((await check(token, PASSWORD)).status).toBe(204)
  })
  test('a password in the query is refused with code 3, whatever the header contains', async () => {
    const { token } = await newUser()
    const headers = { 'x-password': encodePasswordHeader(PASSWORD) }
    const answer = await call(token, 'GET', { path: `users/self/credentials?password=${PASSWORD}`, headers })
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
    expect(JSON.stringify(answer.body)).not.toContain(PASSWORD)
  })
  test('a missing or invalid header returns code 3', async () => {
    const { token } = await newUser()
    expect((await call(token, 'GET')).body).toMatchObject({ code: 3 })
    expect((await call(token, 'GET', { headers: { 'x-password': 'a+b' } })).body).toMatchObject({ code: 3 })
  })
  test('a password in any script and an old short one work', async () => {
    const { token } = await newUser({ password: 'пä' })
    expect((await check(token, 'пä')).status).toBe(204)
  })
  test('ten wrong passwords lock the user (429, code 16, Retry-After), at sign-in too, even with the right one', async () => {
    const { token, email } = await newUser()
    for (let i = 0; i < 10; i++) expect((await check(token, `wrong${i}`)).status).toBe(401)
    const locked = await check(token, PASSWORD)
    expect(locked).toMatchObject({ status: 429, body: { code: 16 } })
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800)
    const browser = under.browser()
    const started = await browser.authorize()
    const answer = await browser.post(started.location?.pathname ?? '', { email, password: PASSWORD })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(answer.text).toContain('"minutes":15')
    await under.owner.deleteFrom('auth.failures').execute()
  })
})

describe('PATCH users/self/credentials', () => {
  test('changes the password, ends every other token and sign-in, keeps this token, and notifies by email', async () => {
    const { userId, email, token } = await newUser()
    const elsewhere = under.browser()
    const other = await elsewhere.token(email, PASSWORD)
    under.revoked.length = 0
    expect((await change(token, PASSWORD, NEXT)).status).toBe(204)
    expect(under.revoked).toEqual([{ userId }])
    expect((await check(token, NEXT)).status).toBe(204)
    expect(await check(other, NEXT)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    // The other browser is not signed in silently either.
    expect((await elsewhere.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
    await expect(under.browser().signIn(email, PASSWORD)).rejects.toThrow('422')
    expect((await under.browser().signIn(email, NEXT)).searchParams.get('code')).toBeTruthy()
    const audit = await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId).execute()
    expect(audit.map((row) => row.action)).toContain('passwordChanged')
  })
  test('a wrong current password returns code 8 without a Bearer challenge and changes nothing', async () => {
    const { token } = await newUser()
    const wrong = await change(token, 'wrong', NEXT)
    expect(wrong).toMatchObject({ status: 401, body: { code: 8, detail: 'Incorrect password' } })
    expect(wrong.headers.get('www-authenticate')).toBeNull()
    expect((await check(token, PASSWORD)).status).toBe(204)
  })
  test.each([
    ['short', 'Short-1', 'Password should be 8-32 characters'],
    ['long', 'x'.repeat(33), 'Password should be 8-32 characters'],
    ['with a space', 'Correct horse', 'Password contains invalid characters'],
    ['that is very common', 'Password1', 'This password is too common'],
  ])('a new password %s returns code 3 with the message to show', async (_, newPassword, message) => {
    const { token } = await newUser()
    const answer = await change(token, PASSWORD, newPassword)
    expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'newPassword', message }] } })
    expect(JSON.stringify(answer.body)).not.toContain(newPassword)
  })
  test('is refused if the account forbids it, and for a demo user (code 9)', async () => {
    const barred = await newUser()
    await under.owner
      .updateTable('accounts')
      .set({ prevent_edit_user_details: true })
      .where('account_id', '=', barred.userId)
      .execute()
    expect(await change(barred.token, PASSWORD, NEXT)).toMatchObject({ status: 403, body: { code: 9 } })
    const demo = await newUser({ rights: ['demoUser'] })
    expect(await change(demo.token, PASSWORD, NEXT)).toMatchObject({ status: 403, body: { code: 9 } })
  })
})

describe('the internal interface', () => {
  test('checks passwords for other planes with the same counter', async () => {
    const { userId } = await newUser()
    const ask = (password: string) => under.auth.plane.verifyPassword({ userId, password, address: '192.0.2.9' })
    expect(await ask(PASSWORD)).toBe('right')
    for (let i = 0; i < 10; i++) expect(await ask('wrong')).toBe('wrong')
    expect(await ask(PASSWORD)).toBe('locked')
    expect(await under.auth.plane.verifyPassword({ userId: 9, password: 'x', address: '192.0.2.8' })).toBe('wrong')
  })
  test('ends all tokens of a user on demand', async () => {
    const { userId, token } = await newUser()
    await under.auth.plane.revokeSessions({ userId })
    expect(await check(token, PASSWORD)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  })
})

test.each(['Password', '12345678', 'QWERTYUIOP', 'iloveyou', 'football'])(
  '%s is one of the most common passwords',
  (password) => {
    expect(isCommonPassword(password)).toBe(true)
  },
)
test("an unusual password isn't", () => {
  expect(isCommonPassword('Correct-horse7')).toBe(false)
})
