import type { SharedText } from '@sightline/client'
import type { BrandTheme } from '@sightline/contract/theme'
import type { MouseEvent } from 'react'

/** A page of the account portal. */
export const COOKIES = '/cookies'

interface CookieWordsProps {
  t: (text: SharedText) => string
  theme: BrandTheme
  /** Navigates to the cookie policy without reloading the application. */
  onFollow?: (event: MouseEvent) => void
}

/** The text of the cookie notice. It needs no application, so that the server can render it too. */
export function CookieWords({ t, theme, onFollow }: CookieWordsProps) {
  const { cookies } = theme.links
  return (
    <>
      {t('We use cookies to keep you signed in.')}{' '}
      <a
        href={cookies ?? COOKIES}
        className="text-link-underline"
        {...(cookies === undefined && onFollow ? { onClick: onFollow } : {})}
      >
        {t('Learn more about cookies')}
      </a>
    </>
  )
}
