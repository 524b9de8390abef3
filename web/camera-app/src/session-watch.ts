import type { Session } from '@sightline/client'

const LOOK_EVERY_MS = 1000

/**
 * Ends the session of this tab where another tab of the application signed out: that one took the token along, and a
 * call without a token is refused without the word that it is dead. Begins only where somebody is signed in.
 */
export function watchSession(session: Session): void {
  if (session.token() === undefined) return
  const timer = setInterval(() => {
    if (session.token() === undefined && !session.isRenewing()) session.end('expired')
  }, LOOK_EVERY_MS)
  session.onEnd(() => clearInterval(timer))
}
