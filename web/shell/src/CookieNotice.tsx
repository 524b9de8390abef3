import { closeCookieBanner } from '@sightline/client'
import { CookieBanner } from '@sightline/kit'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.ts'

export interface CookieNoticeProps {
  /** Goes to a page of this application. */
  onNavigate: (href: string) => void
  /** Asks for more than what is needed; `close` when it is answered. */
  question?: ((close: () => void) => ReactNode) | undefined
}

/** The banner of specification §2 until somebody closes it. */
export function CookieNotice({ onNavigate, question }: CookieNoticeProps) {
  const { config, name } = useApplication()
  const t = useTranslation()
  const [closed, setClosed] = useState(false)
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
        {t('Learn more about cookies')}
      </a>
      {question?.(close)}
    </CookieBanner>
  )
}

/** A page of the account portal. */
const COOKIES = '/cookies'
