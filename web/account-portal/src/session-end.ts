import type { EndReason } from '@sightline/client'
import type { Portal } from './portal.ts'
import type { PortalRouter } from './router.tsx'

/** Pages under this path are embedded in a host, which signs in by itself. */
const isEmbedded = (pathname: string): boolean => pathname.startsWith('/settings')

/** The origin of the page around this one, where the browser tells; the server's `frame-ancestors` decides who that can be. */
function hostOrigin(): string | undefined {
  const ancestor = window.location.ancestorOrigins?.[0]
  if (ancestor !== undefined) return ancestor
  return document.referrer === '' ? undefined : new URL(document.referrer).origin
}

/** Tells an embedding host that it must sign in again (specification §4): an event here, and a message to the frame around. */
export function raiseInvalidToken(): void {
  window.dispatchEvent(new CustomEvent('invalid-token'))
  const origin = hostOrigin()
  if (window.parent !== window && origin !== undefined) window.parent.postMessage({ type: 'invalid-token' }, origin)
}

/** Once the session is over nothing of it stays on screen: back to sign-in, or the host is told. */
export function listenForSessionEnd(portal: Portal, router: PortalRouter): void {
  portal.session.onEnd((reason: EndReason) => {
    portal.client.cancelReads()
    if (reason === 'left') return
    portal.queries.clear()
    const { pathname, href } = router.state.location
    // Drawn again, the embedded frame sees that nobody is signed in and tells its host.
    if (isEmbedded(pathname)) void router.invalidate()
    else void portal.session.signIn(href)
  })
}
