import { findLegalPage } from '@sightline/contract/legal-texts'
import { RUNTIME_CONFIG_PATH, THEME_STYLES_PATH, TRANSLATION_TEXTS_PATH } from '@sightline/contract/runtime-config'
import { PUBLIC_SHARE_PAGE } from '@sightline/contract/shares'
import { WHEP_PATH, WHEP_SESSION_PATH } from '@sightline/contract/streams'
import { FOOTAGE_CHECK_PATH, FOOTAGE_KEYS_PATH } from '../footage-keys/index.ts'
import { SECURITY_CONTACT_PATH } from '../security-contact/index.ts'

/** The handler of a request. */
export type Destination =
  | 'runtimeConfig'
  | 'themeStyles'
  | 'legalText'
  | 'translationTexts'
  | 'securityContact'
  | 'footageKeys'
  | 'footageCheck'
  | 'sharedFootage'
  | 'robots'
  | 'healthz'
  | 'readyz'
  | 'api'
  | 'auth'
  | 'media'
  | 'cameraApp'
  | 'dealerDashboard'
  | 'apiDocs'
  | 'accountPortal'

const AUTH_PREFIXES = [
  '/oauth/',
  '/auth/',
  '/sign-in/',
  '/mail/',
  '/.well-known/oauth-',
  '/.well-known/openid-',
] as const

const EXACT: ReadonlyMap<string, Destination> = new Map([
  [RUNTIME_CONFIG_PATH, 'runtimeConfig'],
  [THEME_STYLES_PATH, 'themeStyles'],
  [TRANSLATION_TEXTS_PATH, 'translationTexts'],
  [SECURITY_CONTACT_PATH, 'securityContact'],
  [FOOTAGE_KEYS_PATH, 'footageKeys'],
  [FOOTAGE_CHECK_PATH, 'footageCheck'],
  [PUBLIC_SHARE_PAGE, 'sharedFootage'],
  ['/robots.txt', 'robots'],
  ['/healthz', 'healthz'],
  ['/readyz', 'readyz'],
])

/**
 * By path only; the rule uses the longest form: `/app` without a slash is a page of the portal's host that redirects to
 * the camera app, and `/dealer` to the Dealer Dashboard. The Download Portal is an area of the camera app (decision 0149). `path` has no
 * query.
 */
export function getDestination(path: string): Destination {
  const exact = EXACT.get(path)
  if (exact !== undefined) return exact
  if (findLegalPage(path) !== undefined) return 'legalText'
  if (path.startsWith('/rest/')) return 'api'
  if (path.startsWith('/stream/')) return 'media'
  if (AUTH_PREFIXES.some((prefix) => path.startsWith(prefix))) return 'auth'
  if (isBelow(path, '/app') || isBelow(path, '/downloads')) return 'cameraApp'
  if (isBelow(path, '/dealer')) return 'dealerDashboard'
  if (isBelow(path, '/docs/api')) return 'apiDocs'
  return 'accountPortal'
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

const READ_ONLY = ['GET', 'HEAD']
const METHODS: Readonly<Record<Destination, readonly string[]>> = {
  runtimeConfig: READ_ONLY,
  themeStyles: READ_ONLY,
  legalText: READ_ONLY,
  translationTexts: READ_ONLY,
  securityContact: READ_ONLY,
  footageKeys: READ_ONLY,
  footageCheck: READ_ONLY,
  sharedFootage: READ_ONLY,
  robots: READ_ONLY,
  healthz: READ_ONLY,
  readyz: READ_ONLY,
  cameraApp: READ_ONLY,
  dealerDashboard: READ_ONLY,
  apiDocs: READ_ONLY,
  accountPortal: READ_ONLY,
  api: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'],
  auth: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  media: ['GET', 'HEAD', 'OPTIONS'],
}

/** A path of the media plane that takes others (WHEP). */
const METHODS_OF_PATH: ReadonlyMap<string, readonly string[]> = new Map([
  [WHEP_PATH, ['POST', 'OPTIONS']],
  [WHEP_SESSION_PATH, ['DELETE', 'OPTIONS']],
])

/** The allowed methods; all others get 405 with this list. */
export const listAllowedMethods = (destination: Destination, path = ''): readonly string[] =>
  METHODS_OF_PATH.get(path) ?? METHODS[destination]
