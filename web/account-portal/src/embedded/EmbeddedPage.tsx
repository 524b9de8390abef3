import { SnackBars } from '@sightline/kit'
import { useApplication, useLanguageOfUser } from '@sightline/shell'
import { useEffect, useSyncExternalStore } from 'react'
import { OneScreen } from '../shell/Page.tsx'
import { raiseInvalidToken } from './invalid-token.ts'
import { NotSignedIn } from './NotSignedIn.tsx'

function EmbeddedScreen() {
  useLanguageOfUser()
  return <OneScreen />
}

/** No frame at all: the page is shown inside another application (decision 24). */
export function EmbeddedPage() {
  const { snackBar, session } = useApplication()
  // It may end while the page is shown.
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
