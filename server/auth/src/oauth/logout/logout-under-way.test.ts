import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { Browser } from '../../browser-testing.ts'
import { getCode, rest } from '../../token-testing.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
})
afterAll(() => under[Symbol.asyncDispose]())

const sessionsLeft = async () =>
  (await under.owner.selectFrom('auth.provider_records').select('uid').where('kind', '=', 'Session').execute()).length
const logout = (browser: Browser) => browser.request('/auth/logout')

test("a token that is being issued for a code ends with its browser's sign-in", async () => {
  const browser = under.browser()
  const code = getCode(await browser.signIn(EMAIL, PASSWORD))
  await using tokens = await hold(under, 'lock table auth.access_sessions in share mode')
  const exchanging = browser.exchange(code)
  await tokens.waiting(1)
  let isOut = false
  const leaving = logout(browser).then(() => {
    isOut = true
  })
  await Promise.race([leaving, tokens.waiting(2)])
  expect(isOut).toBe(false)
  await tokens.release()
  await leaving
  const { body } = await exchanging
  expect((await rest(under, body.access_token)).status).toBe(401)
})

test("a code that is being issued to a browser doesn't work once the browser is signed out", async () => {
  const browser = under.browser()
  await browser.signIn(EMAIL, PASSWORD)
  const before = await sessionsLeft()
  await using people = await hold(under, 'lock table users in access exclusive mode')
  const authorizing = browser.authorize()
  await people.waiting(1)
  const leaving = logout(browser)
  await expect.poll(sessionsLeft).toBe(before - 1)
  await people.release()
  await leaving
  const answer = await authorizing
  const code = answer.location?.searchParams.get('code')
  if (code) expect((await browser.exchange(code)).status).toBe(400)
  // Saving the session after the request doesn't restore it.
  expect(await sessionsLeft()).toBe(before - 1)
})
