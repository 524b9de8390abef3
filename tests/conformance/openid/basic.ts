import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { expect } from 'vitest'
import { EMAIL, type Fixture, SCOPES, type TestModule } from './fixture.ts'
import { authorization, type Parameters, type SignInResult, signIn } from './relying-party.ts'
import { backUrl } from './sign-in-browser.ts'

/** The test modules of oidcc-basic-certification-test-plan, in its order. */
export type BasicModule =
  | 'oidcc-server'
  | 'oidcc-response-type-missing'
  | 'oidcc-idtoken-signature'
  | 'oidcc-idtoken-unsigned'
  | 'oidcc-userinfo-get'
  | 'oidcc-userinfo-post-header'
  | 'oidcc-userinfo-post-body'
  | 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow'
  | 'oidcc-scope-profile'
  | 'oidcc-scope-email'
  | 'oidcc-scope-address'
  | 'oidcc-scope-phone'
  | 'oidcc-scope-all'
  | 'oidcc-alternate-happy-flow'
  | 'oidcc-display-page'
  | 'oidcc-display-popup'
  | 'oidcc-prompt-login'
  | 'oidcc-prompt-none-not-logged-in'
  | 'oidcc-prompt-none-logged-in'
  | 'oidcc-max-age-1'
  | 'oidcc-max-age-10000'
  | 'oidcc-ensure-request-with-unknown-parameter-succeeds'
  | 'oidcc-id-token-hint'
  | 'oidcc-login-hint'
  | 'oidcc-ui-locales'
  | 'oidcc-claims-locales'
  | 'oidcc-ensure-request-with-acr-values-succeeds'
  | 'oidcc-codereuse'
  | 'oidcc-ensure-registered-redirect-uri'
  | 'oidcc-ensure-post-request-succeeds'
  | 'oidcc-server-client-secret-post'
  | 'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported'
  | 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported'
  | 'oidcc-claims-essential'
  | 'oidcc-ensure-request-object-with-redirect-uri'
  | 'oidcc-refresh-token'
  | 'oidcc-ensure-request-with-valid-pkce-succeeds'
  // Last, because by then much of its half minute has passed.
  | 'oidcc-codereuse-30seconds'

/** Claims of an id token in the code flow; about the user it has only the id. */
const ID_TOKEN_CLAIMS = ['sub', 'nonce', 'at_hash', 'aud', 'exp', 'iat', 'iss', 'auth_time', 'amr']
const THIRTY_SECONDS_MS = 30_000

const askUserinfo = (fixture: Fixture, init: RequestInit) => fetch(`${fixture.origin}/oauth/userinfo`, init)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const JSON_TYPE = /^application\/json/

const userinfoWith = (scope: string, party: Fixture['party'], person: ReturnType<Fixture['browser']>) =>
  signIn(party, person, { more: { scope } }).then(({ accessToken, claims }) =>
    openid.fetchUserInfo(party.basic, accessToken, claims.sub),
  )

/** An authorization in which a parameter must not cause an error. */
const undisturbed = (rule: string, more: Parameters): TestModule => ({
  rule,
  prove: async ({ party, browser }) => {
    await expect(signIn(party, browser(), { more })).resolves.toMatchObject({ claims: { aud: party.clientId } })
  },
})

const scopeGives = (scope: string, claims: Readonly<Record<string, unknown>>): TestModule => ({
  rule: `scope openid ${scope} returns its claims in userinfo, and no others`,
  prove: async ({ party, browser }) => {
    expect(await userinfoWith(`openid ${scope}`, party, browser())).toEqual({ sub: expect.any(String), ...claims })
  },
})

const PROFILE = { name: 'Olivia Owner', given_name: 'Olivia', family_name: 'Owner', locale: 'en' }
const ADDRESS = { address: { formatted: 'NL', country: 'NL' } }
const PHONE = { phone_number: '+31201234567', phone_number_verified: false }
const MAIL = { email: EMAIL, email_verified: false }

