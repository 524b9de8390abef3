import { cookieBannerClosed } from '@sightline/client'
import { lazy, Suspense, useState } from 'react'
import type { CookieNoticeProps } from './CookieNotice.tsx'

const CookieNotice = lazy(() => import('./CookieNotice.tsx').then((module) => ({ default: module.CookieNotice })))

/** The notice comes after the first screen, and not at all to whoever has closed it. */
export function LazyCookieNotice(props: CookieNoticeProps) {
  const [wasClosed] = useState(() => cookieBannerClosed(document))
  if (wasClosed) return null
  return (
    <Suspense>
      <CookieNotice {...props} />
    </Suspense>
  )
}
