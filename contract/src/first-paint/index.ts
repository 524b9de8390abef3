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
} as const

/** Value of {@link choiceCookies}.cookieBanner after the user closed the banner. */
export const BANNER_CLOSED = 'closed'

/** Light or dark if the user chose; otherwise the system's preference. */
export const chosenSchemes = ['light', 'dark'] as const
export type ChosenScheme = (typeof chosenSchemes)[number]

/** The content of a first paint, without the brand. */
export interface FirstPaint {
  readonly language: SignInLanguage
  readonly theme: BrandTheme
  readonly hasCookieNotice: boolean
}

/**
 * The content of `#root` until an application renders: header, skeletons, cookie notice. HTML without scripts, styles
 * and interactive elements.
 */
export interface FirstPaints {
  ofForms(paint: FirstPaint): string
}
