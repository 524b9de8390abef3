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
