import type { Client } from 'oidc-provider'
import { isSameOrigin, readFields, sendError } from '../../sign-in-pages/index.ts'
import { askFirst } from './confirm.ts'
import { endBrowser, type LogoutDeps, type LogoutRequest, registeredTarget, showSignedOutPage } from './sign-out.ts'

/** Where clients send users who sign out (OpenID Connect RP-Initiated Logout 1.0 §2). */
export const END_SESSION_PATH = '/oauth/end-session'
const CONFIRM_PATH = `${END_SESSION_PATH}/confirm`

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'] as const
type Asked = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>

/** Whose sign-out a client requests, proved by an id token that we issued. */
interface Hint {
  readonly clientId: string
  readonly subject: string
}

/**
 * Signs a browser out for a client. With an id token of the signed-in user this is immediate and redirects to a
 * registered address of the client; without one the user is asked first and not redirected, because anyone can link to
 * here. Doubtful requests (another user's token, an unregistered address) end nothing.
 */
export async function endSession(request: LogoutRequest, deps: LogoutDeps): Promise<void> {
  const { req, brand } = request
  const { pathname, searchParams } = new URL(req.url ?? '/', brand.origin)
  if (pathname === CONFIRM_PATH) return confirmed(request, deps)
  if (req.method === 'POST') return byGet(request, deps)
  const asked = askedIn(searchParams)
  if (asked === undefined) return sendError(request, deps, { kind: 'invalidRequest', status: 400 })
  const hint = await hintOf(asked, request)
  if (hint === 'invalid') return sendError(request, deps, { kind: 'invalidRequest', status: 400 })
  const redirectUri = asked.post_logout_redirect_uri
  const target = hint === undefined ? undefined : await registeredTarget(redirectUri, hint.clientId, request, deps)
  if (hint !== undefined && redirectUri !== undefined && target === undefined) {
    return sendError(request, deps, { kind: 'unknownAddress', status: 400 })
  }
  const signedIn = (await request.provider.Session.get(request.provider.createContext(req, request.res))).accountId
  if (signedIn !== undefined && signedIn !== hint?.subject) {
    const page = { path: END_SESSION_PATH, query: asked, uiLocales: asked.ui_locales, confirmPath: CONFIRM_PATH }
    return askFirst(request, deps, { ...page, userId: signedIn })
  }
  await endBrowser(request, deps, { clientId: hint?.clientId })
  if (target === undefined) return showSignedOutPage(request, deps)
  const back = new URL(target)
  if (asked.state !== undefined) back.searchParams.set('state', asked.state)
  request.res.writeHead(303, { location: back.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  request.res.end()
}

/** A cross-site POST comes without our cookies; the same request as GET brings them. */
async function byGet({ req, res, brand }: LogoutRequest, deps: LogoutDeps): Promise<void> {
  const fields = await readFields(req)
  if (fields === undefined) return sendError({ req, res, brand }, deps, { kind: 'invalidRequest', status: 400 })
  res.writeHead(303, { location: `${END_SESSION_PATH}?${fields}`, 'cache-control': 'no-store', 'content-length': '0' })
  res.end()
}

/** Undefined if one is repeated. */
function askedIn(query: URLSearchParams): Asked | undefined {
  if (PARAMETERS.some((name) => query.getAll(name).length > 1)) return undefined
  const said = PARAMETERS.map((name) => [name, query.get(name)] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== null && value !== ''))
}

async function hintOf(asked: Asked, { provider }: LogoutRequest): Promise<Hint | undefined | 'invalid'> {
  const { id_token_hint: token, client_id: clientId } = asked
  if (token === undefined) return undefined
  const audience = audienceOf(token)
  const client = audience === undefined ? undefined : await provider.Client.find(audience)
  if (client === undefined || (clientId !== undefined && clientId !== audience)) return 'invalid'
  const subject = await subjectOf(token, client, provider)
  return subject === undefined ? 'invalid' : { clientId: client.clientId, subject }
}

/** The token's own claims; unverified until checked. */
function audienceOf(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const isSaid = typeof claims === 'object' && claims !== null && 'aud' in claims && typeof claims.aud === 'string'
    return isSaid ? String(claims.aud) : undefined
  } catch {
    return undefined
  }
}

/** The subject of a token, expired or not. Undefined if it wasn't signed by us for that client at this host. */
async function subjectOf(
  token: string,
  client: Client,
  provider: LogoutRequest['provider'],
): Promise<string | undefined> {
  try {
    const { payload } = await provider.IdToken.validate(token, client)
    return typeof payload.sub === 'string' ? payload.sub : undefined
  } catch {
    // The keys are in memory, so only an invalid token can fail here.
    return undefined
  }
}

/** The user confirmed on our own page. */
async function confirmed(request: LogoutRequest, deps: LogoutDeps): Promise<void> {
  const { req, brand } = request
  const isOurs = req.method === 'POST' && isSameOrigin(req, brand.origin)
  if (!isOurs) return sendError(request, deps, { kind: 'refused', status: 403 })
  await endBrowser(request, deps, { clientId: undefined })
  showSignedOutPage(request, deps)
}
