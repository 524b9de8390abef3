import type { IncomingMessage, ServerResponse } from 'node:http'
import { PASSWORD_RESETS_PATH } from '@sightline/contract/password-resets'
import { FIRST_LOGOUT_PATH } from '@sightline/contract/runtime-config'
import type { ErrorPage } from '@sightline/contract/sign-in-pages'
import type { Brand, BrandSource } from '@sightline/platform/brands'
import { cutTarget, STORABLE } from '@sightline/platform/http'
import type { Semaphore } from '@sightline/platform/limits'
import { type Logger, pathForLog } from '@sightline/platform/log'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import { findLinkPage, followLink, type LinkActions } from './account-mails/action-links/index.ts'
import { type EmailChangeDeps, emailChangeAction } from './account-mails/email-changes/index.ts'
import { type LockdownPageDeps, lockdownAction } from './account-mails/lockdown/index.ts'
import { type PasswordPageDeps, setPasswordAction } from './account-mails/password-links/index.ts'
import {
  askForReset,
  type CallDeps,
  type ForgotDeps,
  forgotPassword,
  sendApiError,
  setByReset,
} from './account-mails/password-resets/index.ts'
import { type AskingClient, authorizeUrl } from './oauth/authorize/index.ts'
import { type ConsentDeps, consent } from './oauth/consent/index.ts'
import {
  confirmLogout,
  END_SESSION_PATH,
  endSession,
  isStaffSignedIn,
  LOGOUT_CONFIRM_PATH,
  type LogoutDeps,
  logout,
  sessionState,
} from './oauth/logout/index.ts'
import { getClientFacts, type ProviderFailure, type Providers, toLookup } from './oauth/provider/index.ts'
import { sendOAuthError, withCheckedForm } from './oauth/token/index.ts'
import type { RequestLimit } from './request-limit.ts'
import { findInteraction, passkeyOptions, type SignInDeps, signIn } from './sign-in/index.ts'
import { FORGOT_PASSWORD_PATH, readFields, sendError } from './sign-in-pages/index.ts'

export interface HttpDeps
  extends SignInDeps,
    LogoutDeps,
    ConsentDeps,
    PasswordPageDeps,
    EmailChangeDeps,
    LockdownPageDeps,
    ForgotDeps,
    CallDeps {
  readonly brands: BrandSource
  readonly providers: Providers
  readonly log: Logger
  /** Whether `/oauth/token` accepts parameters in the query, which proxies log. */
  readonly tokenParametersInQuery: boolean
  /** Undefined is without end. */
  readonly requestLimit: RequestLimit | undefined
  /** Limits requests without a body that start a sign-in or show its page; those with a body could send it slowly. */
  readonly visits: Semaphore<'visit'>
}

interface PageRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly address: string
}

const VISITS_FULL_RETRY_S = 5

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

/** Handles `/oauth/…`, `/.well-known/…`, `/sign-in/…` and `/auth/…` as the edge forwards them. */
export async function handleHttp(req: IncomingMessage, res: ServerResponse, deps: HttpDeps): Promise<void> {
  let brand: Brand | undefined
  try {
    brand = await deps.brands.forHost(one(req.headers['x-forwarded-host']) ?? req.headers.host ?? '')
    const address = one(req.headers['x-forwarded-for']) ?? req.socket.remoteAddress ?? ''
    await routeInTurn({ req, res, brand, address }, deps)
  } catch (err) {
    const requestId = one(req.headers['x-request-id'])
    deps.log.error({ err, requestId, path: pathForLog(req.url ?? '') }, 'the authorization server failed')
    if (res.headersSent || brand === undefined) res.destroy()
    else sendError({ req, res, brand }, deps, { kind: 'unexpected', status: 500 })
  }
}

async function routeInTurn(request: PageRequest, deps: HttpDeps): Promise<void> {
  const { url = '/', method = 'GET' } = request.req
  const path = url.split('?', 1)[0] ?? '/'
  if (method !== 'GET' || !(path.startsWith('/oauth/authorize') || path.startsWith('/sign-in/')))
    return route(request, deps)
  const done = await deps.visits.run('visit', () => route(request, deps))
  if (!done.ok) refuseForNow(request, deps, { path, waitS: VISITS_FULL_RETRY_S })
}

