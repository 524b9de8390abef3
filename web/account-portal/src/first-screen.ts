import { type Application, loadCookieNotice, type MountPoint } from '@sightline/shell/start'
import { prefetchAccount } from './account.ts'
import { isEmbedded } from './embedding.ts'

export const loadDetails = () => import('./user-details/UserDetailsScreen.tsx')
export const loadEmbedded = () => import('./embedded/EmbeddedPage.tsx')

/** Maximum milliseconds that a first paint stays after the user is identified. Then the frame shows what is loading. */
const PATIENCE_MS = 3000

/** The container of embedded screens, if the address is one of them. */
export function prepareEmbedding(): void {
  if (isEmbedded(window.location.pathname)) void loadEmbedded()
}

let shown: Promise<unknown> | undefined

/** Requests the data and code of the screen at the address while the rendering code still loads. */
export function prepareFirstScreen(portal: Application, { hasFirstPaint }: MountPoint): void {
  const { pathname } = window.location
  if (['/', '/details', '/settings/details'].includes(pathname)) void loadDetails()
  if (hasFirstPaint && portal.session.token() !== undefined) {
    shown = Promise.all([prefetchAccount(portal), loadCookieNotice()])
  }
}

/** Milliseconds that a redirect may take. If the browser is still here, a message appears. */
const LEAVING_MS = 10_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Resolves when the data of the first screen has loaded, or after a timeout.
 *
 * @param loaded resolves when the code of the screen is loaded
 * @param isLeaving whether the browser is leaving, so that nothing may be rendered
 */
export async function firstScreenReady(loaded: Promise<unknown>, isLeaving: () => boolean): Promise<void> {
  await Promise.race([pause(PATIENCE_MS), Promise.all([loaded, shown])])
  if (isLeaving()) await pause(LEAVING_MS)
}
