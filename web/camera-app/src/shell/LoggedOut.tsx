import { buttonClass, EmptyState } from '@sightline/kit'
import { useEffect } from 'react'
import { useApp } from '../app.ts'
import { useText } from '../text.ts'

/** Signs out whoever still is signed in; who comes back from the auth server reads that it is done. */
export function LoggedOut() {
  const { session } = useApp()
  const t = useText()
  const signedIn = session.token() !== undefined
  useEffect(() => {
    if (signedIn) void session.signOut()
    else session.end('left')
  }, [signedIn, session])
  if (signedIn) return null
  return (
    <EmptyState
      icon="logout"
      isPage
      title={t('You are now logged out')}
      action={
        <a href="/app/" className={buttonClass()}>
          {t('Log in again')}
        </a>
      }
    />
  )
}