async function route(request: PageRequest, deps: HttpDeps): Promise<void> {
  const { req, res, brand } = request
  const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
  const method = req.method ?? 'GET'
  // Decoding an address never gives half a surrogate pair, so only U+0000 has to be checked.
  if (req.url?.includes('%00') === true) return refuseText(request, deps, path)
  const waitS = overLimit(request, deps, path)
  if (waitS !== undefined) return refuseForNow(request, deps, { path, waitS })
  const provider = deps.providers.at(brand)
  const isPage = routeOf(path).startsWith(END_SESSION_PATH)
  if (!isPage && (path.startsWith('/oauth/') || path.startsWith('/.well-known/'))) {
    // The provider builds its addresses from the brand's host and ignores the Host header.
    req.headers['x-forwarded-host'] = brand.host
    req.headers['x-forwarded-proto'] = new URL(brand.origin).protocol.slice(0, -1)
    return oauth({ ...request, provider, path }, deps)
  }
  const show = pageAt(path, method)
  if (show === undefined) return sendError({ req, res, brand }, deps, { kind: 'expired', status: 404 })
  return show({ ...request, provider }, deps)
}

type ShowPage = (visit: PageRequest & { readonly provider: Provider }, deps: HttpDeps) => Promise<void>

/** The handlers of links from emails. */
const acts: LinkActions<HttpDeps> = {
  invitation: setPasswordAction,
  reset: setPasswordAction,
  lockdown: lockdownAction,
  emailChange: emailChangeAction,
}

/** The page for people; undefined for other paths. */
function pageAt(path: string, method: string): ShowPage | undefined {
  const isRead = method === 'GET' || method === 'HEAD'
  if (path === '/auth/session') return isRead ? sessionState : undefined
  if (!isRead && method !== 'POST') return undefined
  if (path === '/auth/logout') return logout
  if (path === LOGOUT_CONFIRM_PATH) return confirmLogout
  if (routeOf(path).startsWith(END_SESSION_PATH)) return endSession
  if (path.startsWith(PASSWORD_RESETS_PATH)) return isRead ? undefined : resetCallAt(path)
  if (path === FORGOT_PASSWORD_PATH) return forgotPassword
  const at = findLinkPage(path)
  if (at !== undefined) return (visit, deps) => followLink({ ...visit, at }, deps, acts)
  return signInPageAt(path, isRead)
}

function signInPageAt(path: string, isRead: boolean): ShowPage | undefined {
  const [, uid, passkey] = /^\/sign-in\/([A-Za-z0-9_-]{16,64})(\/passkey)?$/.exec(path) ?? []
  if (uid === undefined) return undefined
  if (passkey === undefined) return (visit, deps) => interact({ ...visit, uid }, deps)
  return isRead ? undefined : (visit, deps) => askPasskey({ ...visit, uid }, deps)
}

function resetCallAt(path: string): ShowPage | undefined {
  if (path === PASSWORD_RESETS_PATH) return askForReset
  const token = /^\/([^/]+)$/.exec(path.slice(PASSWORD_RESETS_PATH.length))?.[1]
  return token === undefined ? undefined : (visit, deps) => setByReset({ ...visit, token }, deps)
}

/** Calls by programs; errors are RFC 6749 bodies regardless of the Accept header. */
const PROGRAM_PATHS = new Set(['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/userinfo'])

/** The provider's routes also match other case and a trailing slash. */
const routeOf = (path: string): string => path.toLowerCase().replace(/\/$/, '')

function refuseText({ req, res, brand }: PageRequest, deps: HttpDeps, path: string): void {
  if (PROGRAM_PATHS.has(routeOf(path))) {
    const description = `the address contains invalid text: ${STORABLE}`
    sendOAuthError(res, { status: 400, error: 'invalid_request', description })
  } else sendError({ req, res, brand }, deps, { kind: 'invalidRequest', status: 400 })
}

/** Counts expensive requests only: metadata and user info are free. */
function overLimit({ req, address }: PageRequest, { requestLimit }: HttpDeps, path: string): number | undefined {
  if (!['/oauth/', '/sign-in/', PASSWORD_RESETS_PATH].some((costly) => path.startsWith(costly))) return undefined
  const beginsSignIn = routeOf(path) === '/oauth/authorize' && req.method !== 'POST'
  return requestLimit?.refusal(address, beginsSignIn ? 'beginsSignIn' : 'other')
}

function refuseForNow(
  { req, res, brand }: PageRequest,
  deps: HttpDeps,
  { path, waitS }: { readonly path: string; readonly waitS: number },
): void {
  res.setHeader('retry-after', waitS)
  const isPage = path.startsWith('/sign-in/') || routeOf(path).startsWith('/oauth/authorize')
  if (isPage) sendError({ req, res, brand }, deps, { kind: 'tooManyRequests', status: 429 })
  else if (path.startsWith(PASSWORD_RESETS_PATH))
    sendApiError({ req, res }, { error: 'tooManyRequests', retryAfter: waitS })
  else {
    const description = 'too many requests from this address: wait the number of seconds in Retry-After'
    sendOAuthError(res, { status: 429, error: 'temporarily_unavailable', description })
  }
}

