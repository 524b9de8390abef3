import { closeCookieBanner } from '@sightline/client'
import { CookieBanner } from '@sightline/kit'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useApplication } from './application.ts'
import { COOKIES, CookieWords } from './CookieWords.tsx'
import { useTranslation } from './translation.tsx'

export interface CookieNoticeProps {
  /** Navigates to a page of this application. */
  onNavigate: (href: string) => void
  /** The page uses the whole window. */
  isWide?: boolean | undefined
  /** Asks for consent beyond necessary cookies. Call `close` after the answer. */
  question?: ((close: () => void) => ReactNode) | undefined
}

/** The banner of specification §2, until the user closes it. */
export function CookieNotice({ onNavigate, isWide = false, question }: CookieNoticeProps) {
  const { config, name } = useApplication()
  const t = useTranslation()
  const [closed, setClosed] = useState(false)
  if (closed) return null
  const close = () => {
    closeCookieBanner(document)
    setClosed(true)
  }
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    onNavigate(COOKIES)
  }
  return (
    <CookieBanner label={t('Cookies')} isWide={isWide} onClose={close}>
      <CookieWords t={t} theme={config.theme} {...(name === 'accountPortal' ? { onFollow: follow } : {})} />
      {question?.(close)}
    </CookieBanner>
  )
}
