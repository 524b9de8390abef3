import { hold } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import type { Browser, SignInTestPage } from '../browser-testing.ts'
import { ask, errorReply, rest } from '../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const NEXT = 'Battery-staple8'
let under: AuthUnderTest
let secret: string
let userId = 1000
let email: string
/** The account's owner, signed in elsewhere. */
let token: string

beforeAll(async () => {
  under = await openAuthUnderTest()
  secret = await under.addClient({ clientId: 'nvr', passwordGrant: true, redirectUris: [] })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `user${userId}@demo.example`
  await under.addUser({ userId, email, password: PASSWORD })
  token = await under.browser().token(email, PASSWORD)
})

const changePassword = async (newPassword = NEXT): Promise<number> => {
  const response = await fetch(`${under.origin}/rest/v2.0/users/self/credentials`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD, newPassword }),
  })
  return response.status
}
const signOutEverywhere = async (): Promise<number> => (await rest(under, token, 'DELETE tokens/all')).status

/** Up to the verified password; the browser hasn't followed the redirect yet. */
const passwordGiven = async (browser: Browser): Promise<SignInTestPage> =>
  browser.post((await browser.authorize()).location?.pathname ?? '', { email, password: PASSWORD })
const resume = (browser: Browser, answer: SignInTestPage): Promise<SignInTestPage> =>
  browser.request(answer.location?.pathname ?? '')

describe.each([
  ['a changed password', () => changePassword()],
  ['signing out everywhere', signOutEverywhere],
])('%s ends a sign-in', (_, end) => {
  test("with the right password that hasn't returned to the application yet", async () => {
    const browser = under.browser()
    const posted = await passwordGiven(browser)
    expect(posted.status).toBe(303)
    expect(await end()).toBe(204)
    const resumed = await resume(browser, posted)
    expect(resumed).toMatchObject({ status: 400, location: undefined })
    expect(resumed.text).toContain('error expired')
    expect(JSON.parse((await browser.request('/auth/session')).text)).toMatchObject({ loggedIn: false })
  })

  test('that still has to choose between accounts', async () => {
    await under.addUser({ userId: userId + 5000, email, password: PASSWORD, resellerId: 300 })
    const browser = under.browser()
    const path = (await browser.authorize()).location?.pathname ?? ''
    expect((await browser.post(path, { email, password: PASSWORD })).status).toBe(200)
    expect(await end()).toBe(204)
    const chosen = await browser.post(path, { userId: String(userId) })
    expect(chosen).toMatchObject({ status: 400, location: undefined })
    expect(chosen.text).toContain('error expired')
  })

  test('whose password is being checked for the page', async () => {
    const browser = under.browser()
    const path = (await browser.authorize()).location?.pathname ?? ''
    await using audit = await hold(under, 'lock table audit_log in access exclusive mode')
    const posting = browser.post(path, { email, password: PASSWORD })
    await audit.waiting(1)
    under.revoked.length = 0
    const ending = end()
    await expect.poll(() => under.revoked).toEqual([{ userId }])
    await audit.release()
    expect(await ending).toBe(204)
    const resumed = await resume(browser, await posting)
    expect(resumed.location?.searchParams.get('code') ?? null).toBeNull()
    expect(resumed.text).toContain('error expired')
  })

  test('whose password is being checked for a program', async () => {
    await using audit = await hold(under, 'lock table audit_log in access exclusive mode')
    const fields = { grant_type: 'password', username: email, password: PASSWORD }
    const granting = ask(under, fields, { basic: ['nvr', secret] })
    await audit.waiting(1)
    under.revoked.length = 0
    const ending = end()
    await expect.poll(() => under.revoked).toEqual([{ userId }])
    await audit.release()
    expect(await ending).toBe(204)
    expect(await granting).toMatchObject(errorReply('invalid_grant'))
  })
})

test('of two concurrent changes of one password, only the first succeeds', async () => {
  await using row = await hold(under, `select from auth.credentials where user_id = ${userId} for update`)
  const changing = [changePassword(), changePassword('Another-zebra9')]
  await row.waiting(2)
  await row.release()
  expect((await Promise.all(changing)).sort()).toEqual([204, 401])
})

test('a password change ends its sign-ins in the same transaction', async () => {
  const other = await under.browser().token(email, PASSWORD)
  // The sign-ins can't end while one of them is locked.
  await using held = await hold(under, `select from auth.access_sessions where user_id = ${userId} for update`)
  const changing = changePassword()
  await held.waiting(1)
  const hash = () =>
    under.owner
      .selectFrom('auth.credentials')
      .select(['password_hash', 'sign_in_generation'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  const before = await hash()
  expect(before.sign_in_generation).toBe(0)
  await held.release()
  expect(await changing).toBe(204)
  const after = await hash()
  expect(after.sign_in_generation).toBe(1)
  expect(after.password_hash).not.toBe(before.password_hash)
  expect((await rest(under, other)).status).toBe(401)
})

test('a browser is signed in for 12 hours from entering the password, even if it returns later', async () => {
  const browser = under.browser()
  const before = Math.floor(Date.now() / 1000)
  const posted = await passwordGiven(browser)
  const interactions = under.owner.updateTable('auth.provider_records').where('kind', '=', 'Interaction')
  // As if the password had been entered half an hour ago.
  await interactions
    .set({ payload: sql`jsonb_set(payload, '{result,login,ts}', to_jsonb(${before - 1800}::bigint))` as never })
    .where(sql<boolean>`payload->'result'->'login'->>'ts' is not null`)
    .execute()
  expect((await resume(browser, posted)).location?.searchParams.get('code')).toBeTruthy()
  const session = await under.owner
    .selectFrom('auth.provider_records')
    .select(['payload', 'expires_at'])
    .where('kind', '=', 'Session')
    .where(sql<boolean>`payload->>'accountId' = ${String(userId)}`)
    .orderBy('expires_at', 'asc')
    .executeTakeFirstOrThrow()
  expect(session.payload.loginTs).toBe(before - 1800)
})
