import { type Application, loadCookieNotice, type Place } from '@sightline/shell/start'
import { prefetchAccount } from './account.ts'
import { isEmbedded } from './embedding.ts'

export const loadDetails = () => import('./user-details/UserDetailsScreen.tsx')
export const loadEmbedded = () => import('./embedded/EmbeddedPage.tsx')

/** Milliseconds that a first paint stands at most, once it is known which screen follows: then that says what it waits for. */
const PATIENCE_MS = 3000

/** Asks for what the screen at the address shows, and for its code, while what draws all screens is still on its way. */
export function prepareFirstScreen(portal: Application, { hasFirstPaint }: Place): void {
  const { pathname } = window.location
  if (['/', '/details', '/settings/details'].includes(pathname)) void loadDetails()
  if (isEmbedded(pathname)) void loadEmbedded()
  if (!hasFirstPaint || portal.session.token() === undefined) return
  void prefetchAccount(portal)
  void loadCookieNotice()
}

/** Resolves when what the first screen shows has come. */
export async function firstScreenReady(portal: Application): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([late, Promise.all([prefetchAccount(portal), loadCookieNotice()])])
}
