import { tokenSha256 } from '@sightline/platform/sessions'
import { findByUserId, type Person } from '../people/index.ts'
import type { TokenOwner } from '../sessions/index.ts'
import { endBrowser, type LogoutParts, type LogoutVisit, registeredTarget, showLoggedOut } from './sign-out.ts'

export { END_SESSION_PATH, endSession } from './end-session.ts'
export type { LogoutParts } from './sign-out.ts'

/**
 * Ends the token, if one is given, and this browser's sign-in with all its tokens; then goes to a registered address of
 * the token's client or of our own applications, or shows our own page (specification §4 and §7, security.md §2.2).
 */
export async function logout(visit: LogoutVisit, parts: LogoutParts): Promise<void> {
  const { req, res, brand } = visit
  const query = new URL(req.url ?? '/', brand.origin).searchParams
  const token = query.get('token')
  const ended = token === null ? undefined : await endToken(token, parts)
  await endBrowser(visit, parts, { ended })
  const target = await registeredTarget(query.get('redirect_uri') ?? undefined, ended?.clientId, visit, parts)
  if (target === undefined) return showLoggedOut(visit, parts)
  res.writeHead(303, { location: target, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  res.end()
}

async function endToken(token: string, { sessions }: LogoutParts): Promise<TokenOwner | undefined> {
  const hash = tokenSha256(token)
  const owner = await sessions.ownerOf(hash)
  if (owner !== undefined) await sessions.endToken(hash)
  return owner
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
