import type { SignInLanguage } from '../sign-in-pages/index.ts'
import type { BrandTheme } from '../theme/index.ts'

/**
 * Cookies with which a browser keeps what somebody chose in it, so that the first picture of a page is right already. Every
 * software on a host sees them, whatever its port, so they bear our name.
 */
export const choiceCookies = {
  language: 'sightline.language',
  scheme: 'sightline.scheme',
  cookieBanner: 'cookie-banner',
} as const

/** Value of {@link choiceCookies}.cookieBanner once somebody closed the banner. */
export const BANNER_CLOSED = 'closed'

/** Light or dark, where somebody chose; else as the system prefers. */
export const chosenSchemes = ['light', 'dark'] as const
export type ChosenScheme = (typeof chosenSchemes)[number]

/** What a first paint shows besides the brand. */
export interface FirstPaint {
  readonly language: SignInLanguage
  readonly theme: BrandTheme
  readonly hasCookieNotice: boolean
}

/**
 * What stands in `#root` of an application until that draws itself: header, places of what is to come, the notice about
 * cookies. HTML without script and without style of its own; nothing in it can be pressed.
 */
export interface FirstPaints {
  ofForms(paint: FirstPaint): string
}
