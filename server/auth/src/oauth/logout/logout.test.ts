import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { Browser } from '../../browser-testing.ts'
import { ask } from '../../token-testing.ts'
import { isOwnNavigation } from './confirm.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
})
afterAll(() => under[Symbol.asyncDispose]())

const isAlive = async (token: string) =>
  (await under.owner.selectFrom('sessions').select('token_id').where('token_sha256', '=', tokenSha256(token)).execute())
    .length === 1
const logoutPath = (query: Record<string, string>) => `/auth/logout?${new URLSearchParams(query)}`

describe('/auth/logout', () => {
  test('ends the token, the sign-in and every token of this browser, and returns to the registered address', async () => {
    const browser = under.browser()
    const portal = await browser.token(EMAIL, PASSWORD)
    const silent = await browser.authorize({ clientId: 'camera-app.v1', redirectUri: `${under.origin}/app/` })
    const camera = await browser.exchange(silent.location?.searchParams.get('code') ?? '', {
      client_id: 'camera-app.v1',
      redirect_uri: `${under.origin}/app/`,
    })
    const elsewhere = await under.browser().token(EMAIL, PASSWORD)
    under.revoked.length = 0
    const answer = await browser.request(logoutPath({ token: portal, redirect_uri: `${under.origin}/logout` }))
    expect(answer.status).toBe(303)
    expect(answer.location?.href).toBe(`${under.origin}/logout`)
    expect(await isAlive(portal)).toBe(false)
    expect(await isAlive(camera.body.access_token)).toBe(false)
    expect(await isAlive(elsewhere)).toBe(true)
    for (const token of [portal, camera.body.access_token]) {
      expect(under.revoked.some((r) => r.tokenSha256?.equals(tokenSha256(token)))).toBe(true)
    }
    expect((await browser.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('sightline.sign-in|'))).toEqual([])
  })

  test('works without a token, for example after DELETE users/self/tokens/current', async () => {
    const browser = under.browser()
    await browser.signIn(EMAIL, PASSWORD)
    const answer = await browser.request(logoutPath({ redirect_uri: `${under.origin}/app/logout` }))
    expect(answer.location?.href).toBe(`${under.origin}/app/logout`)
    expect((await browser.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
  })

  test.each(['https://evil.example/logout', '//evil.example', '/logout/../x', 'javascript:alert(1)', ''])(
    'never redirects to %j and shows our own page instead',
    async (redirect_uri) => {
      const answer = await under.browser().request(logoutPath({ redirect_uri }))
      expect(answer).toMatchObject({ status: 200, location: undefined })
      expect(answer.text).toContain('logged out')
    },
  )

  test("never redirects to an address of a client other than the token's", async () => {
    const browser = under.browser()
    const token = await browser.token(EMAIL, PASSWORD)
    const answer = await browser.request(logoutPath({ token, redirect_uri: `${under.origin}/app/logout` }))
    expect(answer).toMatchObject({ status: 200, location: undefined })
    expect(await isAlive(token)).toBe(false)
  })

  describe('with a registered client', () => {
    const BYE = 'https://nvr.example/bye'
    let secret: string
    beforeAll(async () => {
      const passwordGrant = true
      secret = await under.addClient({ clientId: 'nvr', passwordGrant, loggedOutUris: [BYE] })
    })
    const tokenOfClient = async (): Promise<string> => {
      const fields = { grant_type: 'password', username: EMAIL, password: PASSWORD }
      return (await ask(under, fields, { basic: ['nvr', secret] })).body.access_token
    }
    const leave = (query: Record<string, string>, at = under.origin) => under.browser(at).request(logoutPath(query))
    const ourPage = { status: 200, location: undefined }

    test("a token allows a redirect to the client's registered address only", async () => {
      expect((await leave({ token: await tokenOfClient(), redirect_uri: BYE })).location?.href).toBe(BYE)
      for (const redirect_uri of [
        'https://nvr.example/bye/',
        'https://nvr.example/back',
        'https://nvr.example/bye?x=1',
      ]) {
        expect(await leave({ token: await tokenOfClient(), redirect_uri })).toMatchObject(ourPage)
      }
    })

    test('no token, or an invalid or expired one, allows no redirect there', async () => {
      expect(await leave({ redirect_uri: BYE })).toMatchObject(ourPage)
      const token = await tokenOfClient()
      await leave({ token })
      expect(await leave({ token, redirect_uri: BYE })).toMatchObject(ourPage)
      expect(await leave({ token: 'x'.repeat(43), redirect_uri: BYE })).toMatchObject(ourPage)
    })

    test("another client's token allows no redirect there", async () => {
      const token = await under.browser().token(EMAIL, PASSWORD)
      expect(await leave({ token, redirect_uri: BYE })).toMatchObject(ourPage)
    })

    test('the host of another brand allows no redirect there', async () => {
      await under.owner.updateTable('auth.clients').set({ reseller_id: 255 }).where('client_id', '=', 'nvr').execute()
      const at = `http://${under.brandHost}`
      expect(await leave({ token: await tokenOfClient(), redirect_uri: BYE }, at)).toMatchObject(ourPage)
      expect((await leave({ token: await tokenOfClient(), redirect_uri: BYE })).location?.href).toBe(BYE)
    })
  })

  describe('from another site', () => {
    const isSignedIn = async (browser: Browser) => JSON.parse((await browser.request('/auth/session')).text).loggedIn
    /** The possible origins of a visit as browsers report them; the last reports none. */
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', referer: `http://localhost/` },
    ]

    test.each(foreign)('%j without a token asks first and ends nothing', async (headers) => {
      const browser = under.browser()
      const token = await browser.token(EMAIL, PASSWORD)
      const asked = await browser.request(logoutPath({ redirect_uri: `${under.origin}/logout` }), { headers })
      expect(asked).toMatchObject({ status: 200, location: undefined })
      expect(asked.text).toContain(EMAIL)
      expect(await isSignedIn(browser)).toBe(true)
      expect(await isAlive(token)).toBe(true)
    })

    test("the button on that page signs out and returns to our application; another site's form doesn't", async () => {
      const browser = under.browser()
      const token = await browser.token(EMAIL, PASSWORD)
      const redirect_uri = `${under.origin}/logout`
      const path = `/auth/logout/confirm?${new URLSearchParams({ redirect_uri })}`
      expect((await browser.request(path)).text).toContain(EMAIL)
      const forged = await browser.post(path, {}, { 'sec-fetch-site': 'cross-site' })
      expect(forged.status).toBe(403)
      expect(await isSignedIn(browser)).toBe(true)
      const out = await browser.post(path, {})
      expect(out.location?.href).toBe(redirect_uri)
      expect(await isSignedIn(browser)).toBe(false)
      expect(await isAlive(token)).toBe(false)
    })

    test("another user's token ends that token but not this browser's sign-in", async () => {
      await under.addUser({ userId: 1002, email: 'stranger@demo.example', password: PASSWORD })
      const strangers = await under.browser().token('stranger@demo.example', PASSWORD)
      const browser = under.browser()
      const token = await browser.token(EMAIL, PASSWORD)
      const headers = { 'sec-fetch-site': 'cross-site' }
      expect((await browser.request(logoutPath({ token: strangers }), { headers })).text).toContain(EMAIL)
      expect([await isAlive(strangers), await isAlive(token)]).toEqual([false, true])
      expect(await isSignedIn(browser)).toBe(true)
    })

    test("the signed-in user's own token signs out, as before", async () => {
      const browser = under.browser()
      const token = await browser.token(EMAIL, PASSWORD)
      const headers = { 'sec-fetch-site': 'cross-site' }
      await browser.request(logoutPath({ token }), { headers })
      expect(await isSignedIn(browser)).toBe(false)
    })
  })

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'cross-site', referer: 'https://video.example/' }, false],
    [{ referer: 'https://video.example/settings' }, true],
    [{ referer: 'https://video.example.evil.example/' }, false],
    [{ referer: 'nonsense' }, false],
    [{}, false],
  ])('a request with %j comes from our own page: %j', (headers, isOwn) => {
    expect(isOwnNavigation({ headers }, 'https://video.example')).toBe(isOwn)
  })

  test('is in the audit log', async () => {
    const rows = await under.owner.selectFrom('audit_log').selectAll().where('action', '=', 'logout').execute()
    expect(rows[0]).toMatchObject({ account_id: 1001, user_id: 1001, client_id: 'account.v2', address: '127.0.0.1' })
  })
})

test('/auth/session says whether this browser is signed in', async () => {
  const browser = under.browser()
  const ask = async () => JSON.parse((await browser.request('/auth/session')).text)
  expect(await ask()).toEqual({ loggedIn: false, otherApp: null })
  await browser.signIn(EMAIL, PASSWORD)
  expect(await ask()).toEqual({ loggedIn: true, otherApp: null })
  await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', 1001).execute()
  expect(await ask()).toEqual({ loggedIn: false, otherApp: null })
})
