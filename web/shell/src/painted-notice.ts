import { COOKIE_NOTICE_ID } from '@sightline/contract/first-paint'

export const importCookieNotice = () => import('./CookieNotice.tsx')

/** The cookie notice of the first paint, if there is one. */
export const paintedNotice = (): HTMLElement | null => document.getElementById(COOKIE_NOTICE_ID)
