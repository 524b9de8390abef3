import { closeCookieBanner, cookieBannerClosed } from '@sightline/client'
import { CookieBanner } from '@sightline/kit'
import { type MouseEvent, useState } from 'react'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.ts'

/** The banner of specification §2 until somebody closes it. `onNavigate` goes to a page of this application. */
export function CookieNotice({ onNavigate }: { onNavigate: (href: string) => void }) {
  const { config, name } = useApplication()
  const t = useTranslation()
  const [closed, setClosed] = useState(() => cookieBannerClosed(document))
  if (closed) return null
  const close = () => {
    closeCookieBanner(document, window.location.protocol === 'https:')
    setClosed(true)
  }
  const own = name === 'accountPortal' && config.theme.links.cookies === undefined
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    onNavigate(COOKIES)
  }
  return (
    <CookieBanner label={t('Cookies')} onClose={close}>
      {t('We use cookies to keep you signed in.')}{' '}
      <a
        href={config.theme.links.cookies ?? COOKIES}
        className="text-link-underline"
        {...(own ? { onClick: follow } : {})}
      >
        {t('Learn more')}
      </a>
    </CookieBanner>
  )
}

/** A page of the account portal. */
const COOKIES = '/cookies'
