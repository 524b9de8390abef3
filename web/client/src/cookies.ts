import { BANNER_CLOSED, choiceCookies } from '@sightline/contract/first-paint'

const YEAR_S = 365 * 24 * 3600

/** The part of `document` that cookies need, so that a test can pass its own. */
export interface CookieJar {
  cookie: string
}

export interface CookieScope {
  /** Path of the application, ending in `/`. */
  readonly path: string
  /** True on https. Browsers drop a Secure cookie from an http address. */
  readonly secure: boolean
}

export function readCookie(jar: CookieJar, name: string): string | undefined {
  const start = `${name}=`
  const pair = jar.cookie.split('; ').find((one) => one.startsWith(start))
  if (pair === undefined) return undefined
  try {
    return decodeURIComponent(pair.slice(start.length))
  } catch {
    // Not our cookie: any software on this host may have set it.
    return undefined
  }
}

export interface NewCookie extends CookieScope {
  readonly name: string
  readonly value: string
  /** Seconds; 0 removes it. */
  readonly maxAge: number
}

export function writeCookie(jar: CookieJar, { name, value, maxAge, path, secure }: NewCookie): void {
  jar.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${Math.floor(maxAge)}; Path=${path}; SameSite=Strict${secure ? '; Secure' : ''}`
}

export const dropCookie = (jar: CookieJar, name: string, scope: CookieScope): void =>
  writeCookie(jar, { name, value: '', maxAge: 0, ...scope })

/**
 * The client-id cookie of specification §9: the application's id and a random hexadecimal number below 65536, stored
 * for a year. With sixteen bits, it distinguishes browsers in a log. It is never a credential or the key of a limit.
 */
export function clientId(jar: CookieJar, appId: string, scope: CookieScope): string {
  const name = `${appId}.client`
  const known = readCookie(jar, name)
  if (known !== undefined) return known
  const random = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0
  const value = `${appId}${random.toString(16)}`
  writeCookie(jar, { name, value, maxAge: YEAR_S, ...scope })
  return value
}

/** The cookies of a page. `Secure` depends on the page's scheme. */
export interface PageJar extends CookieJar {
  readonly location: Pick<Location, 'protocol'>
}

/**
 * Stores a choice of this browser for a year, for all applications of the host. The server reads it for the first
 * paint.
 */
export const keepChoice = (jar: PageJar, name: string, value: string): void =>
  writeCookie(jar, { name, value, maxAge: YEAR_S, path: '/', secure: jar.location.protocol === 'https:' })

/** Whether this browser closed the cookie banner within the last year. */
export const cookieBannerClosed = (jar: CookieJar): boolean =>
  readCookie(jar, choiceCookies.cookieBanner) === BANNER_CLOSED

export const closeCookieBanner = (jar: PageJar): void => keepChoice(jar, choiceCookies.cookieBanner, BANNER_CLOSED)
