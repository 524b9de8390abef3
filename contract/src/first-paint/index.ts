import type { firstPartyClients } from '../runtime-config/index.ts'
import type { SignInLanguage } from '../sign-in-pages/index.ts'
import type { BrandTheme } from '../theme/index.ts'

/**
 * Cookies for choices made in this browser, so that the first paint is correct. All software on a host sees them, on
 * any port, so their names contain our name.
 */
export const choiceCookies = {
  language: 'sightline.language',
  scheme: 'sightline.scheme',
  cookieBanner: 'cookie-banner',
  sideMenu: 'sightline.menu',
} as const

/** Value of {@link choiceCookies}.cookieBanner after the user closed the banner. */
export const BANNER_CLOSED = 'closed'

/** Light or dark if the user chose; otherwise the system's preference. */
export const chosenSchemes = ['light', 'dark'] as const
export type ChosenScheme = (typeof chosenSchemes)[number]

/** The side menu of a wide window, if the user chose; otherwise the width of the window decides. */
export const sideMenus = ['open', 'folded'] as const
export type SideMenuChoice = (typeof sideMenus)[number]

type ApplicationName = keyof typeof firstPartyClients

/** What a first paint shows. */
export interface FirstPaint {
  readonly app: ApplicationName
  /** A name from {@link FirstPaints.nameScreen}. */
  readonly screen: string
  readonly language: SignInLanguage
  readonly theme: BrandTheme
  readonly hasCookieNotice: boolean
  readonly sideMenu: SideMenuChoice | undefined
}

/**
 * The element after `#root` with the cookie notice of a first paint. Unlike the rest, the application continues it in
 * place: a new notice of the same size would count as content that appears late.
 */
export const COOKIE_NOTICE_ID = 'cookie-notice'

/** HTML without scripts and styles. */
export interface PaintedHtml {
  /** The content of `#root` until an application renders: header, the screen's title and description, skeletons. */
  readonly content: string
  /** The content of {@link COOKIE_NOTICE_ID}; undefined if the user closed the notice. */
  readonly cookieNotice: string | undefined
}

/** What the server renders for an application that hasn't loaded yet. */
export interface FirstPaints {
  /** The name of an application's screen at a path. There are few names, also for unknown paths. */
  nameScreen(app: ApplicationName, path: string): string
  /** The name of a screen about which nothing is known yet. */
  readonly unknownScreen: string
  render(paint: FirstPaint): PaintedHtml
}
