import { type Application, loadCookieNotice, type Place } from '@sightline/shell/start'
import { prefetchAccount } from './account.ts'
import { isEmbedded } from './embedding.ts'

export const loadDetails = () => import('./user-details/UserDetailsScreen.tsx')
export const loadEmbedded = () => import('./embedded/EmbeddedPage.tsx')

/** Milliseconds that a first paint stands at most, once it is known who is there: then the frame says what is waited for. */
const PATIENCE_MS = 3000

/** What embedded screens stand in, where one is asked for. */
export function prepareEmbedding(): void {
  if (isEmbedded(window.location.pathname)) void loadEmbedded()
}

let shown: Promise<unknown> | undefined

/** Asks for what the screen at the address shows, and for its code, while what draws all screens is still on its way. */
export function prepareFirstScreen(portal: Application, { hasFirstPaint }: Place): void {
  const { pathname } = window.location
  if (['/', '/details', '/settings/details'].includes(pathname)) void loadDetails()
  if (hasFirstPaint && portal.session.token() !== undefined) {
    shown = Promise.all([prefetchAccount(portal), loadCookieNotice()])
  }
}

/** Milliseconds that a browser which is leaving has for it: should it stay, something has to be said after all. */
const LEAVING_MS = 10_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Resolves when what the first screen shows has come, or has been waited for long enough.
 *
 * @param loaded when the code of the screen is there
 * @param isLeaving whether the browser goes elsewhere, so that nothing may be drawn
 */
export async function firstScreenReady(loaded: Promise<unknown>, isLeaving: () => boolean): Promise<void> {
  await Promise.race([pause(PATIENCE_MS), Promise.all([loaded, shown])])
  if (isLeaving()) await pause(LEAVING_MS)
}
