import { manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import type { Browser, SignInTestPage } from '../browser-testing.ts'
import { LIMITS, WINDOW_MS } from '../factors/failures/index.ts'
import { enableMfa } from '../mfa-testing.ts'
import {
  type Algorithm,
  Authenticator,
  addPasskey,
  fetchRequestOptions,
  type Oddities,
  postPasskey,
  setSecondFactor,
} from '../passkey-testing.ts'
import { call } from '../staff-testing.ts'

const PASSWORD = 'Correct-horse7'
const CHALLENGE_MS = 300_000
const clock = manualClock(Date.now())
let under: AuthUnderTest
/** The host of a brand, which has a name; the other one of the test is an IP address. */
let at = ''
let here: { readonly origin: string }
let userId = 1000
let email = ''
let token = ''
let key: Authenticator

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  at = `http://${under.brandHost}`
  here = { origin: at }
})
afterAll(() => under[Symbol.asyncDispose]())
/** Each test has its own user with a passkey, and no failures counted against this machine. */
beforeEach(async () => {
  clock.advance(WINDOW_MS)
  userId += 1
  email = `person${userId}@video.example`
  await under.addUser({ userId, email, password: PASSWORD, resellerId: 300 })
  token = await under.browser(at).token(email, PASSWORD)
  key = new Authenticator(at)
  await addPasskey(here, token, { key, proof: { password: PASSWORD } })
})

const linesOf = async (action: string) =>
  under.owner
    .selectFrom('audit_log')
    .select('action')
    .where('user_id', '=', userId)
    .where('action', '=', action)
    .execute()
const begin = async (browser: Browser) => (await browser.authorize()).location?.pathname ?? ''
const pathOf = ({ location }: SignInTestPage) => `${location?.pathname}${location?.search}`
/** From the last page's reply to a token. */
const tokenAfter = async (browser: Browser, posted: SignInTestPage): Promise<string | undefined> => {
  if (posted.location === undefined) return undefined
  const back = await browser.request(pathOf(posted))
  const { body } = await browser.exchange(back.location?.searchParams.get('code') ?? '')
  return body.access_token
}
const asWhom = async (given: string | undefined) => (await call(here, given ?? '', 'POST users/self/sessions')).body
const isRefused = (posted: SignInTestPage) => {
  expect(posted.status).toBe(422)
  expect(posted.text).toContain('{"kind":"passkey"}')
  expect(posted.location).toBeUndefined()
}
/** Signs in with the passkey of an authenticator that does something differently. */
const trySignIn = async (odd: Oddities = {}, by = key): Promise<SignInTestPage> => {
  const browser = under.browser(at)
  const path = await begin(browser)
  return postPasskey(browser, path, by.get(await fetchRequestOptions(browser, path), odd))
}

