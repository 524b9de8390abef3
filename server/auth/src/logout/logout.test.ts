import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'

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

  test('a registered client is returned to where it registered, and nowhere else', async () => {
    const loggedOutUris = ['https://nvr.example/bye']
    await under.addClient({ clientId: 'nvr', kind: 'browser', loggedOutUris })
    const to = (redirect_uri: string) => under.browser().request(logoutPath({ redirect_uri }))
    expect((await to('https://nvr.example/bye')).location?.href).toBe('https://nvr.example/bye')
    for (const address of ['https://nvr.example/bye/', 'https://nvr.example/back', 'https://nvr.example/bye?x=1']) {
      expect(await to(address)).toMatchObject({ status: 200, location: undefined })
    }
    const browser = under.browser()
    const token = await browser.token(EMAIL, PASSWORD)
    const foreign = await browser.request(logoutPath({ token, redirect_uri: 'https://nvr.example/bye' }))
    expect(foreign).toMatchObject({ status: 200, location: undefined })
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
