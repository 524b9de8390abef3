import { EmptyState, SnackBars } from '@sightline/kit'
import { useApplication, useLanguageOfUser } from '@sightline/shell'
import { useEffect, useSyncExternalStore } from 'react'
import { OneScreen } from '../shell/Page.tsx'
import { useEmbeddedText } from './text.ts'

/**
 * The origin of the embedding page, if the browser reveals it. The server's `frame-ancestors` decides which origins are
 * allowed.
 */
function hostOrigin(): string | undefined {
  const ancestor = window.location.ancestorOrigins?.[0]
  if (ancestor !== undefined) return ancestor
  return document.referrer === '' ? undefined : new URL(document.referrer).origin
}

/**
 * Tells the embedding host that it must sign in again (specification §4): an event here, and a message to the parent
 * frame.
 */
function raiseInvalidToken(): void {
  window.dispatchEvent(new CustomEvent('invalid-token'))
  const origin = hostOrigin()
  if (window.parent !== window && origin !== undefined) window.parent.postMessage({ type: 'invalid-token' }, origin)
}

/** What an embedded page shows until its host has signed in again. */
function NotSignedIn() {
  const t = useEmbeddedText()
  return (
    <EmptyState icon="lock" isPage title={t("You're not signed in")}>
      {t('Sign in again in the app that shows this page.')}
    </EmptyState>
  )
}

function EmbeddedScreen() {
  useLanguageOfUser()
  return <OneScreen />
}

/** A page without header and menu, for embedding in another application (decision 24). */
export function EmbeddedPage() {
  const { snackBar, session } = useApplication()
  // The session may end while the page is open.
  const token = useSyncExternalStore(
    (changed) => session.onEnd(changed),
    () => session.token(),
  )
  const signedIn = token !== undefined
  useEffect(() => {
    if (!signedIn) raiseInvalidToken()
  }, [signedIn])
  return (
    <>
      <main className="mx-auto max-w-3xl p-4">{signedIn ? <EmbeddedScreen /> : <NotSignedIn />}</main>
      <SnackBars bar={snackBar} />
    </>
  )
}
