import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../running-product.ts'
import { callApi } from '../signed-in.ts'
import { backUrl, SignInBrowser } from './openid/sign-in-browser.ts'
import { operator } from './operator.ts'

/**
 * An independent client library goes through all our token flows against the whole running product, with clients
 * registered by the operator's command.
 */
const EMAIL = 'owner@demo.example'
const BACK = 'https://nvr.example/back'
let product: RunningProduct
let issuer: oauth.AuthorizationServer
let nvr: { readonly client: oauth.Client; readonly auth: oauth.ClientAuth }
const insecure = { [oauth.allowInsecureRequests]: true }

/** Registers a client like an operator. */
async function register(...words: string[]): Promise<{ client: oauth.Client; secret: string }> {
  const { clientId, secret } = await operator(product, ...words)
  return { client: { client_id: clientId }, secret }
}

beforeAll(async () => {
  product = await startProduct({ cameras: false })
  const found = await oauth.discoveryRequest(new URL(product.origin), { algorithm: 'oauth2', ...insecure })
  issuer = await oauth.processDiscoveryResponse(new URL(product.origin), found)
  const { client, secret } = await register('add', '--name', 'Night Watch', '--redirect', BACK, '--password-grant')
  nvr = { client, auth: oauth.ClientSecretBasic(secret) }
})
afterAll(() => product[Symbol.asyncDispose]())

const visit = async (authorize: URL): Promise<URL> =>
  backUrl(await new SignInBrowser(product.origin, { email: EMAIL, password: DEMO_PASSWORD }).visit(authorize))

function authorizeUrl(client: oauth.Client, more: Record<string, string>): URL {
  const address = new URL(issuer.authorization_endpoint ?? '')
  const asked = { client_id: client.client_id, redirect_uri: BACK, response_type: 'code', scope: 'read', ...more }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  return address
}

const mayCall = async (token: string): Promise<number> =>
  (await callApi(product.origin, token, 'GET users/self')).status

describe('an independent client library', () => {
  test('completes code flow with PKCE, refresh, introspection and revocation as a confidential client', async () => {
    const { client, auth } = nvr
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const back = await visit(authorizeUrl(client, { state, code_challenge, code_challenge_method: 'S256' }))
    const parameters = oauth.validateAuthResponse(issuer, client, back, state)
    const reply = await oauth.authorizationCodeGrantRequest(issuer, client, auth, parameters, BACK, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, reply)
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read', expires_in: 43_200 })
    expect(await mayCall(tokens.access_token)).toBe(200)

    const again = await oauth.refreshTokenGrantRequest(issuer, client, auth, tokens.refresh_token ?? '', insecure)
    const fresh = await oauth.processRefreshTokenResponse(issuer, client, again)
    expect(fresh.refresh_token).toBe(tokens.refresh_token)
    const asked = await oauth.introspectionRequest(issuer, client, auth, fresh.access_token, insecure)
    const known = await oauth.processIntrospectionResponse(issuer, client, asked)
    expect(known).toMatchObject({ active: true, client_id: client.client_id, scope: 'read' })

    const revoked = await oauth.revocationRequest(issuer, client, auth, tokens.refresh_token ?? '', insecure)
    await oauth.processRevocationResponse(revoked)
    const dead = await oauth.refreshTokenGrantRequest(issuer, client, auth, tokens.refresh_token ?? '', insecure)
    await expect(oauth.processRefreshTokenResponse(issuer, client, dead)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    // The API caches a token for at most a second.
    await expect.poll(() => mayCall(fresh.access_token), { timeout: 3000 }).toBe(401)
  })

  test('signs in with a password if the client may use that grant', async () => {
    const { client, auth } = nvr
    const parameters = new URLSearchParams({ username: EMAIL, password: DEMO_PASSWORD, scope: 'read' })
    const reply = await oauth.genericTokenEndpointRequest(issuer, client, auth, 'password', parameters, insecure)
    const tokens = await oauth.processGenericTokenEndpointResponse(issuer, client, reply)
    expect(await mayCall(tokens.access_token)).toBe(200)
  })

  test('acts for a user with client credentials, with id and secret in the body', async () => {
    const { client, secret } = await register('add', '--name', 'Robot', '--user', EMAIL, '--scope', 'read')
    const auth = oauth.ClientSecretPost(secret)
    const reply = await oauth.clientCredentialsGrantRequest(issuer, client, auth, {}, insecure)
    const tokens = await oauth.processClientCredentialsResponse(issuer, client, reply)
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'read' })
    expect(await mayCall(tokens.access_token)).toBe(200)
  })

  test('works as a native client with rotating refresh tokens', async () => {
    const redirect = 'http://127.0.0.1/back'
    const { client } = await register('add', '--name', 'Desktop', '--kind', 'native', '--redirect', redirect)
    const verifier = oauth.generateRandomCodeVerifier()
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const redirect_uri = 'http://127.0.0.1:51234/back'
    const pkce = { code_challenge, code_challenge_method: 'S256', redirect_uri }
    const back = await visit(authorizeUrl(client, pkce))
    const parameters = oauth.validateAuthResponse(issuer, client, back, oauth.expectNoState)
    const auth = oauth.None()
    const reply = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      auth,
      parameters,
      redirect_uri,
      verifier,
      insecure,
    )
    const first = await oauth.processAuthorizationCodeResponse(issuer, client, reply)
    const rotated = await oauth.refreshTokenGrantRequest(issuer, client, auth, first.refresh_token ?? '', insecure)
    const second = await oauth.processRefreshTokenResponse(issuer, client, rotated)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await mayCall(second.access_token)).toBe(200)
  })

  test('gets the error of RFC 6749 for a wrong secret', async () => {
    const reply = await oauth.clientCredentialsGrantRequest(
      issuer,
      nvr.client,
      oauth.ClientSecretBasic('x'),
      {},
      insecure,
    )
    await expect(oauth.processClientCredentialsResponse(issuer, nvr.client, reply)).rejects.toThrow(
      /WWW-Authenticate|401/,
    )
  })
})

test('the product’s output contains no secret and no token', async () => {
  const { secret } = await register('add', '--name', 'Loud', '--redirect', BACK)
  const address = `${product.origin}/oauth/token?client_secret=${secret}&grant_type=refresh_token`
  expect((await fetch(address, { method: 'POST' })).status).toBe(400)
  expect(product.output()).not.toContain(secret)
})
