import type { Application } from '@sightline/shell/start'
import { prefetchAccount } from './account.ts'
import { isEmbedded } from './embedding.ts'

export const loadDetails = () => import('./user-details/UserDetailsScreen.tsx')
export const loadEmbedded = () => import('./embedded/EmbeddedPage.tsx')

/** The code of embedded screens, if the address is one of them. */
export function prepareEmbedding(): void {
  const { pathname } = window.location
  if (isEmbedded(pathname)) void loadEmbedded()
  if (pathname === '/settings/details') void loadDetails()
}

/** Requests the data and code of the screen at the address while the rendering code still loads. */
export function prepareFirstScreen(portal: Application): Promise<unknown> {
  if (['/', '/details'].includes(window.location.pathname)) void loadDetails()
  return prefetchAccount(portal)
}
