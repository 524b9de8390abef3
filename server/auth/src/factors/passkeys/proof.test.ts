import { MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { addCodeClient, enableMfa, getCurrentCode, setMfa, signInWithCode } from '../../mfa-testing.ts'
import { Authenticator, addPasskey, ownPasskeys, setSecondFactor } from '../../passkey-testing.ts'
import { call } from '../../staff-testing.ts'
import { ask } from '../../token-testing.ts'
import { WINDOW_MS } from '../failures/index.ts'

const PASSWORD = 'Correct-horse7'
const STEP_MS = 30_000
const clock = manualClock(Date.now())
const password = { password: PASSWORD }
let under: AuthUnderTest
let at = ''
let here: AuthUnderTest
let client: readonly [id: string, secret: string]
let userId = 1000
let email = ''
let token = ''
let key: Authenticator

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  at = `http://${under.brandHost}`
  here = { ...under, origin: at }
  client = await addCodeClient(under)
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  clock.advance(WINDOW_MS)
  key = new Authenticator(at)
  userId += 1
  email = `person${userId}@video.example`
  await under.addUser({ userId, email, password: PASSWORD, resellerId: 300 })
  token = await under.browser(at).token(email, PASSWORD)
  clock.advance(MS_PER_MINUTE)
})

const begin = (by: string, proof: object) => call(here, by, 'POST users/self/passkeys/registration', { proof })
const confirmed = async (by: string) => {
  const { body } = await call(here, by, 'POST users/self/passkeys/confirmation')
  return { passkey: key.get(body) }
}
/** A new sign-in, with a client whose tokens can be refreshed. */
const signedIn = async (code: string) => {
  const tokens = await signInWithCode(here, client, { email, password: PASSWORD, code })
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  return { token: tokens.access_token, refresh: () => ask(here, fields, { basic: client }) }
}
const confirmIdentity = async (by: string, given: { readonly code?: string; readonly password?: string }) => {
  const { body } = await call(here, by, 'GET users/self/tokens')
  const tokenId = body.find((one: { current: boolean }) => one.current).tokenId
  const { code, password: own = PASSWORD } = given
  return under.auth.plane.confirmIdentity({ userId, tokenId, password: own, code, address: '192.0.2.7', host: at })
}
const nextCode = (secret: string) => {
  clock.advance(STEP_MS)
  return getCurrentCode(secret, clock.now())
}

describe('a code is proof only if its factor was on before the session began', () => {
  test("someone with a stolen token can't turn on an app and use it to add or require passkeys", async () => {
    const { secret, recoveryCodes } = await enableMfa(here, token, clock.now())
    for (const code of [nextCode(secret), recoveryCodes[0]]) {
      expect(await begin(token, { code })).toMatchObject({ status: 400, body: { code: 3 } })
      expect(await setSecondFactor(here, token, true, { code: code ?? '' })).toMatchObject({
        status: 400,
        body: { code: 3 },
      })
    }
    expect(await begin(token, { password: 'a guess' })).toMatchObject({ status: 401 })
    expect(await ownPasskeys(here, token)).toMatchObject({ proof: 'password', passkeys: [] })
    expect((await begin(token, password)).status).toBe(200)
  })

  test('a refreshed token belongs to its original sign-in', async () => {
    const old = await signedIn('')
    clock.advance(MS_PER_MINUTE)
    const { secret } = await enableMfa(here, old.token, clock.now())
    clock.advance(MS_PER_MINUTE)
    const { body } = await old.refresh()
    expect(await begin(body.access_token, { code: nextCode(secret) })).toMatchObject({ status: 400 })
    expect((await ownPasskeys(here, body.access_token)).proof).toBe('password')
  })

  test('if passkeys were required before, neither an app, its recovery codes nor the password is proof', async () => {
    await addPasskey(here, token, { key, proof: password })
    const codes: readonly string[] = (await setSecondFactor(here, token, true, password)).body.recoveryCodes
    clock.advance(MS_PER_MINUTE)
    const { token: stolen } = await signedIn(codes[0] ?? '')
    clock.advance(MS_PER_MINUTE)
    const { secret, recoveryCodes } = await enableMfa(here, stolen, clock.now())
    for (const code of [nextCode(secret), recoveryCodes[0] ?? '']) {
      expect(await begin(stolen, { code })).toMatchObject({ status: 401, body: { code: 8 } })
      expect(await confirmIdentity(stolen, { code })).toBe('wrongCode')
    }
    expect(await begin(stolen, password)).toMatchObject({ status: 400 })
    expect((await begin(stolen, await confirmed(stolen))).status).toBe(200)
    // The codes survive the removal of the app, and their date doesn't change.
    expect((await setMfa(here, stolen, false, nextCode(secret))).status).toBe(200)
    expect(await ownPasskeys(here, stolen)).toMatchObject({ proof: 'code', recoveryCodesLeft: 10 })
    expect(await begin(stolen, { code: recoveryCodes[1] })).toMatchObject({ status: 401 })
    expect(await confirmIdentity(stolen, { code: recoveryCodes[1] ?? '' })).toBe('wrongCode')
  })

  test('a user who signed in after turning it on needs a code and not the password, as before', async () => {
    const { secret, recoveryCodes } = await enableMfa(here, token, clock.now())
    const { token: later, refresh } = await signedIn(nextCode(secret))
    expect((await ownPasskeys(here, later)).proof).toBe('code')
    expect(await begin(later, password)).toMatchObject({ status: 400 })
    expect((await begin(later, { code: nextCode(secret) })).status).toBe(200)
    expect((await begin(later, { code: recoveryCodes[0] })).status).toBe(200)
    expect(await confirmIdentity(later, {})).toBe('wrongCode')
    expect(await confirmIdentity(later, { code: nextCode(secret) })).toBe('right')
    expect(await confirmIdentity(later, { code: recoveryCodes[1] ?? '' })).toBe('right')
    const { body } = await refresh()
    expect((await begin(body.access_token, { code: nextCode(secret) })).status).toBe(200)
  })

  test('a code that was valid before passkeys were required stays valid', async () => {
    const { secret } = await enableMfa(here, token, clock.now())
    const { token: later } = await signedIn(nextCode(secret))
    clock.advance(MS_PER_MINUTE)
    await addPasskey(here, later, { key, proof: { code: getCurrentCode(secret, clock.now()) } })
    expect((await setSecondFactor(here, later, true, { code: nextCode(secret) })).status).toBe(200)
    expect((await begin(later, { code: nextCode(secret) })).status).toBe(200)
  })

  test("a download or a deletion always needs the password and the app's code, even if someone else turned on the app", async () => {
    const { secret } = await enableMfa(here, token, clock.now())
    const code = nextCode(secret)
    expect(await confirmIdentity(token, { password: 'a guess', code })).toBe('wrong')
    expect(await confirmIdentity(token, {})).toBe('wrongCode')
    expect(await confirmIdentity(token, { code })).toBe('right')
  })
})