async function oauth(
  visit: PageRequest & { readonly provider: Provider; readonly path: string },
  deps: HttpDeps,
): Promise<void> {
  const { req, res, provider } = visit
  const path = routeOf(visit.path)
  const answer = provider.callback()
  if (path === '/oauth/authorize') {
    if (req.method === 'POST') return authorizeByGet(visit, deps)
    req.url = await authorizeUrl(req, (clientId) => askingClient(provider, clientId))
  }
  if (!PROGRAM_PATHS.has(path)) return answer(req, res)
  req.headers.accept = 'application/json'
  if (req.method !== 'POST') return answer(req, res)
  const query = path === '/oauth/token' ? cutTarget(req.url).query : ''
  if (query !== '' && !deps.tokenParametersInQuery) {
    const description = 'send parameters in the body, not in the query: addresses are written to logs'
    return sendOAuthError(res, { status: 400, error: 'invalid_request', description })
  }
  const checked = await withCheckedForm(req, query)
  if (checked.ok) return answer(checked.value, res)
  sendOAuthError(res, { status: 400, error: 'invalid_request', description: checked.failure })
}

async function askingClient(provider: Provider, clientId: string): Promise<AskingClient | undefined> {
  const client = await provider.Client.find(clientId)
  return client === undefined ? undefined : { scope: client.scope, tokenCallback: getClientFacts(client).tokenCallback }
}

/**
 * A posted authorization request (OpenID Connect Core §3.1.2.1) continues as GET, which sends cookies on a cross-site
 * visit.
 */
async function authorizeByGet({ req, res, brand }: PageRequest, deps: HttpDeps): Promise<void> {
  const fields = await readFields(req)
  if (fields === undefined) return sendError({ req, res, brand }, deps, { kind: 'invalidRequest', status: 400 })
  res.writeHead(303, { location: `/oauth/authorize?${fields}`, 'cache-control': 'no-store', 'content-length': '0' })
  res.end()
}

/** The page that the provider waits for: signing in, or letting a client in. */
async function interact(
  visit: PageRequest & { readonly provider: Provider; readonly uid: string },
  deps: HttpDeps,
): Promise<void> {
  const { provider } = visit
  const interaction = await findInteraction(visit)
  if (interaction === undefined) return sendError(visit, deps, { kind: 'expired', status: 400 })
  const facts = getClientFacts(await provider.Client.find(String(interaction.params.client_id)))
  const page = { ...visit, among: toLookup(visit.brand, facts), isOwnApplication: facts.isOwn }
  if (interaction.prompt.name !== 'consent') {
    if (facts.isOwn && facts.serves === 'members' && (await isStaffSignedIn(visit, deps))) return firstLogout(visit)
    return signIn(page, deps, interaction)
  }
  if (!facts.isOwn) return consent(page, deps, interaction)
  // Our own applications need no consent, so there is no page for them.
  await provider.interactionFinished(visit.req, visit.res, { consent: {} }, { mergeWithLastSubmission: true })
}

/** The page's script requests the challenge that a passkey signs. */
async function askPasskey(
  visit: PageRequest & { readonly provider: Provider; readonly uid: string },
  deps: HttpDeps,
): Promise<void> {
  const interaction = await findInteraction(visit)
  if (interaction === undefined || interaction.prompt.name === 'consent') {
    return sendError(visit, deps, { kind: 'expired', status: 400 })
  }
  return passkeyOptions(visit, deps, interaction)
}

/** Staff have no account to show here; the portal's page asks them to sign out first (specification §2). */
function firstLogout({ res, brand }: PageRequest): void {
  const location = `${brand.origin}${FIRST_LOGOUT_PATH}`
  res.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': '0' })
  res.end()
}

/**
 * Picks our error page for a request that the provider rejected (RFC 6749 §4.1.2.1: never redirect to a doubtful
 * address).
 */
export function getErrorKind({ error, cause }: ProviderFailure): ErrorPage['kind'] {
  if (cause instanceof errors.SessionNotFound) return 'expired'
  if (error === 'invalid_client') return 'unknownClient'
  if (error === 'invalid_redirect_uri') return 'unknownAddress'
  return error === 'server_error' ? 'unexpected' : 'invalidRequest'
}
