const YEAR_S = 365 * 24 * 3600

/** The part of `document` that cookies need; a test passes its own. */
export interface CookieJar {
  cookie: string
}

export interface CookieScope {
  /** Path of the application, ending in `/`. */
  readonly path: string
  /** True on https; browsers drop a Secure cookie of a plain address. */
  readonly secure: boolean
}

export function readCookie(jar: CookieJar, name: string): string | undefined {
  const start = `${name}=`
  const pair = jar.cookie.split('; ').find((one) => one.startsWith(start))
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(start.length))
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
 * The client-id cookie of specification §9: the application's id and a random hexadecimal number below 65536, kept for
 * a year. Sixteen bits: it tells browsers apart in a log, it is never a credential nor a key of a limit.
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

const BANNER = 'cookie-banner'

/** Whether this browser closed the cookie banner within the last year. */
export const cookieBannerClosed = (jar: CookieJar): boolean => readCookie(jar, BANNER) === 'closed'

export const closeCookieBanner = (jar: CookieJar, secure: boolean): void =>
  writeCookie(jar, { name: BANNER, value: 'closed', maxAge: YEAR_S, path: '/', secure })