/** The error of an authorization response; checks state and issuer. */
function errorOf(back: URL, fixture: Fixture, state: string): string | null {
  expect(back.searchParams.get('state')).toBe(state)
  expect(back.searchParams.get('iss')).toBe(fixture.origin)
  expect(back.searchParams.get('code')).toBeNull()
  return back.searchParams.get('error')
}

/** The second of two authorizations in one browser must not ask anything and must refer to the same sign-in. */
async function sameTwice(fixture: Fixture, first: Parameters, next: (was: SignInResult) => Parameters): Promise<void> {
  const person = fixture.browser()
  const one = await signIn(fixture.party, person, { more: first })
  const two = await signIn(fixture.party, person, { more: next(one) })
  expect(two.visit.asked).toEqual([])
  expect([two.claims.sub, two.claims.auth_time]).toEqual([one.claims.sub, one.claims.auth_time])
}

/** The second authorization must ask for the password again, and its id token must have the new time. */
async function asksAgain(fixture: Fixture, more: Parameters, waitMs: number): Promise<void> {
  const person = fixture.browser()
  const one = await signIn(fixture.party, person, { more: { max_age: '15000' }, checks: { maxAge: 15_000 } })
  // The sign-in time is in whole seconds.
  await passed(waitMs)
  const maxAge = more.max_age === undefined ? {} : { maxAge: Number(more.max_age) }
  const two = await signIn(fixture.party, person, { more, checks: maxAge })
  expect(two.visit.asked.map(({ kind }) => kind)).toEqual(['sign-in'])
  expect(two.claims.sub).toBe(one.claims.sub)
  if (more.max_age !== undefined) expect(two.claims.auth_time).toEqual(expect.any(Number))
  expect(two.claims.auth_time ?? Number.POSITIVE_INFINITY).toBeGreaterThan(one.claims.auth_time ?? 0)
}

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Exchanges a code again. */
const reuse = ({ origin, party }: Fixture, code: string) =>
  fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${party.clientId}:${party.secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: party.redirectUri }),
  })

async function isRefused(reply: Response): Promise<void> {
  expect(reply.status).toBe(400)
  expect(reply.headers.get('content-type')).toMatch(JSON_TYPE)
  expect(await reply.json()).toMatchObject({ error: 'invalid_grant' })
}

