import { tokenSha256 } from '@sightline/platform/sessions'
import { type AuthUser, findByUserId } from '../../people/index.ts'
import type { TokenOwner } from '../../sessions/index.ts'
import { isSameOrigin, sendError } from '../../sign-in-pages/index.ts'
import { askFirst, isOwnNavigation } from './confirm.ts'
import { endBrowser, type LogoutDeps, type LogoutRequest, registeredTarget, showSignedOutPage } from './sign-out.ts'

export { END_SESSION_PATH, endSession } from './end-session.ts'
export type { LogoutDeps } from './sign-out.ts'

const LOGOUT_PATH = '/auth/logout'
export const LOGOUT_CONFIRM_PATH = `${LOGOUT_PATH}/confirm`

/**
 * Ends the token, if sent, and this browser's sign-in with all its tokens; then redirects to a registered address of
 * the token's client or of our own applications, or shows our own page (specification §4 and §7, security.md §2.2).
 * Without a token of the signed-in user, asks first unless the request comes from one of our pages: anyone can create a
 * link.
 */
export async function logout(request: LogoutRequest, deps: LogoutDeps): Promise<void> {
  const { req, brand } = request
  const query = new URL(req.url ?? '/', brand.origin).searchParams
  const token = query.get('token')
  const redirectUri = query.get('redirect_uri') ?? undefined
  const ended = token === null ? undefined : await endToken(token, deps)
  const userId = await sessionUserId(request)
  if (userId !== undefined && !isProvenBy(ended, userId) && !isOwnNavigation(req, brand.origin)) {
    return askToLogOut(request, deps, { redirectUri, userId })
  }
  return leave(request, deps, { ended, redirectUri })
}

/** The page that asks (GET), and the user's answer (POST). */
export async function confirmLogout(request: LogoutRequest, deps: LogoutDeps): Promise<void> {
  const { req, brand } = request
  const redirectUri = new URL(req.url ?? '/', brand.origin).searchParams.get('redirect_uri') ?? undefined
  const userId = await sessionUserId(request)
  if (req.method !== 'POST' && userId !== undefined) return askToLogOut(request, deps, { redirectUri, userId })
  if (req.method === 'POST' && !isSameOrigin(req, brand.origin)) {
    return sendError(request, deps, { kind: 'refused', status: 403 })
  }
  return leave(request, deps, { ended: undefined, redirectUri })
}

/** A support session leaves the customer's account; the browser's own sign-in stays. */
const isProvenBy = (ended: TokenOwner | undefined, userId: string): boolean =>
  ended !== undefined && (ended.supportStaffId !== undefined || String(ended.userId) === userId)

async function sessionUserId({ req, res, provider }: LogoutRequest): Promise<string | undefined> {
  return (await provider.Session.get(provider.createContext(req, res))).accountId
}

function askToLogOut(
  request: LogoutRequest,
  deps: LogoutDeps,
  { redirectUri, userId }: { readonly redirectUri: string | undefined; readonly userId: string },
): Promise<void> {
  const query: Record<string, string> = redirectUri === undefined ? {} : { redirect_uri: redirectUri }
  const path = LOGOUT_CONFIRM_PATH
  return askFirst(request, deps, { path, query, confirmPath: path, confirmQuery: query, userId })
}

async function leave(
  request: LogoutRequest,
  deps: LogoutDeps,
  { ended, redirectUri }: { readonly ended: TokenOwner | undefined; readonly redirectUri: string | undefined },
): Promise<void> {
  await endBrowser(request, deps, { ended })
  const target = await registeredTarget(redirectUri, ended?.clientId, request, deps)
  if (target === undefined) return showSignedOutPage(request, deps)
  request.res.writeHead(303, { location: target, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  request.res.end()
}

async function endToken(token: string, { sessions }: LogoutDeps): Promise<TokenOwner | undefined> {
  const hash = tokenSha256(token)
  const owner = await sessions.ownerOf(hash)
  if (owner !== undefined) await sessions.endToken(hash)
  return owner
}

/** The user signed in to this browser, if still allowed to sign in. */
async function signedIn(
  { req, res, provider }: Pick<LogoutRequest, 'req' | 'res' | 'provider'>,
  { db }: Pick<LogoutDeps, 'db'>,
): Promise<AuthUser | undefined> {
  const session = await provider.Session.get(provider.createContext(req, res))
  const person = session.accountId === undefined ? undefined : await findByUserId(db, Number(session.accountId))
  return person?.maySignIn ? person : undefined
}

export const isStaffSignedIn = async (...of: Parameters<typeof signedIn>): Promise<boolean> =>
  (await signedIn(...of))?.isStaff === true

/** Whether this browser is signed in to the staff application and not to an account's. */
export async function sessionState(request: LogoutRequest, deps: Pick<LogoutDeps, 'db'>): Promise<void> {
  const person = await signedIn(request, deps)
  request.res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  const otherApp = person?.isStaff === true ? 'dealer' : null
  request.res.end(JSON.stringify({ loggedIn: person !== undefined, otherApp }))
}
