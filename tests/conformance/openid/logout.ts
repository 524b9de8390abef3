import { generateKeyPairSync, sign } from 'node:crypto'
import * as openid from 'openid-client'
import { expect } from 'vitest'
import type { Fixture, TestModule } from './fixture.ts'
import { authorization, type Parameters, type SignInResult, signIn } from './relying-party.ts'
import { type BrowserVisit, backUrl, type SignInBrowser } from './sign-in-browser.ts'

/** The test modules of oidcc-rp-initiated-logout-certification-test-plan, except the one about the discovery document. */
export type LogoutModule =
  | 'oidcc-rp-initiated-logout'
  | 'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri'
  | 'oidcc-rp-initiated-logout-modified-id-token-hint'
  | 'oidcc-rp-initiated-logout-no-id-token-hint'
  | 'oidcc-rp-initiated-logout-no-params'
  | 'oidcc-rp-initiated-logout-no-post-logout-redirect-uri'
  | 'oidcc-rp-initiated-logout-no-state'
  | 'oidcc-rp-initiated-logout-only-state'
  | 'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri'
  | 'oidcc-rp-initiated-logout-bad-id-token-hint'

interface Leaving {
  readonly person: SignInBrowser
  readonly signedIn: SignInResult
  readonly state: string
  readonly visit: BrowserVisit
}

/** Signs in, then opens the logout URL of openid-client with changed parameters. */
async function leave(fixture: Fixture, changed: (before: SignInResult) => Parameters): Promise<Leaving> {
  const { party } = fixture
  const person = fixture.browser()
  const signedIn = await signIn(party, person)
  const state = openid.randomState()
  const asked = { id_token_hint: signedIn.idToken, post_logout_redirect_uri: party.loggedOutUri, state }
  const url = openid.buildEndSessionUrl(party.basic, { ...asked, ...changed(signedIn) })
  for (const [name, value] of [...url.searchParams]) if (value === '') url.searchParams.delete(name)
  return { person, signedIn, state, visit: await person.visit(url) }
}

/** Tries an authorization without interaction, which succeeds only for a signed-in user. */
async function isSignedOut({ party }: Fixture, person: SignInBrowser): Promise<boolean> {
  const back = backUrl(await person.visit(authorization(party, { prompt: 'none' }).url))
  const error = back.searchParams.get('error')
  if (error !== null) expect(error).toBe('login_required')
  return error !== null
}

const NOTHING: Parameters = { id_token_hint: '', post_logout_redirect_uri: '', state: '', client_id: '' }

const returns = (rule: string, changed: Parameters, expectedState: (state: string) => string | null): TestModule => ({
  rule,
  prove: async (fixture) => {
    const { person, visit, state, signedIn } = await leave(fixture, () => changed)
    const back = backUrl(visit)
    expect(back.origin + back.pathname).toBe(fixture.party.loggedOutUri)
    expect(back.searchParams.get('state')).toBe(expectedState(state))
    expect([...back.searchParams.keys()].filter((name) => name !== 'state')).toEqual([])
    expect(await isSignedOut(fixture, person)).toBe(true)
    // A refreshing client's tokens outlive the browser's sign-in (docs/decisions/0008).
    const told = openid.fetchUserInfo(fixture.party.basic, signedIn.accessToken, signedIn.claims.sub)
    await expect(told).resolves.toEqual({ sub: signedIn.claims.sub })
  },
})

/** Shows an error page and does not sign out. */
const refuses = (rule: string, changed: (before: SignInResult, fixture: Fixture) => Parameters): TestModule => ({
  rule,
  prove: async (fixture) => {
    const { person, visit } = await leave(fixture, (before) => changed(before, fixture))
    expect(visit).toMatchObject({ back: undefined, status: 400 })
    expect(await isSignedOut(fixture, person)).toBe(false)
  },
})

/** Asks the user. A form of another site has no effect; our own signs out and does not redirect. */
const asks = (rule: string, changed: Parameters): TestModule => ({
  rule,
  prove: async (fixture) => {
    const { person, visit } = await leave(fixture, () => changed)
    expect(visit).toMatchObject({ back: undefined, status: 200 })
    const action = /<form [^>]*action="([^"]+)"/.exec(visit.html)?.[1]
    expect(action).toMatch(/^\/oauth\/end-session\/confirm\?/)
    const confirm = new URL(action ?? '', fixture.origin)
    const foreign = await fetch(confirm, { method: 'POST', headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    expect(await isSignedOut(fixture, person)).toBe(false)
    const answered = await person.request(confirm, new URLSearchParams())
    expect([answered.status, answered.headers.get('location')]).toEqual([200, null])
    expect(await isSignedOut(fixture, person)).toBe(true)
  },
})

const partOf = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token's claims, unsigned. */
const withoutSignature = (idToken: string): string => `${partOf({ alg: 'none' })}.${idToken.split('.')[1]}.`

/** The token's claims, signed with another key. */
function signedByAnother(idToken: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [header, claims] = idToken.split('.')
  const signed = `${header}.${claims}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

export const logoutModules: Readonly<Record<LogoutModule, TestModule>> = {
  'oidcc-rp-initiated-logout': returns(
    'a user sent with their id token is signed out and returned with the state',
    {},
    (state) => state,
  ),
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': refuses(
    'an unregistered redirect address is never used',
    () => ({ post_logout_redirect_uri: 'https://evil.example/signed-out' }),
  ),
  'oidcc-rp-initiated-logout-modified-id-token-hint': refuses('an unsigned id token is refused', ({ idToken }) => ({
    id_token_hint: withoutSignature(idToken),
  })),
  'oidcc-rp-initiated-logout-no-id-token-hint': asks(
    'without an id token the user is asked, and is not returned to the client',
    { id_token_hint: '' },
  ),
  'oidcc-rp-initiated-logout-no-params': asks('without parameters the user is asked and then signed out', NOTHING),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': {
    rule: 'without a redirect address the user is signed out, and a page says so',
    prove: async (fixture) => {
      const { person, visit } = await leave(fixture, () => ({ post_logout_redirect_uri: '' }))
      expect(visit).toMatchObject({ back: undefined, status: 200 })
      expect(visit.html).not.toContain('<form')
      expect(await isSignedOut(fixture, person)).toBe(true)
    },
  },
  'oidcc-rp-initiated-logout-no-state': returns(
    'without a state the user is returned without one',
    { state: '' },
    () => null,
  ),
  'oidcc-rp-initiated-logout-only-state': asks('a state alone is treated like no parameters', {
    ...NOTHING,
    state: 'only',
  }),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': refuses(
    'a registered redirect address with an added query is refused',
    (_, { party }) => ({ post_logout_redirect_uri: `${party.loggedOutUri}?foo=bar` }),
  ),
  'oidcc-rp-initiated-logout-bad-id-token-hint': refuses(
    'an id token signed with another key is refused',
    ({ idToken }) => ({ id_token_hint: signedByAnother(idToken) }),
  ),
}
