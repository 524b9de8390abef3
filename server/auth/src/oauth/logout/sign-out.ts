import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import type { Brand } from '@sightline/platform/brands'
import type { Db } from '@sightline/platform/db'
import type Provider from 'oidc-provider'
import type { WriteAudit } from '../../people/audit/index.ts'
import { findByUserId } from '../../people/index.ts'
import type { Sessions, TokenOwner } from '../../sessions/index.ts'
import { VISIT_ACR } from '../../sign-in/demonstrations/index.ts'
import { createPageFrame, sendPage } from '../../sign-in-pages/index.ts'
import { findClient, isForeign, listOwnClients, registeredPostLogout } from '../clients/index.ts'

export interface LogoutDeps {
  readonly db: Db
  readonly pages: SignInPages
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

export interface LogoutRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly provider: Provider
  readonly address: string
}

/** The facts about a sign-out other than the browser: the token that ended with it and the client that asked. */
export interface SignOut {
  readonly ended?: TokenOwner | undefined
  readonly clientId?: string | undefined
}

/** Ends this browser's sign-in with all its tokens, and writes down who signed out. */
export async function endBrowser(request: LogoutRequest, deps: LogoutDeps, signOut: SignOut): Promise<void> {
  const { req, res, provider } = request
  const session = await provider.Session.get(provider.createContext(req, res))
  // After leaving an account, support staff stay signed in as themselves.
  const isSupport = signOut.ended?.supportStaffId !== undefined
  if (session.accountId !== undefined && !isSupport) await deps.sessions.endSignIn(session.uid)
  if (!isSupport) dropCookie(request)
  // No identified user signed out, and this can repeat without limit.
  if (signOut.ended?.isGuest ?? session.acr === VISIT_ACR) return
  await writeDown(request, deps, { ...signOut, sessionUserId: Number(session.accountId) })
}

/**
 * The redirect address, if it is exactly one of our applications' on this host, or one that the token's client has
 * registered. Without a valid token the redirect stays on our own addresses: otherwise a link to us could lead to any
 * address that any brand's client registered.
 */
export async function registeredTarget(
  redirectUri: string | undefined,
  clientId: string | undefined,
  { brand }: LogoutRequest,
  { db }: LogoutDeps,
): Promise<string | undefined> {
  if (redirectUri === undefined) return undefined
  const own = registeredPostLogout(listOwnClients(brand.origin), { redirectUri, clientId })
  if (own !== undefined || clientId === undefined) return own
  const client = await findClient(db, clientId)
  const isOfBrand = client !== undefined && !isForeign(client, brand.resellerId)
  return isOfBrand && client.loggedOutUris.includes(redirectUri) ? redirectUri : undefined
}

/** The links to other languages must not repeat the sign-out query. */
export function showSignedOutPage({ req, res, brand }: LogoutRequest, { pages }: LogoutDeps): void {
  const frame = createPageFrame(req, brand, { path: '/auth/logout' })
  sendPage(res, { status: 200, frame, html: pages.loggedOut({ ...frame, backHref: '/' }) })
}

function dropCookie({ provider, req, res }: LogoutRequest): void {
  const { cookies } = provider.createContext(req, res)
  cookies.set(provider.cookieName('session'), null, { path: '/', httpOnly: true, sameSite: 'lax', signed: true })
}

async function writeDown(
  { address }: LogoutRequest,
  deps: LogoutDeps,
  who: SignOut & { readonly sessionUserId: number },
): Promise<void> {
  const { ended, clientId = ended?.clientId, sessionUserId } = who
  const person = ended ?? (Number.isNaN(sessionUserId) ? undefined : await findByUserId(deps.db, sessionUserId))
  if (person === undefined) return
  const { accountId, userId } = person
  const staffId = ended?.supportStaffId
  const staff = staffId === undefined ? undefined : await findByUserId(deps.db, staffId)
  const support = staff === undefined ? undefined : { staffId: staff.userId, staffName: staff.name }
  await deps.audit({ accountId, userId, action: 'logout', clientId, address, support })
}