/** An unsigned request object (RFC 9101 §2.1, `alg` none). */
const requestObject = (claims: Parameters): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims)}.`
}

const asObject = ({ url }: { readonly url: URL }): string => requestObject(Object.fromEntries(url.searchParams))

export const basicModules: Readonly<Record<BasicModule, TestModule>> = {
  'oidcc-server': {
    rule: 'code, tokens, id token and userinfo meet the specification',
    prove: async ({ party, browser, origin }) => {
      const { tokens, claims, code, visit } = await signIn(party, browser())
      expect(visit.back?.searchParams.get('iss')).toBe(origin)
      expect(code.length).toBeGreaterThanOrEqual(22)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 43_200, scope: 'openid' })
      expect(claims).toMatchObject({ iss: origin, aud: party.clientId, sub: expect.any(String) })
      expect(ID_TOKEN_CLAIMS).toEqual(expect.arrayContaining(Object.keys(claims)))
      const userinfo = await openid.fetchUserInfo(party.basic, tokens.access_token, claims.sub)
      expect(userinfo).toEqual({ sub: claims.sub })
    },
  },
  'oidcc-response-type-missing': {
    rule: 'a request without response_type returns invalid_request',
    prove: async (fixture) => {
      const { url, state } = authorization(fixture.party, { response_type: '' })
      expect(errorOf(backUrl(await fixture.browser().visit(url)), fixture, state)).toBe('invalid_request')
    },
  },
  'oidcc-idtoken-signature': {
    rule: 'id tokens are signed with RS256 by default, with a key that has an id',
    prove: async ({ used, origin }) => {
      const header = JSON.parse(Buffer.from(used.signedIn.idToken.split('.')[0] ?? '', 'base64url').toString())
      const { keys } = (await (await fetch(`${origin}/oauth/jwks`)).json()) as { keys: { kid: string }[] }
      expect(header).toEqual({ alg: 'RS256', kid: expect.any(String) })
      expect(keys.map(({ kid }) => kid)).toContain(header.kid)
    },
  },
  'oidcc-idtoken-unsigned': {
    rule: 'does not apply: no client can have unsigned id tokens, and the discovery document does not offer them',
    prove: async ({ party }) => {
      expect(party.basic.serverMetadata().id_token_signing_alg_values_supported).not.toContain('none')
    },
  },
  'oidcc-userinfo-get': {
    rule: 'userinfo answers GET with the token in the header',
    prove: async (fixture) => {
      const { accessToken, claims } = fixture.used.signedIn
      const reply = await askUserinfo(fixture, { headers: bearer(accessToken) })
      expect(reply.headers.get('content-type')).toMatch(JSON_TYPE)
      expect(await reply.json()).toMatchObject({ sub: claims.sub })
      for (const headers of [{}, bearer('nobodys')]) {
        const refused = await askUserinfo(fixture, { headers })
        expect(refused.status).toBe(401)
        expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
      }
    },
  },
  'oidcc-userinfo-post-header': {
    rule: 'userinfo answers POST with the token in the header',
    prove: async (fixture) => {
      const { accessToken, claims } = fixture.used.signedIn
      const reply = await askUserinfo(fixture, { method: 'POST', headers: bearer(accessToken) })
      expect(await reply.json()).toMatchObject({ sub: claims.sub })
    },
  },
  'oidcc-userinfo-post-body': {
    rule: 'userinfo answers POST with the token in the body',
    prove: async (fixture) => {
      const { accessToken, claims } = fixture.used.signedIn
      const body = new URLSearchParams({ access_token: accessToken })
      expect(await (await askUserinfo(fixture, { method: 'POST', body })).json()).toMatchObject({ sub: claims.sub })
    },
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': {
    rule: 'a request without nonce succeeds, and the id token has none',
    prove: async ({ party, browser }) => {
      const { claims } = await signIn(party, browser(), { more: { nonce: '' } })
      expect(claims).not.toHaveProperty('nonce')
    },
  },
  'oidcc-scope-profile': scopeGives('profile', PROFILE),
  'oidcc-scope-email': scopeGives('email', MAIL),
  'oidcc-scope-address': scopeGives('address', ADDRESS),
  'oidcc-scope-phone': scopeGives('phone', PHONE),
  'oidcc-scope-all': scopeGives('address email phone profile', { ...PROFILE, ...MAIL, ...ADDRESS, ...PHONE }),
  'oidcc-alternate-happy-flow': {
    rule: 'scopes and parameters may come in any order',
    prove: async ({ party, browser }) => {
      const { url, state, nonce } = authorization(party, { scope: 'email openid' })
      const reversed = new URL(url.pathname, url)
      for (const [name, value] of [...url.searchParams].reverse()) reversed.searchParams.append(name, value)
      const back = backUrl(await browser().visit(reversed))
      const checks = { expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const tokens = await openid.authorizationCodeGrant(party.basic, back, checks)
      const sub = tokens.claims()?.sub ?? ''
      expect(await openid.fetchUserInfo(party.basic, tokens.access_token, sub)).toEqual({ sub, ...MAIL })
    },
  },
  'oidcc-display-page': undisturbed('display=page causes no error', { display: 'page' }),
  'oidcc-display-popup': undisturbed('display=popup causes no error', { display: 'popup' }),
  'oidcc-prompt-login': {
    rule: 'prompt=login asks for the password again',
    prove: (fixture) => asksAgain(fixture, { prompt: 'login' }, 1000),
  },
  'oidcc-prompt-none-not-logged-in': {
    rule: 'prompt=none without a sign-in returns login_required, with a long state intact',
    prove: async (fixture) => {
      const state = 'x'.repeat(128)
      const { url } = authorization(fixture.party, { prompt: 'none', state })
      const visit = await fixture.browser().visit(url)
      expect(visit.asked).toEqual([])
      expect(errorOf(backUrl(visit), fixture, state)).toBe('login_required')
    },
  },
  'oidcc-prompt-none-logged-in': {
    rule: 'prompt=none with a sign-in asks nothing',
    prove: (fixture) => sameTwice(fixture, {}, () => ({ prompt: 'none' })),
  },
  'oidcc-max-age-1': {
    rule: 'max_age=1 after two seconds asks for the password again and updates auth_time',
    prove: (fixture) => asksAgain(fixture, { max_age: '1' }, 2000),
  },
  'oidcc-max-age-10000': {
    rule: 'max_age=10000 with a recent sign-in asks nothing and keeps auth_time',
    prove: (fixture) => sameTwice(fixture, { max_age: '15000' }, () => ({ max_age: '10000' })),
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': undisturbed('an unknown parameter is ignored', {
    extra: 'foobar',
  }),
  'oidcc-id-token-hint': {
    rule: 'prompt=none with the signed-in user’s id token asks nothing',
    prove: (fixture) => sameTwice(fixture, {}, ({ idToken }) => ({ prompt: 'none', id_token_hint: idToken })),
  },
  'oidcc-login-hint': {
    rule: 'login_hint fills in the email address on the sign-in page',
    prove: async ({ party, browser }) => {
      const { visit } = await signIn(party, browser(), { more: { login_hint: 'buffy@slayer.example' } })
      expect(visit.asked[0]?.html).toContain('value="buffy@slayer.example"')
    },
  },
  'oidcc-ui-locales': {
    rule: 'ui_locales chooses the language of the sign-in page',
    prove: async ({ party, browser }) => {
      const { visit } = await signIn(party, browser(), { more: { ui_locales: 'se fy nl' } })
      expect(visit.asked[0]?.html).toMatch(/<html[^>]* lang="nl"/)
    },
  },
  'oidcc-claims-locales': undisturbed('claims_locales causes no error', { claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': {
    rule: 'acr_values causes no error, and the id token claims no acr that was not met',
    prove: async ({ party, browser }) => {
      const { claims } = await signIn(party, browser(), { more: { acr_values: '1 2' } })
      expect(claims).not.toHaveProperty('acr')
    },
  },
  'oidcc-codereuse': {
    rule: 'a code cannot be used twice',
    prove: async (fixture) => {
      const { code } = await signIn(fixture.party, fixture.browser())
      await isRefused(await reuse(fixture, code))
    },
  },
  'oidcc-ensure-registered-redirect-uri': {
    rule: 'an unregistered redirect address is never used',
    prove: async ({ party, browser }) => {
      const { url } = authorization(party, { redirect_uri: `${party.redirectUri}/other` })
      expect(await browser().visit(url)).toMatchObject({ back: undefined, status: 400, asked: [] })
    },
  },
  'oidcc-ensure-post-request-succeeds': {
    rule: 'an authorization request can be a POST',
    prove: async ({ party, browser }) => {
      await expect(signIn(party, browser(), { isPosted: true })).resolves.toHaveProperty('claims')
    },
  },
  'oidcc-server-client-secret-post': {
    rule: 'id and secret work in the body as well as in the header',
    prove: async ({ party, browser }) => {
      await expect(signIn(party, browser(), { config: party.post })).resolves.toHaveProperty('claims')
    },
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': {
    rule: 'request_uri returns request_uri_not_supported, as the discovery document says',
    prove: async (fixture) => {
      const { url, state } = authorization(fixture.party, { request_uri: 'https://one.example/request.jwt' })
      expect(errorOf(backUrl(await fixture.browser().visit(url)), fixture, state)).toBe('request_uri_not_supported')
      expect(fixture.party.basic.serverMetadata().request_uri_parameter_supported).toBe(false)
    },
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': {
    rule: 'a request object returns request_not_supported',
    prove: async (fixture) => {
      const asked = authorization(fixture.party)
      asked.url.searchParams.set('request', asObject(asked))
      const back = backUrl(await fixture.browser().visit(asked.url))
      expect(errorOf(back, fixture, asked.state)).toBe('request_not_supported')
    },
  },
  'oidcc-claims-essential': {
    rule: 'the claims parameter is not supported, causes no error and returns no claims beyond the allowed scopes',
    prove: async ({ party, browser }) => {
      expect(party.basic.serverMetadata().claims_parameter_supported).toBe(false)
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
      const signedIn = await signIn(party, browser(), { more: { claims } })
      const { sub } = signedIn.claims
      expect(await openid.fetchUserInfo(party.basic, signedIn.accessToken, sub)).toEqual({ sub })
    },
  },
  'oidcc-ensure-request-object-with-redirect-uri': {
    rule: 'a request object does not allow an unregistered redirect address',
    prove: async ({ party, browser }) => {
      const asked = authorization(party)
      asked.url.searchParams.set('request', asObject(asked))
      asked.url.searchParams.set('redirect_uri', `${party.redirectUri}/other`)
      expect(await browser().visit(asked.url)).toMatchObject({ back: undefined, status: 400 })
    },
  },
  'oidcc-refresh-token': {
    rule: 'a refresh token gives tokens of the same user to its own client only',
    prove: async ({ party, other, browser }) => {
      const { tokens, claims } = await signIn(party, browser(), { more: { scope: SCOPES } })
      const refresh = tokens.refresh_token ?? ''
      const again = await openid.refreshTokenGrant(party.basic, refresh)
      expect(again.claims()).toMatchObject({ iss: claims.iss, sub: claims.sub, aud: claims.aud })
      expect(await openid.fetchUserInfo(party.basic, again.access_token, claims.sub)).toMatchObject(PROFILE)
      const foreign = openid.refreshTokenGrant(other.basic, refresh)
      await expect(foreign).rejects.toMatchObject({ error: 'invalid_grant' })
    },
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': {
    rule: 'PKCE succeeds, with a different library',
    prove: async ({ party, browser, origin }) => {
      const insecure = { [oauth.allowInsecureRequests]: true }
      const found = await oauth.discoveryRequest(new URL(origin), { algorithm: 'oidc', ...insecure })
      const issuer = await oauth.processDiscoveryResponse(new URL(origin), found)
      const client = { client_id: party.clientId }
      const verifier = oauth.generateRandomCodeVerifier()
      const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
      const { url, state, nonce } = authorization(party, { code_challenge, code_challenge_method: 'S256' })
      const parameters = oauth.validateAuthResponse(issuer, client, backUrl(await browser().visit(url)), state)
      const auth = oauth.ClientSecretBasic(party.secret)
      const back = party.redirectUri
      const reply = await oauth.authorizationCodeGrantRequest(
        issuer,
        client,
        auth,
        parameters,
        back,
        verifier,
        insecure,
      )
      const expected = { expectedNonce: nonce, requireIdToken: true }
      const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, reply, expected)
      const { sub = '' } = oauth.getValidatedIdTokenClaims(tokens) ?? {}
      const info = await oauth.userInfoRequest(issuer, client, tokens.access_token, insecure)
      expect(await oauth.processUserInfoResponse(issuer, client, sub, info)).toEqual({ sub })
    },
  },
  'oidcc-codereuse-30seconds': {
    rule: 'a code used again after half a minute revokes its tokens',
    prove: async (fixture) => {
      const { signedIn, at } = fixture.used
      await passed(Math.max(0, at + THIRTY_SECONDS_MS - Date.now()))
      await isRefused(await reuse(fixture, signedIn.code))
      expect((await askUserinfo(fixture, { headers: bearer(signedIn.accessToken) })).status).toBe(401)
    },
  },
}
