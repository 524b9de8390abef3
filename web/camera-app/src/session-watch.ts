import type { SignInSession } from '@sightline/client'

const LOOK_EVERY_MS = 1000

/**
 * Ends the session of this tab if the user signed out in another tab: that tab removed the token, and a call without a
 * token gets no "invalid token" response. Starts only for a signed-in user.
 */
export function watchSession(session: SignInSession): void {
  if (session.token() === undefined) return
  const timer = setInterval(() => {
    if (session.token() === undefined && !session.isRenewing()) session.end('expired')
  }, LOOK_EVERY_MS)
  session.onEnd(() => clearInterval(timer))
}
