import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerMetrics } from '@sightline/platform/http'

type Handle = (req: IncomingMessage, res: ServerResponse) => void

/** Pages and calls of the authorization server by how their address begins; the first that fits names it. */
const PAGES: readonly (readonly [start: RegExp, route: string])[] = [
  [/^\/oauth\/authorize(\/|$)/, 'oauthAuthorize'],
  [/^\/oauth\/token\/?$/, 'oauthToken'],
  [/^\/oauth\/jwks\/?$/, 'oauthJwks'],
  [/^\/oauth\/introspect\/?$/, 'oauthIntrospect'],
  [/^\/oauth\/revoke\/?$/, 'oauthRevoke'],
  [/^\/oauth\/userinfo\/?$/, 'oauthUserinfo'],
  [/^\/oauth\/end-session(\/|$)/, 'oauthEndSession'],
  [/^\/\.well-known\//, 'wellKnown'],
  [/^\/sign-in\/forgot\/?$/, 'forgotPassword'],
  [/^\/sign-in\/password\//, 'passwordLink'],
  [/^\/sign-in\/email\//, 'emailLink'],
  [/^\/sign-in\/lockdown\//, 'lockdownLink'],
  [/^\/sign-in\/[^/]+\/passkey$/, 'signInPasskey'],
  [/^\/sign-in\/[^/]+$/, 'signIn'],
  [/^\/auth\/session$/, 'signInSession'],
  [/^\/auth\/logout(\/|$)/, 'logout'],
  [/^\/auth\/passwordresets(\/|$)/, 'passwordReset'],
]

/** A name from the list above: addresses contain secrets of emails, and anyone can invent new ones. */
function pageOf(url: string | undefined): string {
  const path = (url ?? '/').split('?', 1)[0]?.toLowerCase() ?? ''
  return PAGES.find(([start]) => start.test(path))?.[1] ?? 'unknown'
}

/** Counts the replies of `handle`. */
export function countedPages(handle: Handle, note: (answered: AnswerMetrics) => void): Handle {
  return (req, res) => {
    const began = performance.now()
    // The address is read now, because handlers change it.
    const route = pageOf(req.url)
    res.once('close', () => note({ route, status: res.statusCode, seconds: (performance.now() - began) / 1000 }))
    handle(req, res)
  }
}
