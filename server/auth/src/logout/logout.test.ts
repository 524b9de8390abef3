import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import { ask } from '../token-testing.ts'

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

  test('works without a token, as after DELETE users/self/tokens/current', async () => {
    const browser = under.browser()
    await browser.signIn(EMAIL, PASSWORD)
    const answer = await browser.request(logoutPath({ redirect_uri: `${under.origin}/app/logout` }))
    expect(answer.location?.href).toBe(`${under.origin}/app/logout`)
    expect((await browser.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
  })

  test.each(['https://evil.example/logout', '//evil.example', '/logout/../x', 'javascript:alert(1)', ''])(
    'never goes to %j: our own page instead',
    async (redirect_uri) => {
      const answer = await under.browser().request(logoutPath({ redirect_uri }))
      expect(answer).toMatchObject({ status: 200, location: undefined })
      expect(answer.text).toContain('logged out')
    },
  )

  test('an address of another client than the token has is not gone to', async () => {
    const browser = under.browser()
    const token = await browser.token(EMAIL, PASSWORD)
    const answer = await browser.request(logoutPath({ token, redirect_uri: `${under.origin}/app/logout` }))
    expect(answer).toMatchObject({ status: 200, location: undefined })
    expect(await isAlive(token)).toBe(false)
  })

  describe('of a registered client', () => {
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

    test('a token returns to where it registered, and nowhere else', async () => {
      expect((await leave({ token: await tokenOfClient(), redirect_uri: BYE })).location?.href).toBe(BYE)
      for (const redirect_uri of [
        'https://nvr.example/bye/',
        'https://nvr.example/back',
        'https://nvr.example/bye?x=1',
      ]) {
        expect(await leave({ token: await tokenOfClient(), redirect_uri })).toMatchObject(ourPage)
      }
    })

    test('nobody is returned there without a token, or with one that is none (any more)', async () => {
      expect(await leave({ redirect_uri: BYE })).toMatchObject(ourPage)
      const token = await tokenOfClient()
      await leave({ token })
      expect(await leave({ token, redirect_uri: BYE })).toMatchObject(ourPage)
      expect(await leave({ token: 'x'.repeat(43), redirect_uri: BYE })).toMatchObject(ourPage)
    })

    test('nobody is returned there with the token of another client', async () => {
      const token = await under.browser().token(EMAIL, PASSWORD)
      expect(await leave({ token, redirect_uri: BYE })).toMatchObject(ourPage)
    })

    test('nobody is returned there from the host of another brand', async () => {
      await under.owner.updateTable('auth.clients').set({ reseller_id: 255 }).where('client_id', '=', 'nvr').execute()
      const at = `http://${under.brandHost}`
      expect(await leave({ token: await tokenOfClient(), redirect_uri: BYE }, at)).toMatchObject(ourPage)
      expect((await leave({ token: await tokenOfClient(), redirect_uri: BYE })).location?.href).toBe(BYE)
    })
  })

  test('is written into the audit log', async () => {
    const rows = await under.owner.selectFrom('audit_log').selectAll().where('action', '=', 'logout').execute()
    expect(rows[0]).toMatchObject({ account_id: 1001, user_id: 1001, client_id: 'account.v2', address: '127.0.0.1' })
  })
})

test('/auth/session tells whether this browser is signed in', async () => {
  const browser = under.browser()
  const ask = async () => JSON.parse((await browser.request('/auth/session')).text)
  expect(await ask()).toEqual({ loggedIn: false, otherApp: null })
  await browser.signIn(EMAIL, PASSWORD)
  expect(await ask()).toEqual({ loggedIn: true, otherApp: null })
  await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', 1001).execute()
  expect(await ask()).toEqual({ loggedIn: false, otherApp: null })
})
