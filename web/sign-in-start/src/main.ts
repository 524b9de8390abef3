import { createSession } from '@sightline/client'
import { type SignInStart, WHOLE_APP } from '@sightline/contract/sign-in-start'

const start: SignInStart = JSON.parse(document.documentElement.dataset.start ?? '')
const session = createSession(start)
const { pathname, search } = window.location
const here = pathname + search
const SENT_AGAIN = `${start.appId}.sent-again`
const AGAIN_MS = 10_000

/** The application itself: it goes on with a session, and has the words and the languages to say what is wrong. */
function openApp(): void {
  const { sessionStorage, location } = window
  // A link on another site brings no cookie of a session along; the same address asked for from here does.
  const isAgain = Date.now() - Number(sessionStorage.getItem(SENT_AGAIN)) < AGAIN_MS
  sessionStorage.setItem(SENT_AGAIN, String(Date.now()))
  location.replace(
    isAgain ? `${pathname}?${new URLSearchParams([...new URLSearchParams(search), [WHOLE_APP, '']])}` : here,
  )
}

if (session.token() === undefined) session.signIn(here).catch(openApp)
else openApp()
