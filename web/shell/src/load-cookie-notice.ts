import { cookieBannerClosed } from '@sightline/client'

export const importCookieNotice = () => import('./CookieNotice.tsx')

/** Has the notice there when the first screen is, so that it is not gone between a first paint and that. */
export const loadCookieNotice = async (): Promise<void> => {
  // Without it the screen is of use as well; whoever draws it tries again.
  if (!cookieBannerClosed(document)) await importCookieNotice().catch(() => undefined)
}
