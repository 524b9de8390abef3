import * as openid from 'openid-client'
import { type BrowserVisit, backUrl, type SignInBrowser } from './sign-in-browser.ts'

/** An OpenID Connect client of the product, with its id and secret. */
export interface ConformanceClient {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
  readonly loggedOutUri: string
  /** openid-client with id and secret in the Authorization header, or in the body. */
  readonly basic: openid.Configuration
  readonly post: openid.Configuration
}

/** Sets up openid-client from our discovery document; it also checks signatures of id tokens. */
export async function relyingParty(
  origin: string,
  of: Pick<ConformanceClient, 'clientId' | 'secret' | 'redirectUri' | 'loggedOutUri'>,
): Promise<ConformanceClient> {
  const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
  const discover = (authentication: openid.ClientAuth) =>
    openid.discovery(new URL(origin), of.clientId, { client_secret: of.secret }, authentication, { execute })
  return {
    ...of,
    basic: await discover(openid.ClientSecretBasic(of.secret)),
    post: await discover(openid.ClientSecretPost(of.secret)),
  }
}

export type Parameters = Readonly<Record<string, string>>

export interface Authorization {
  readonly url: URL
  readonly state: string
  readonly nonce: string
}

/** An authorization request for `openid` with state and nonce, without empty parameters. */
export function authorization(party: ConformanceClient, more: Parameters = {}): Authorization {
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  const asked = { redirect_uri: party.redirectUri, scope: 'openid', state, nonce, ...more }
  const said = Object.entries(asked).filter(([, value]) => value !== '')
  const url = openid.buildAuthorizationUrl(party.basic, Object.fromEntries(said))
  for (const [name, value] of Object.entries(more)) if (value === '') url.searchParams.delete(name)
  return { url, state: more.state ?? state, nonce: more.nonce ?? nonce }
}

export interface SignInResult {
  readonly visit: BrowserVisit
  readonly tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers
  readonly claims: openid.IDToken
  readonly accessToken: string
  readonly idToken: string
  readonly code: string
}

/** The whole sign-in, from the authorization request to validated tokens. */
export async function signIn(
  party: ConformanceClient,
  person: SignInBrowser,
  how: {
    readonly more?: Parameters
    readonly checks?: openid.AuthorizationCodeGrantChecks
    readonly config?: openid.Configuration
    readonly isPosted?: boolean
  } = {},
): Promise<SignInResult> {
  const { url, state, nonce } = authorization(party, how.more)
  const visit =
    how.isPosted === true ? await person.visit(new URL(url.pathname, url), url.searchParams) : await person.visit(url)
  const back = backUrl(visit)
  const tokens = await openid.authorizationCodeGrant(how.config ?? party.basic, back, {
    expectedState: state,
    ...(nonce === '' ? {} : { expectedNonce: nonce }),
    idTokenExpected: true,
    ...how.checks,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('no id token')
  const code = back.searchParams.get('code') ?? ''
  return { visit, tokens, claims, accessToken: tokens.access_token, idToken: tokens.id_token ?? '', code }
}
