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

/**
 * Resolves when what the first screen shows has come, or has been waited for long enough; never for whom the browser is
 * leaving, because for them nothing may be drawn.
 *
 * @param loaded when the code of the screen is there
 */
export async function firstScreenReady({ session }: Application, loaded: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([late, Promise.all([loaded, shown])])
  if (session.token() === undefined) await new Promise<never>(() => undefined)
}
