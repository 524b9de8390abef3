import type { LaterText } from '@sightline/client'
import { buttonClass, EmptyState } from '@sightline/kit'
import { useEffect } from 'react'
import { useApplication } from './application.ts'
import { usePageTitle } from './page-title.ts'
import { useTranslation } from './translation.ts'

/** Signs out whoever still is signed in; who comes back from the auth server reads that it is done (specification §2). */
export function LoggedOut() {
  const { session, home } = useApplication()
  const t = useTranslation<LaterText>()
  usePageTitle(t('You are now logged out'))
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
        <a data-here href={home} className={buttonClass()}>
          {t('Log in again')}
        </a>
      }
    >
      {t('Close this window if other people use this computer.')}
    </EmptyState>
  )
}
