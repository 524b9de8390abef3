import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  BANNER_CLOSED,
  COOKIE_NOTICE_ID,
  choiceCookies,
  chosenSchemes,
  type FirstPaint,
  type FirstPaints,
  sideMenus,
} from '@sightline/contract/first-paint'
import { THEME_STYLES_PATH } from '@sightline/contract/runtime-config'
import { fallbackTypefaceCss, paletteCss } from '@sightline/contract/theme'
import { chooseLanguage } from '@sightline/platform/accept-language'
import type { Brand } from '@sightline/platform/brands'
import { readCookie } from '@sightline/platform/cookies'
import { escapedHtml } from '@sightline/platform/html'
import type { Logger } from '@sightline/platform/log'
import { exceptionalHeaders, type Headers } from '../security-headers/index.ts'
import { needsApplication } from '../sign-in-start/index.ts'
import { type Built, type BuiltPage, builtPage } from '../static-files/index.ts'

/** A page with its first paint, and its additional response headers. */
export interface PaintedPage {
  readonly page: BuiltPage
  readonly headers: Headers
}

/** The parts of a request that determine the first paint. */
interface Look extends FirstPaint {
  readonly scheme: (typeof chosenSchemes)[number] | undefined
}

/** An application's page in a browser's request. */
export interface AskedPage {
  readonly app: FirstPaint['app']
  readonly path: string
  readonly req: Pick<IncomingMessage, 'url' | 'headers'>
}

function lookFor({ app, path, req }: AskedPage, { theme }: Brand, paints: FirstPaints): Look {
  const scheme = readCookie(req, choiceCookies.scheme)
  const sideMenu = readCookie(req, choiceCookies.sideMenu)
  return {
    app,
    // A sign-in returns to one address for all screens.
    screen: needsApplication(req) ? paints.unknownScreen : paints.nameScreen(app, path),
    sideMenu: sideMenus.find((known) => known === sideMenu),
    theme,
    language: chooseLanguage(req.headers['accept-language'], [readCookie(req, choiceCookies.language) ?? '']),
    scheme: chosenSchemes.find((known) => known === scheme),
    hasCookieNotice: readCookie(req, choiceCookies.cookieBanner) !== BANNER_CLOSED,
  }
}

const THEME_LINK = `<link rel="stylesheet" href="${THEME_STYLES_PATH}">`
const PALETTE = /<link rel="stylesheet" href="\/theme\.css"\s*\/?>\s*/
const STYLES = /<link rel="stylesheet"[^>]* href="(?:\/\w+)?\/(assets\/[\w.-]+\.css)"\s*\/?>/
/** Loads the application, after the first paint is visible. */
const LATER = /<(?:script type="module"|link rel="(?:module)?preload")/g
const ROOT_START = '<div id="root" class="min-h-dvh">'
const ROOT = `${ROOT_START}</div>`

/**
 * The page of an application with its first paint and styles, so that the browser can show something without another
 * request. Undefined if the built page has an unexpected structure.
 */
async function painted(
  built: Built,
  paints: FirstPaints,
  look: Look,
): Promise<{ html: string; style: string } | undefined> {
  const html = (await built.page.bytes('identity')).toString()
  const path = STYLES.exec(html)?.[1]
  const styles = path === undefined ? undefined : await built.file(path)
  if (styles === undefined || !html.includes(ROOT)) return undefined
  // The theme overrides the style sheet's values at any position.
  const style = `${await styles.bytes('identity')}${fallbackTypefaceCss}${paletteCss(look.theme)}`
  const { language, scheme, theme } = look
  const { content, cookieNotice } = paints.render(look)
  const notice = cookieNotice === undefined ? '' : `<div id="${COOKIE_NOTICE_ID}" inert>${cookieNotice}</div>`
  const own = {
    html: `<html lang="${language}"${scheme === undefined ? '' : ` data-scheme="${scheme}"`}>`,
    title: `<title>${escapedHtml(theme.companyName)}</title>`,
    root: `${ROOT_START}${content}</div>${notice}`,
  }
  // Functions, because `$` has a special meaning in a replacement text.
  return {
    html: html
      .replace(/<html lang="en">/, () => own.html)
      .replace(/<title>[^<]*<\/title>/, () => own.title)
      // With the typeface, after everything that is drawn.
      .replace(PALETTE, '')
      .replace('</body>', `${THEME_LINK}</body>`)
      .replace(STYLES, () => `<style>${style}</style>`)
      .replaceAll(LATER, '$& fetchpriority="low"')
      .replace(ROOT, () => own.root),
    style,
  }
}

/**
 * Cached variants of all brands, about 60 KiB each. Above this, the cache is cleared, because anyone can request all
 * variants.
 */
const MAX_KEPT = 500

/**
 * Pages with a first paint, cached while the brand doesn't change. If a page can't be rendered, undefined: the
 * application works without it.
 *
 * @param load the module that Vite built from web/first-paint; undefined if it wasn't built
 */
export function firstPaintPages(load: () => Promise<FirstPaints | undefined>, log: Logger) {
  let made = new WeakMap<Brand, Map<string, Promise<PaintedPage | undefined>>>()
  let kept = 0

  const make = async (
    built: Built,
    brand: Brand,
    given: { readonly look: Look; readonly paints: FirstPaints },
  ): Promise<PaintedPage | undefined> => {
    const page = await painted(built, given.paints, given.look)
    if (page === undefined) return undefined
    const styleHash = `'sha256-${createHash('sha256').update(page.style).digest('base64')}'`
    return { page: builtPage(page.html), headers: exceptionalHeaders(brand, { styleHash }) }
  }

  /** The cached pages of a brand, if there is space for another one. */
  const pagesOf = (brand: Brand) => {
    if (kept >= MAX_KEPT) {
      made = new WeakMap()
      kept = 0
    }
    const known = made.get(brand) ?? new Map<string, Promise<PaintedPage | undefined>>()
    made.set(brand, known)
    return known
  }

  const pageFor = async (asked: AskedPage, brand: Brand, built: Built): Promise<PaintedPage | undefined> => {
    const paints = await load()
    if (paints === undefined) return undefined
    const look = lookFor(asked, brand, paints)
    const { app, screen, language, scheme, hasCookieNotice, sideMenu } = look
    const name = [built.page.hash, app, screen, language, scheme, hasCookieNotice, sideMenu].join(' ')
    const known = pagesOf(brand)
    const page = known.get(name) ?? make(built, brand, { look, paints })
    if (!known.has(name)) {
      known.set(name, page)
      kept += 1
      // A later attempt may succeed.
      page.then(
        (made) => made ?? known.delete(name),
        () => known.delete(name),
      )
    }
    return page
  }

  return async (asked: AskedPage, brand: Brand, built: Built): Promise<PaintedPage | undefined> =>
    pageFor(asked, brand, built).catch((err: unknown) => {
      log.error({ err }, 'could not prepare the first paint of a page; sent the page without it')
      return undefined
    })
}
