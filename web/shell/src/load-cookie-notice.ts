import { cookieBannerClosed } from '@sightline/client'

export const importCookieNotice = () => import('./CookieNotice.tsx')

/** Loads the notice with the first screen, so that it doesn't disappear between the first paint and the screen. */
export const loadCookieNotice = async (): Promise<void> => {
  // The screen works without it, and rendering it tries again.
  if (!cookieBannerClosed(document)) await importCookieNotice().catch(() => undefined)
}
