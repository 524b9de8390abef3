import { MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { addCodeClient, enableMfa, getCurrentCode, ownMfa, setMfa, signInWithCode } from '../../mfa-testing.ts'
import { Authenticator, addPasskey, setSecondFactor } from '../../passkey-testing.ts'
import { call } from '../../staff-testing.ts'
import { WINDOW_MS } from '../failures/index.ts'

const PASSWORD = 'Correct-horse7'
const STEP_MS = 30_000
const clock = manualClock(Date.now())
let under: AuthUnderTest
let here: AuthUnderTest
let client: readonly [id: string, secret: string]
let userId = 1000
let email = ''
let token = ''

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  here = { ...under, origin: `http://${under.brandHost}` }
  client = await addCodeClient(under)
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  clock.advance(WINDOW_MS)
  userId += 1
  email = `person${userId}@video.example`
  await under.addUser({ userId, email, password: PASSWORD, resellerId: 300 })
  token = await under.browser(here.origin).token(email, PASSWORD)
  clock.advance(MS_PER_MINUTE)
})

const renew = (by: string, proof: object) => call(here, by, 'POST users/self/mfa/recoveryCodes', { proof })
const nextCode = (secret: string) => {
  clock.advance(STEP_MS)
  return getCurrentCode(secret, clock.now())
}
/** Signed in with the second factor, as every later session is. */
async function withFactor() {
  const { secret, recoveryCodes } = await enableMfa(here, token, clock.now())
  clock.advance(MS_PER_MINUTE)
  const given = await signInWithCode(here, client, { email, password: PASSWORD, code: nextCode(secret) })
  return { secret, recoveryCodes, session: given.access_token as string }
}
const actions = async () =>
  (await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId).execute()).map(
    ({ action }) => action,
  )
const subjects = async () => (await under.sentMails()).filter((mail) => mail.to === email).map((mail) => mail.subject)

test('an authenticator code replaces all ten, the old ones stop working, and the second factor stays on', async () => {
  const { secret, recoveryCodes, session } = await withFactor()
  const renewed = await renew(session, { code: nextCode(secret) })
  expect(renewed.status).toBe(200)
  const fresh: string[] = renewed.body.recoveryCodes
  expect(new Set([...fresh, ...recoveryCodes]).size).toBe(20)
  expect(await ownMfa(here, session)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
  const withCode = (code = '') => signInWithCode(here, client, { email, password: PASSWORD, code })
  await expect(withCode(recoveryCodes[0])).rejects.toThrow()
  await expect(withCode(fresh[0])).resolves.toHaveProperty('access_token')
  expect(await actions()).toContain('recoveryCodesRenewed')
  expect((await subjects()).some((subject) => subject.endsWith(' recovery codes were replaced'))).toBe(true)
})

test('an unused recovery code renews them, once', async () => {
  const { recoveryCodes, session } = await withFactor()
  expect((await renew(session, { code: recoveryCodes[1] })).status).toBe(200)
  expect(await renew(session, { code: recoveryCodes[1] })).toMatchObject({ status: 401, body: { code: 8 } })
})

test('a passkey renews them if passkeys are the second factor', async () => {
  const key = new Authenticator(here.origin)
  await addPasskey(here, token, { key, proof: { password: PASSWORD } })
  expect((await setSecondFactor(here, token, true, { password: PASSWORD })).status).toBe(200)
  const { body } = await call(here, token, 'POST users/self/passkeys/confirmation')
  const renewed = await renew(token, { passkey: key.get(body) })
  expect(renewed).toMatchObject({ status: 200, body: { recoveryCodes: expect.any(Array) } })
})

test("the password isn't enough in a session that began with a second factor", async () => {
  const { session } = await withFactor()
  expect(await renew(session, { password: PASSWORD })).toMatchObject({ status: 400, body: { code: 3 } })
  expect(await actions()).not.toContain('recoveryCodesRenewed')
})

test('a wrong code changes nothing and counts like one at sign-in', async () => {
  const { session, secret, recoveryCodes } = await withFactor()
  for (let i = 0; i < 10; i += 1) expect((await renew(session, { code: 'aaaaa-aaaaa' })).status).toBe(401)
  expect((await renew(session, { code: nextCode(secret) })).status).toBe(429)
  clock.advance(WINDOW_MS)
  expect((await setMfa(here, session, false, recoveryCodes[2] ?? '')).status).toBe(200)
})

test('without a second factor there is nothing to renew', async () => {
  expect(await renew(token, { password: PASSWORD })).toMatchObject({ status: 409, body: { code: 6 } })
})
