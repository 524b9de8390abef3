import { createSession } from '@sightline/client'
import { type SignInStart, WHOLE_APP } from '@sightline/contract/sign-in-start'

const AGAIN_MS = 10_000

/** Always an address of this origin: a path alone may start with two slashes, which would name another host. */
function addressHere(): URL {
  const { origin, pathname, search } = window.location
  return new URL(origin + pathname + search)
}

/**
 * Loads the application itself. It continues an existing session, and has the texts and languages to explain a problem.
 */
function openWholeApp(): void {
  const address = addressHere()
  address.searchParams.set(WHOLE_APP, '')
  window.location.replace(address)
}

/** A link on another site doesn't send the session cookie. Requesting the same address from this page does. */
function askAgain(appId: string): void {
  const { sessionStorage, location } = window
  const key = `${appId}.sent-again`
  if (Date.now() - Number(sessionStorage.getItem(key)) < AGAIN_MS) throw new Error('the cookie is not sent')
  sessionStorage.setItem(key, String(Date.now()))
  location.replace(addressHere())
}

async function begin(): Promise<void> {
  const start: SignInStart = JSON.parse(document.documentElement.dataset.start ?? '')
  const session = createSession(start)
  if (session.token() !== undefined) return askAgain(start.appId)
  const { pathname, search, hash } = window.location
  await session.signIn(pathname + search + hash)
}

begin().catch(openWholeApp)
