import { firstPartyClients } from '@sightline/contract/runtime-config'
import { tokenCookieName } from '@sightline/contract/sign-in-start'
import type { BrowserContext, Page } from 'playwright-core'
import { DEMO_PASSWORD } from './running-product.ts'

/** Fills in the sign-in form and submits it. */
export async function fillSignIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel('Email address', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens a URL of the product and signs in with the form, for tests about signing in. */
export async function openSignedIn(page: Page, address: string, email = 'owner@demo.example'): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Email address', { exact: true }).waitFor()
  await fillSignIn(page, email)
}

/**
 * Opens a URL of the product in a browser that already has the cookies of a sign-in: one page load instead of four. Browsers
 * of one user share a sign-in while it is valid, because checking a password takes a tenth of a second of processor time;
 * `isSeparate` is for tests that count sign-ins or end one of several. Uses the form if the password alone isn't enough.
 */
export async function openUserPage(
  page: Page,
  address: string,
  email = 'owner@demo.example',
  { isSeparate = false }: { readonly isSeparate?: boolean } = {},
): Promise<void> {
  const url = new URL(address)
  // Browsers resolve all names under localhost (RFC 6761 §6.3); Node asks the system, which may not.
  const isBrowserOnly = url.hostname.endsWith('.localhost')
  const cookies = isBrowserOnly ? undefined : await cookiesOf(page.context(), url, email, isSeparate)
  if (cookies === undefined) return openSignedIn(page, address, email)
  await page.context().addCookies(cookies)
  await page.goto(address)
}

type Cookies = Parameters<BrowserContext['addCookies']>[0]

interface KeptSignIn {
  readonly token: string
  readonly cookies: Cookies
}

const kept = new Map<string, KeptSignIn>()

/** The cookies of a valid stored sign-in or a new one; undefined if the password alone isn't enough. */
async function cookiesOf(
  context: BrowserContext,
  url: URL,
  email: string,
  isSeparate: boolean,
): Promise<Cookies | undefined> {
  const key = `${url.origin} ${appAt(url.pathname).clientId} ${email}`
  const known = kept.get(key)
  const isShared = !isSeparate && (await context.cookies()).length === 0
  if (isShared && known !== undefined && (await isValid(url.origin, known.token))) return known.cookies
  const signIn = await newSignIn(context, url, email)
  if (signIn !== undefined && isShared) kept.set(key, signIn)
  return signIn?.cookies
}

async function isValid(origin: string, token: string): Promise<boolean> {
  return (await callApi(origin, token, 'GET users/self')).status !== 401
}

/** Signs in with the password like a form, including the browser's cookies. */
async function newSignIn(
  context: BrowserContext,
  { origin, hostname: domain, pathname }: URL,
  email: string,
): Promise<KeptSignIn | undefined> {
  const { clientId, redirectPath: path } = appAt(pathname)
  const client = { id: clientId, path }
  const { verifier, challenge } = await pkce()
  const form = await context.request.get(`${origin}/oauth/authorize?${authorizeQuery(origin, client, challenge)}`)
  const answer = await context.request.post(form.url(), {
    headers: { origin },
    form: { email, password: DEMO_PASSWORD },
  })
  const code = new URL(answer.url()).searchParams.get('code')
  if (code === null) return undefined
  const { access_token: token, expires_in: seconds = 0 } = await exchange(origin, { code, verifier, client })
  const expires = Math.floor(Date.now() / 1000 + seconds)
  const value = encodeURIComponent(`${token}~${Date.now() + seconds * 1000}`)
  const ours: Cookies = [
    { name: tokenCookieName(clientId), value, domain, path, expires, sameSite: 'Strict' },
    { name: 'sightline.app', value: clientId, domain, path: '/', expires, sameSite: 'Strict' },
  ]
  return { token, cookies: [...(await context.cookies()), ...ours] }
}

function appAt(path: string) {
  const { accountPortal, cameraApp, dealerDashboard } = firstPartyClients
  return [cameraApp, dealerDashboard].find(({ redirectPath }) => path.startsWith(redirectPath)) ?? accountPortal
}

/** The clients with which members and staff get tokens. */
const memberClient = { id: 'account.v2', path: '/' }
export const staffClient = { id: 'dealer.v1', path: '/dealer/' }

/** Gets an access token like an integrator: the code flow without a browser. */
export async function fetchToken(
  origin: string,
  email: string,
  password = DEMO_PASSWORD,
  client = memberClient,
): Promise<string> {
  const jar = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(address, origin), {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  const { verifier, challenge } = await pkce()
  const form =
    (await visit(`/oauth/authorize?${authorizeQuery(origin, client, challenge)}`)).headers.get('location') ?? ''
  await visit(form)
  let next = await visit(form, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password }),
  })
  for (let hops = 0; hops < 5; hops += 1) {
    const location = next.headers.get('location')
    if (location === null) throw new Error(`signing in ${email} answered ${next.status} without a redirect`)
    const code = new URL(location, origin).searchParams.get('code')
    if (code !== null) return (await exchange(origin, { code, verifier, client })).access_token
    next = await visit(location)
  }
  throw new Error(`signing in ${email} led nowhere`)
}

const authorizeQuery = (origin: string, client: typeof memberClient, challenge: string): URLSearchParams =>
  new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    redirect_uri: `${origin}${client.path}`,
    scope: 'read write',
    state: 'test',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })

async function pkce(): Promise<{ verifier: string; challenge: string }> {
  const verifier = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: Buffer.from(digest).toString('base64url') }
}

interface Exchange {
  readonly code: string
  readonly verifier: string
  readonly client: typeof memberClient
}

interface NewToken {
  readonly access_token: string
  /** Seconds. */
  readonly expires_in?: number
}

async function exchange(origin: string, { code, verifier, client }: Exchange): Promise<NewToken> {
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.id,
      redirect_uri: `${origin}${client.path}`,
      code,
      code_verifier: verifier,
    }),
  })
  const body = (await response.json()) as Partial<NewToken>
  const { access_token } = body
  if (access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`)
  return { ...body, access_token }
}

/** Makes one REST call with that token and parses the body. */
export async function callApi<T>(
  origin: string,
  token: string,
  request: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  const [method = 'GET', path] = request.split(' ', 2)
  const response = await fetch(`${origin}/rest/v2.4/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
}
