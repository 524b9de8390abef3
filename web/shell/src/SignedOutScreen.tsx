import type { LaterText, SharedText } from '@sightline/client'
import { buttonClass, EmptyState } from '@sightline/kit'
import { useEffect } from 'react'
import { useApplication } from './application.ts'
import { usePageTitle } from './page-title.ts'
import { dealerAddress, SUPPORT_IS_OVER } from './support/support-session.ts'
import { useTranslation } from './translation.tsx'

/** Signs out a signed-in user. After the return from the auth server, confirms the sign-out (specification §2). */
export function SignedOutScreen() {
  const { session, home, config } = useApplication()
  const t = useTranslation<LaterText | SharedText>()
  const isSupport = new URLSearchParams(window.location.search).has(SUPPORT_IS_OVER)
  const title = t(isSupport ? 'The support session has ended' : 'You are now logged out')
  usePageTitle(title)
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
      title={title}
      action={
        isSupport ? (
          <a href={dealerAddress(config)} className={buttonClass()}>
            {t('Dealer Dashboard')}
          </a>
        ) : (
          <a data-here href={home} className={buttonClass()}>
            {t('Sign in again')}
          </a>
        )
      }
    >
      {t(isSupport ? 'It expired, or the account owner ended it.' : 'If you share this computer, close this window.')}
    </EmptyState>
  )
}
