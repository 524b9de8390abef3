import { cookieBannerClosed } from '@sightline/client'
import { lazy, Suspense, useState } from 'react'
import type { CookieNoticeProps } from './CookieNotice.tsx'
import { importCookieNotice } from './load-cookie-notice.ts'

const CookieNotice = lazy(() => importCookieNotice().then((module) => ({ default: module.CookieNotice })))

/** The notice comes after the first screen where no first paint had it there before; not at all to whoever has closed it. */
export function LazyCookieNotice(props: CookieNoticeProps) {
  const [wasClosed] = useState(() => cookieBannerClosed(document))
  if (wasClosed) return null
  return (
    <Suspense>
      <CookieNotice {...props} />
    </Suspense>
  )
}
