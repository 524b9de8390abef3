import type { SharedText } from '@sightline/client'
import type { BrandTheme } from '@sightline/contract/theme'
import type { MouseEvent } from 'react'

/** A page of the account portal. */
export const COOKIES = '/cookies'

interface CookieWordsProps {
  t: (text: SharedText) => string
  theme: BrandTheme
  /** Goes to our own page on cookies without loading the application anew. */
  onFollow?: (event: MouseEvent) => void
}

/** What the notice about cookies says; needs nothing of an application, so that a server can say it too. */
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
