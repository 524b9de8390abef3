import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import type { Brand } from '@sightline/platform/brands'
import type { Db } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import type Provider from 'oidc-provider'
import type { WriteAudit } from '../audit/index.ts'
import { clientsAt, findClient, isForeign, registeredPostLogout } from '../clients/index.ts'
import { frameFor, sendPage } from '../pages/index.ts'
import { findByUserId, type Person } from '../people/index.ts'
import type { Sessions, TokenOwner } from '../sessions/index.ts'

export interface LogoutParts {
  readonly db: Db
  readonly pages: SignInPages
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

export interface LogoutVisit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly provider: Provider
  readonly address: string
}

/**
 * Ends the token, if one is given, and this browser's sign-in with all its tokens; then goes to a registered address of
 * the token's client or of our own applications, or shows our own page (specification §4 and §7, security.md §2.2).
 */
export async function logout(visit: LogoutVisit, parts: LogoutParts): Promise<void> {
  const { req, res, brand, provider } = visit
  const query = new URL(req.url ?? '/', brand.origin).searchParams
  const token = query.get('token')
  const ended = token === null ? undefined : await endToken(token, parts)
  const session = await provider.Session.get(provider.createContext(req, res))
  // Leaving somebody's account, the support stays signed in as who they are.
  const isSupport = ended?.supportStaffId !== undefined
  if (session.accountId !== undefined && !isSupport) await parts.sessions.endSignIn(session.uid)
  if (!isSupport) dropCookie(visit)
  await writeDown(visit, parts, { ended, sessionUserId: Number(session.accountId) })

  const redirectUri = query.get('redirect_uri') ?? undefined
  const target = await registeredTarget(redirectUri, ended?.clientId, visit, parts)
  if (target !== undefined) {
    res.writeHead(303, { location: target, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    res.end()
    return
  }
  // The links to other languages must not sign out again with the same query; nothing is left to sign out of anyway.
  const frame = frameFor(req, brand, { path: '/auth/logout' })
  sendPage(res, { status: 200, frame, html: parts.pages.loggedOut({ ...frame, backHref: '/' }) })
}

/**
 * The address to go to, if it is exactly that of one of our applications on this host, or one that the client of the token
 * has registered. Without a token that is good nobody is sent to another's address: a link to us would lead anywhere a
 * client of whichever brand once named.
 */
async function registeredTarget(
  redirectUri: string | undefined,
  clientId: string | undefined,
  { brand }: LogoutVisit,
  { db }: LogoutParts,
): Promise<string | undefined> {
  if (redirectUri === undefined) return undefined
  const own = registeredPostLogout(clientsAt(brand.origin), { redirectUri, clientId })
  if (own !== undefined || clientId === undefined) return own
  const client = await findClient(db, clientId)
  const isOfBrand = client !== undefined && !isForeign(client, brand.resellerId)
  return isOfBrand && client.loggedOutUris.includes(redirectUri) ? redirectUri : undefined
}

async function endToken(token: string, { sessions }: LogoutParts): Promise<TokenOwner | undefined> {
  const hash = tokenSha256(token)
  const owner = await sessions.ownerOf(hash)
  if (owner !== undefined) await sessions.endToken(hash)
  return owner
}

function dropCookie({ provider, req, res }: LogoutVisit): void {
  const { cookies } = provider.createContext(req, res)
  cookies.set(provider.cookieName('session'), null, { path: '/', httpOnly: true, sameSite: 'lax', signed: true })
}

async function writeDown(
  { address }: LogoutVisit,
  parts: LogoutParts,
  who: { readonly ended: TokenOwner | undefined; readonly sessionUserId: number },
): Promise<void> {
  const { ended, sessionUserId } = who
  const person = ended ?? (Number.isNaN(sessionUserId) ? undefined : await findByUserId(parts.db, sessionUserId))
  if (person === undefined) return
  const { accountId, userId } = person
  const staffId = ended?.supportStaffId
  const staff = staffId === undefined ? undefined : await findByUserId(parts.db, staffId)
  const support = staff === undefined ? undefined : { staffId: staff.userId, staffName: staff.name }
  await parts.audit({ accountId, userId, action: 'logout', clientId: ended?.clientId, address, support })
}

/** Who is signed in to this browser and still may be. */
async function signedIn(
  { req, res, provider }: Pick<LogoutVisit, 'req' | 'res' | 'provider'>,
  { db }: Pick<LogoutParts, 'db'>,
): Promise<Person | undefined> {
  const session = await provider.Session.get(provider.createContext(req, res))
  const person = session.accountId === undefined ? undefined : await findByUserId(db, Number(session.accountId))
  return person?.maySignIn ? person : undefined
}

export const isStaffSignedIn = async (...of: Parameters<typeof signedIn>): Promise<boolean> =>
  (await signedIn(...of))?.isStaff === true

/** Is this browser signed in, and to the application of staff instead of those of accounts? */
export async function sessionState(visit: LogoutVisit, parts: Pick<LogoutParts, 'db'>): Promise<void> {
  const person = await signedIn(visit, parts)
  visit.res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  const otherApp = person?.isStaff === true ? 'dealer' : null
  visit.res.end(JSON.stringify({ loggedIn: person !== undefined, otherApp }))
}