describe('a passkey without a password', () => {
  test.each<Algorithm>(['ES256', 'EdDSA', 'RS256'])(
    'with %s signs its user in, and counts as both factors',
    async (algorithm) => {
      const other = new Authenticator(at)
      await addPasskey(here, token, { key: other, proof: { password: PASSWORD }, algorithm })
      await enableMfa({ ...under, ...here }, token, clock.now())
      const browser = under.browser(at)
      const path = await begin(browser)
      const asked = await fetchRequestOptions(browser, path)
      expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
      expect(asked).not.toHaveProperty('allowCredentials')
      const given = await tokenAfter(browser, await postPasskey(browser, path, other.get(asked)))
      expect(await asWhom(given)).toMatchObject({ session: { userId } })
      expect(await linesOf('login')).toHaveLength(2)
      expect(JSON.parse((await browser.request('/auth/session')).text)).toMatchObject({ loggedIn: true })
    },
  )

  test('works repeatedly, with and without a counter', async () => {
    for (const by of [key, new Authenticator(at, { counts: false })]) {
      if (by !== key) await addPasskey(here, token, { key: by, proof: { password: PASSWORD } })
      for (let times = 0; times < 2; times += 1) expect((await trySignIn({}, by)).status).toBe(303)
    }
  })

  test.each<[string, Oddities]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of the same host with another port', { origin: 'http://localhost:1' }],
    ['for another host', { rpId: 'evil.example' }],
    ['that signs another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['that answers another type of request', { type: 'webauthn.create' }],
    ["inside another site's page", { crossOrigin: true }],
    ['without user verification', { isVerified: false }],
    ['without user presence', { isPresent: false }],
    ['signed by another key', { foreignKey: true }],
    ["with another user's handle", { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['without a user handle', { userHandle: null }],
    ['that has become eligible for backup', { isBackupEligible: true }],
  ])('%s is refused and logged', async (_, odd) => {
    isRefused(await trySignIn(odd))
    // Written after the reply.
    await expect.poll(() => linesOf('loginFailed')).toHaveLength(1)
    expect((await trySignIn()).status).toBe(303)
  })

  test('a copy with an old counter is refused and logged, and the original still works', async () => {
    await trySignIn({ count: 7 })
    for (const count of [7, 6, 0]) isRefused(await trySignIn({ count }))
    expect(await linesOf('passkeyRefused')).toHaveLength(3)
    expect((await trySignIn({ count: 8 })).status).toBe(303)
    expect(await linesOf('passkeyRefused')).toHaveLength(3)
  })

  test('without a valid signature no one can make it look like a copy', async () => {
    await trySignIn({ count: 7 })
    isRefused(await trySignIn({ count: 1, foreignKey: true }))
    expect(await linesOf('passkeyRefused')).toEqual([])
  })

  test('a challenge can be answered once, within five minutes, and only in its own sign-in', async () => {
    const [browser, other] = [under.browser(at), under.browser(at)]
    const [path, otherPath] = [await begin(browser), await begin(other)]
    const asked = await fetchRequestOptions(browser, path)
    await fetchRequestOptions(other, otherPath)
    isRefused(await postPasskey(other, otherPath, key.get(asked)))
    isRefused(await postPasskey(browser, path, key.get(asked, { foreignKey: true })))
    isRefused(await postPasskey(browser, path, key.get(asked)))
    const late = await fetchRequestOptions(browser, path)
    clock.advance(CHALLENGE_MS + 1)
    isRefused(await postPasskey(browser, path, key.get(late)))
    const newest = [await fetchRequestOptions(browser, path), await fetchRequestOptions(browser, path)]
    const [first, second] = newest.map((one) => key.get(one))
    if (first === undefined || second === undefined) throw new Error('two were asked for')
    expect((await postPasskey(browser, path, second)).status).toBe(303)
    // A double click: the second form's response also leads to the application.
    expect((await postPasskey(browser, path, second)).status).toBe(303)
  })

  test('of several concurrent answers to one challenge one signs in', async () => {
    const browser = under.browser(at)
    const path = await begin(browser)
    const answer = key.get(await fetchRequestOptions(browser, path))
    await Promise.all(Array.from({ length: 5 }, () => postPasskey(browser, path, answer)))
    expect(await linesOf('login')).toHaveLength(2)
  })

  test('once removed, it is refused, and the user it signed in is signed out', async () => {
    const browser = under.browser(at)
    const path = await begin(browser)
    const inside = await tokenAfter(
      browser,
      await postPasskey(browser, path, key.get(await fetchRequestOptions(browser, path))),
    )
    const { body } = await call(here, token, 'GET users/self/passkeys')
    const { status } = await call(here, token, `DELETE users/self/passkeys/${body.passkeys[0].passkeyId}`)
    expect(status).toBe(204)
    expect((await call(here, inside ?? '', 'GET users/self/tokens')).status).toBe(401)
    isRefused(await trySignIn())
  })

  test('is offered only on its own host', async () => {
    await under.owner
      .updateTable('auth.passkeys')
      .set({ rp_id: 'cams.example' })
      .where('user_id', '=', userId)
      .execute()
    isRefused(await trySignIn())
    isRefused(await trySignIn({ rpId: 'cams.example' }))
  })

  test("isn't requested on a host that is an IP address", async () => {
    const browser = under.browser()
    const path = await begin(browser)
    expect((await browser.post(`${path}/passkey`, {})).status).toBe(403)
    const asked = { challenge: 'AAAA', rpId: 'localhost', timeout: 1, userVerification: 'required' } as const
    isRefused(await postPasskey(browser, path, key.get(asked)))
  })

  test('blocked users and users of another brand are refused like unknown ones', async () => {
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
    isRefused(await trySignIn())
    await under.owner
      .updateTable('users')
      .set({ blocked: false, reseller_id: 255 })
      .where('user_id', '=', userId)
      .execute()
    isRefused(await trySignIn())
  })

  test('a suspended account is named with its company only after a valid signature, and can sign in later', async () => {
    const suspend = (status: 'suspended' | 'active') =>
      under.owner.updateTable('accounts').set({ status }).where('account_id', '=', userId).execute()
    await suspend('suspended')
    isRefused(await trySignIn({ foreignKey: true }))
    const right = await trySignIn()
    expect(right).toMatchObject({ status: 422, location: undefined })
    expect(right.text).toContain('{"kind":"suspended","company":"Sightline"}')
    await expect.poll(() => linesOf('loginFailed')).toHaveLength(2)
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
    isRefused(await trySignIn())
    await under.owner.updateTable('users').set({ blocked: false }).where('user_id', '=', userId).execute()
    await suspend('active')
    expect((await trySignIn()).status).toBe(303)
  })

  test('an unreadable answer, or one without a challenge, is refused without details', async () => {
    const browser = under.browser(at)
    const path = await begin(browser)
    for (const passkey of ['', 'x', '{}', '[]', JSON.stringify({ id: 'AA', type: 'public-key', response: {} })])
      isRefused(await browser.post(path, { passkey }))
    const asked = { challenge: 'AAAA', rpId: 'localhost', timeout: 1, userVerification: 'required' } as const
    isRefused(await postPasskey(browser, path, key.get(asked)))
  })

  test("another page can't request or post one", async () => {
    const browser = under.browser(at)
    const path = await begin(browser)
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    expect((await browser.post(`${path}/passkey`, {}, crossSite)).status).toBe(403)
    const passkey = JSON.stringify(key.get(await fetchRequestOptions(browser, path)))
    expect((await browser.post(path, { passkey }, crossSite)).status).toBe(403)
    expect((await browser.request(`${path}/passkey`)).status).toBe(404)
    expect((await under.browser(at).post(`${path}/passkey`, {})).status).toBe(400)
  })

  test('failures count together with passwords and are cleared by a success', async () => {
    for (let times = 0; times < LIMITS.pair; times += 1) await trySignIn({ foreignKey: true })
    const locked = await trySignIn()
    expect(locked.status).toBe(429)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    clock.advance(WINDOW_MS)
    for (let times = 1; times < LIMITS.pair; times += 1) await trySignIn({ foreignKey: true })
    expect((await trySignIn()).status).toBe(303)
    for (let times = 1; times < LIMITS.pair; times += 1) await trySignIn({ foreignKey: true })
    expect((await trySignIn()).status).toBe(303)
  })
})

describe('a passkey after the password', () => {
  const confirmed = async () => {
    const { body } = await call(here, token, 'POST users/self/passkeys/confirmation')
    return { passkey: key.get(body) }
  }
  const toSecondStep = async (browser: Browser) => {
    const path = await begin(browser)
    return { path, step: pathOf(await browser.post(path, { email, password: PASSWORD })) }
  }
  const trySecondStep = async (odd: Oddities = {}, by = key): Promise<SignInTestPage> => {
    const browser = under.browser(at)
    const { path, step } = await toSecondStep(browser)
    const asked = await fetchRequestOptions(browser, path, '?step=passkey')
    const anyOfIts = { ...asked, allowCredentials: undefined }
    const { allowCredentials: _, ...open } = anyOfIts
    return postPasskey(browser, step, by.get(by === key ? asked : open, odd))
  }
  let recoveryCodes: readonly string[] = []
  beforeEach(async () => {
    recoveryCodes = (await setSecondFactor(here, token, true, await confirmed())).body.recoveryCodes
  })

  test('must belong to that user and host, and user presence is enough', async () => {
    const browser = under.browser(at)
    const { path, step } = await toSecondStep(browser)
    expect(step).toMatch(/^\/sign-in\/[\w-]+\?step=passkey&lang=en$/)
    const page = await browser.request(step)
    expect(page.text).toContain('<p>passkey null</p>')
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'nonce-[^']+';.* connect-src 'self';/)
    const asked = await fetchRequestOptions(browser, path, '?step=passkey')
    expect(asked).toMatchObject({ userVerification: 'preferred' })
    expect(asked.allowCredentials?.map(({ id }) => id)).toEqual([key.held[0]?.id.toString('base64url')])
    const posted = await postPasskey(browser, step, key.get(asked, { isVerified: false, userHandle: null }))
    expect(await asWhom(await tokenAfter(browser, posted))).toMatchObject({ session: { userId } })
  })

  test("is required: the password alone isn't enough, and no passkey is requested before it", async () => {
    const browser = under.browser(at)
    const path = await begin(browser)
    expect((await browser.post(`${path}/passkey?step=passkey`, {})).status).toBe(403)
    const early = await browser.post(`${path}?step=passkey&lang=en`, { passkey: '{}' })
    expect(early).toMatchObject({ status: 400, text: '<h1>error expired</h1>' })
  })

  test('of another user is refused although the password is right', async () => {
    const other = new Authenticator(at)
    const otherId = userId + 50_000
    const address = `person${otherId}@video.example`
    await under.addUser({ userId: otherId, email: address, password: PASSWORD, resellerId: 300 })
    const otherToken = await under.browser(at).token(address, PASSWORD)
    await addPasskey(here, otherToken, { key: other, proof: { password: PASSWORD } })
    isRefused(await trySecondStep({}, other))
    // Written after the reply.
    await expect.poll(() => linesOf('loginFailed')).toHaveLength(1)
    expect((await trySecondStep()).status).toBe(303)
  })

  test("can't answer the challenge of a sign-in without a password, or the reverse", async () => {
    const browser = under.browser(at)
    const { path, step } = await toSecondStep(browser)
    isRefused(await postPasskey(browser, step, key.get(await fetchRequestOptions(browser, path))))
    isRefused(await postPasskey(browser, path, key.get(await fetchRequestOptions(browser, path, '?step=passkey'))))
  })

  test('can be replaced by a recovery code, once', async () => {
    const browser = under.browser(at)
    const { step } = await toSecondStep(browser)
    const recovery = step.replace('step=passkey', 'step=recovery')
    expect((await browser.request(recovery)).text).toContain('<p>recoveryCode null</p>')
    const posted = await browser.post(recovery, { code: recoveryCodes[0] ?? '' })
    expect(await asWhom(await tokenAfter(browser, posted))).toMatchObject({ session: { userId } })
    const again = under.browser(at)
    expect((await again.post((await toSecondStep(again)).step, { code: recoveryCodes[0] ?? '' })).status).toBe(422)
  })

  test('counts wrong ones with wrong codes, from any address', async () => {
    const browser = under.browser(at)
    const { path, step } = await toSecondStep(browser)
    const next = async (odd: Oddities = {}) =>
      postPasskey(browser, step, key.get(await fetchRequestOptions(browser, path, '?step=passkey'), odd))
    for (let times = 0; times < LIMITS.code; times += 1) isRefused(await next({ foreignKey: true }))
    expect((await next()).status).toBe(429)
    clock.advance(WINDOW_MS)
    expect((await trySecondStep()).status).toBe(303)
  })

  test('can replace the code of an app, which is asked for first', async () => {
    await enableMfa({ ...under, ...here }, token, clock.now())
    const browser = under.browser(at)
    const { path, step } = await toSecondStep(browser)
    expect(step).toContain('?step=code')
    const posted = await postPasskey(browser, step, key.get(await fetchRequestOptions(browser, path, '?step=passkey')))
    expect(await tokenAfter(browser, posted)).toBeTruthy()
  })
})
