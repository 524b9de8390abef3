import * as z from 'zod/mini'
import type { Hex } from './colour.ts'
import { paletteCss as colorsCss } from './palette.ts'
import { providerLogo, providerLogoDark } from './provider-logo.ts'
import { typefaceCss } from './typeface.ts'

export { contrast, type Hex } from './colour.ts'
export { contrastPromises, createPalette, type Palette, type Scheme, type Tone, tones } from './palette.ts'
export { fallbackTypefaceCss } from './typeface.ts'

/** `#rrggbb` in either case; converted to lower case. */
export const brandColour = z.pipe(
  z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/)),
  z.transform((text) => text.toLowerCase() as Hex),
)

/** The target of a brand's link: a page of this host, or http(s). Never `javascript:` or `//host`. */
const link = z.string().check(z.maxLength(2048), z.regex(/^(https?:\/\/[^\s"'<>\\]+|\/(?![/\\])[^\s"'<>\\]*)$/))

/**
 * A picture of a brand: a file of this host, or embedded data. SVG is rejected, because it can contain scripts. When a
 * theme is changed, an https address is downloaded; responses never contain such an address.
 */
const picture = z
  .string()
  .check(
    z.maxLength(65_536),
    z.regex(/^(https:\/\/[^\s"'<>\\]+|\/(?![/\\])[^\s"'<>\\]*|data:image\/(png|jpeg|webp|x-icon)[;,][^\s"'<>\\]+)$/),
  )

/**
 * Lifetimes of tokens issued at a brand's hosts. Omitted values mean the default, which is also the maximum. Tokens of
 * devices and API keys last an hour at most, and refresh tokens of devices 90 days unused.
 */
export const tokenLifetimes = z.strictObject({
  /** Minutes of access tokens, and of a browser's sign-in. Default: 720. */
  accessMinutes: z.optional(z.int().check(z.gte(5), z.lte(720))),
  /** Lifetime of refresh tokens in days. Default: 3650, which means until signed out. */
  refreshDays: z.optional(z.int().check(z.gte(1), z.lte(3650))),
})
export type TokenLifetimes = z.infer<typeof tokenLifetimes>

/** A brand's look and links (specification §3 "Theme"). Sizes are CSS pixels. */
export const brandTheme = z.object({
  /** `null`: the company name is shown instead. */
  logo: z.nullable(picture),
  /** The logo for dark backgrounds; without one, the logo has a light plate there. */
  logoDark: z.optional(picture),
  logoWidth: z.int().check(z.gte(1), z.lte(400)),
  logoHeight: z.int().check(z.gte(1), z.lte(120)),
  companyName: z.string().check(z.minLength(1), z.maxLength(255)),
  favicon: z.nullable(picture),
  /** Its users must accept the services subscription agreement before they continue (decision 20). */
  asksForAgreement: z.optional(z.boolean()),
  tokenLifetimes: z.optional(tokenLifetimes),
  colors: z.object({ primary: brandColour, secondary: z.optional(brandColour) }),
  links: z.object({
    privacyPolicy: z.optional(link),
    cookies: z.optional(link),
    terms: z.optional(link),
    webapp: z.optional(link),
    downloadportal: z.optional(link),
    myaccount: z.optional(link),
    dealerdashboard: z.optional(link),
    /** The brand's own applications, offered in the Download Portal. */
    windowsApp: z.optional(link),
    macApp: z.optional(link),
    iosApp: z.optional(link),
    androidApp: z.optional(link),
    showDownloadPortal: z.boolean(),
    showdealerdashboard: z.boolean(),
  }),
})
export type BrandTheme = z.infer<typeof brandTheme>

/** The style rules of a brand that every page needs: the typeface, and the colours as `--tone-<role>` (`palette.ts`) for light and dark. */
export const themeCss = (theme: Pick<BrandTheme, 'colors'>): string => typefaceCss + paletteCss(theme)

/**
 * The colors, for a style element in a page. The typeface is never included: browsers load the typeface of such an
 * element with the page's address as `Referer`, whatever the page's policy says, and that address may contain a token.
 */
export const paletteCss = (theme: Pick<BrandTheme, 'colors'>): string => colorsCss(theme.colors)

/** The provider's look: for its own hosts, unknown hosts, and brands without a theme. */
export const providerTheme: BrandTheme = {
  logo: providerLogo,
  logoDark: providerLogoDark,
  logoWidth: 148,
  logoHeight: 32,
  companyName: 'Sightline',
  favicon: null,
  colors: { primary: '#0b6e6e' },
  links: {
    privacyPolicy: '/aditerms#privacy',
    terms: '/terms',
    cookies: '/cookies',
    webapp: '/app/',
    myaccount: '/',
    showDownloadPortal: false,
    showdealerdashboard: false,
  },
}
