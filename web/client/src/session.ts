import { type SignInStart, tokenCookieName } from '@sightline/contract/sign-in-start'
import type { AuthorizingClient, LentToken, Pending, SignOutLocks } from './authorization.ts'
import { type Callback, parseCallback, withoutCallback } from './callback.ts'
import { type CookieJar, type CookieScope, dropCookie, type NewCookie, readCookie, writeCookie } from './cookies.ts'

/** The application, as registered with the auth server. */
export type SessionSettings = SignInStart

/** The parts of the browser that a session uses. */
export interface Surroundings {
  readonly document: CookieJar
  readonly location: {
    readonly href: string
    readonly origin: string
    readonly protocol: string
    assign(to: string): void
  }
  readonly history: { replaceState(data: unknown, unused: string, url: string): void }
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  fetch(address: string, init: RequestInit): Promise<Response>
  now(): number
  readonly locks: SignOutLocks
}

/** How the application started. `returnTo` is the page that was requested before the sign-in, a path of this origin. */
export type Start =
  | { readonly kind: 'signedIn'; readonly returnTo?: string }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'refused'; readonly error: string }

/** Why a session ended: it expired, the server rejected the token, or the user signed out. */
export type SessionEndReason = 'expired' | 'invalidToken' | 'left'

export interface SignInSession {
  /** The bearer token; undefined when signed out or expired. */
  token(): string | undefined
  /** Applies the result of the auth server. Before that, an app calls {@link takeCallback} first of all. */
  start(arrived?: Callback): Promise<Start>
  /** Redirects to the sign-in page, which returns to `returnTo` (path with query of this origin). */
  signIn(returnTo: string): Promise<void>
  /**
   * Requests a new token for the person signed in at the auth server, without changing the page. Undefined if that
   * requires input. The session uses the token only after {@link take}.
   */
  renewSilently(): Promise<LentToken | undefined>
  /** The address for a sign-in in a separate window, which closes afterwards. */
  signInBeside(): Promise<string>
  /** Replaces the token with this one. Without an argument, uses the token that another window got. */
  take(token?: LentToken): void
  /** Called to get a valid token when the token expires. If there is none, the session ends. */
  onExpiry(renew: () => Promise<boolean>): void
  /** The token has expired, and a new one was requested. */
  isRenewing(): boolean
  /**
   * Revokes the token on the auth server, then redirects to its logout page, which redirects to the page after
   * sign-out.
   */
  signOut(): Promise<void>
  /** Revokes the token on the auth server, but keeps the person signed in there. */
  leave(): Promise<void>
  /** Removes the token from this browser. `invalidToken` is the reason after a 401 for an invalid token. */
  end(reason: SessionEndReason): void
  /** Called once each time the session ends. The returned function unsubscribes. */
  onEnd(listener: (reason: SessionEndReason) => void): () => void
  /** Which of our applications this browser is signed in to. */
  appCookie(): string | undefined
}

/** Where the window of {@link Session.signInBeside} returns to, below the path of the application. */
const BESIDE = '?signed-in'

/** Whether this page is the window of such a sign-in, which is then complete. */
export const isSignedInElsewhere = (returnTo: string | undefined): boolean => returnTo?.endsWith(BESIDE) === true

// A browser that is already signed in doesn't need this.
const loadAuthorization = () => import('./authorization.ts')

const APP_COOKIE = 'sightline.app'
const APP_COOKIE_S = 365 * 24 * 3600
/** Browsers store timers in 31 bits. A longer session is checked again after this time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

type Held = CookieScope & LentToken & { readonly appId: string; readonly now: number }

/** Contains `token~expiry in ms since 1970`, because scripts can't read the expiry of a cookie. */
const tokenCookie = ({ appId, token, expiresIn, now, path, secure }: Held): NewCookie => ({
  name: tokenCookieName(appId),
  value: `${token}~${now + expiresIn * 1000}`,
  maxAge: expiresIn,
  path,
  secure,
})

/**
 * Removes the auth server's parameters from the address. An app calls this first, so no request, error report or
 * history entry ever contains a token or a code.
 */
export function takeCallback(around: Pick<Surroundings, 'location' | 'history'> = window): Callback {
  const address = new URL(around.location.href)
  const callback = parseCallback(address.searchParams)
  if (callback.kind !== 'none') {
    around.history.replaceState(null, '', withoutCallback(address))
    // The request runs while the application starts. A failure is handled where the result is used.
    loadAuthorization().catch(() => undefined)
  }
  return callback
}

class BrowserSession implements SignInSession {
  readonly #settings: SessionSettings
  readonly #around: Surroundings
  readonly #listeners = new Set<(reason: SessionEndReason) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #renew: (() => Promise<boolean>) | undefined
  #isRenewing = false

  constructor(settings: SessionSettings, around: Surroundings) {
    this.#settings = settings
    this.#around = around
  }

  get #scope(): CookieScope {
    return { path: this.#settings.path, secure: this.#around.location.protocol === 'https:' }
  }
  get #cookie(): string {
    return tokenCookieName(this.#settings.appId)
  }
  get #pendingKey(): string {
    return `${this.#settings.appId}.sign-in`
  }
  get #client(): AuthorizingClient {
    const { location, fetch, locks } = this.#around
    return { ...this.#settings, origin: location.origin, fetch, locks }
  }

  #kept(): { token: string; expiresAt: number } | undefined {
    const [token, expiresAt] = readCookie(this.#around.document, this.#cookie)?.split('~') ?? []
    if (token === undefined || token === '' || !(Number(expiresAt) > this.#around.now())) return undefined
    return { token, expiresAt: Number(expiresAt) }
  }

  token(): string | undefined {
    return this.#kept()?.token
  }

  appCookie(): string | undefined {
    return readCookie(this.#around.document, APP_COOKIE)
  }

  async start(callback: Callback = takeCallback(this.#around)): Promise<Start> {
    const started = callback.kind === 'none' ? this.#resume() : await this.#arrive(callback)
    if (started.kind === 'signedIn') this.#watchExpiry()
    return started
  }

  #resume(): Start {
    return this.#kept() === undefined ? { kind: 'signedOut' } : { kind: 'signedIn' }
  }

  async #arrive(callback: Exclude<Callback, { kind: 'none' }>): Promise<Start> {
    const pending = this.#takePending()
    const { arrive } = await loadAuthorization()
    const came = await arrive(this.#client, { callback, pending })
    if (came === 'unasked') {
      // The result of a request that this tab didn't make (or made before a reload). The current session stays.
      return this.#kept() === undefined ? { kind: 'refused', error: 'invalid_state' } : { kind: 'signedIn' }
    }
    if ('error' in came) return { kind: 'refused', error: came.error }
    this.#keep(came.token, came.expiresIn)
    if (came.marksApp) this.#markApp()
    return { kind: 'signedIn', returnTo: came.returnTo }
  }

  async signIn(returnTo: string): Promise<void> {
    this.#around.location.assign(await this.#ask(returnTo))
  }

  // A window opened by this page starts with a copy of this tab's storage.
  signInBeside = (): Promise<string> => this.#ask(this.#settings.path + BESIDE, 'login')

  async renewSilently(): Promise<LentToken | undefined> {
    const { renewSilently } = await loadAuthorization()
    return renewSilently(this.#client)
  }

  take(token?: LentToken): void {
    if (token !== undefined) this.#keep(token.token, token.expiresIn)
    this.#watchExpiry()
  }

  onExpiry(renew: () => Promise<boolean>): void {
    this.#renew = renew
  }

  isRenewing(): boolean {
    return this.#isRenewing
  }

  async #ask(returnTo: string, prompt?: 'login'): Promise<string> {
    const { request } = await loadAuthorization()
    const { address, pending } = await request(this.#client, { returnTo, prompt })
    this.#around.sessionStorage.setItem(this.#pendingKey, JSON.stringify(pending))
    return address
  }

  async signOut(): Promise<void> {
    const { authServer, loggedOutPath } = this.#settings
    await loadAuthorization()
      .then(({ beginSignOut }) => beginSignOut(this.#around.locks))
      .catch(() => undefined)
    await this.leave()
    const back = new URLSearchParams({ redirect_uri: `${this.#around.location.origin}${loggedOutPath}` })
    this.#around.location.assign(`${authServer}/auth/logout?${back}`)
  }

  async leave(): Promise<void> {
    const token = this.token()
    // This comes first: if a pending call finds the token invalid, it must not redirect to the sign-in page.
    this.end('left')
    if (token === undefined) return
    // If the token can't be revoked now, it still expires. Signing out must work without the server.
    await loadAuthorization()
      .then(({ revoke }) => revoke(this.#client, token))
      .catch(() => undefined)
  }

  end(reason: SessionEndReason): void {
    clearTimeout(this.#timer)
    const held = readCookie(this.#around.document, this.#cookie) !== undefined
    dropCookie(this.#around.document, this.#cookie, this.#scope)
    // An expired cookie is already gone, but the screen still has to be told.
    if (held || reason === 'expired') for (const listener of this.#listeners) listener(reason)
  }

  onEnd(listener: (reason: SessionEndReason) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #keep(token: string, expiresIn: number): void {
    const { appId } = this.#settings
    const cookie = tokenCookie({ appId, token, expiresIn, now: this.#around.now(), ...this.#scope })
    writeCookie(this.#around.document, cookie)
  }

  #markApp(): void {
    const { document, location } = this.#around
    const secure = location.protocol === 'https:'
    writeCookie(document, { name: APP_COOKIE, value: this.#settings.appId, maxAge: APP_COOKIE_S, path: '/', secure })
  }

  #takePending(): Pending | undefined {
    const kept = this.#around.sessionStorage.getItem(this.#pendingKey)
    this.#around.sessionStorage.removeItem(this.#pendingKey)
    return kept === null ? undefined : (JSON.parse(kept) as Pending)
  }

  async #expire(): Promise<void> {
    if (this.#renew === undefined) return this.end('expired')
    this.#isRenewing = true
    const isRenewed = await this.#renew().catch(() => false)
    this.#isRenewing = false
    if (isRenewed === true) return
    if (this.token() === undefined) this.end('expired')
  }

  #watchExpiry(): void {
    clearTimeout(this.#timer)
    const kept = this.#kept()
    if (kept === undefined) {
      void this.#expire()
      return
    }
    const left = Math.min(kept.expiresAt - this.#around.now(), LONGEST_TIMER_MS)
    this.#timer = setTimeout(() => this.#watchExpiry(), left)
  }
}

/**
 * Stores the token as the session of another application of this origin, replacing an existing one. The Web App gets a
 * support session from the Dealer Dashboard in this way.
 */
export function lendSession(
  { appId, path }: Pick<SessionSettings, 'appId' | 'path'>,
  lent: LentToken,
  around: Pick<Surroundings, 'document' | 'location' | 'now'> = browser(),
): void {
  const secure = around.location.protocol === 'https:'
  writeCookie(around.document, tokenCookie({ appId, path, secure, now: around.now(), ...lent }))
}

const browser = (): Surroundings => ({
  document,
  location: window.location,
  history: window.history,
  sessionStorage: window.sessionStorage,
  fetch: (address, init) => fetch(address, init),
  now: () => Date.now(),
  locks: navigator.locks,
})

/**
 * The sign-in state of one application in this browser (specification §4). The token is in a cookie with the
 * application's path and expires with it; the session then ends.
 */
export const createSession = (settings: SessionSettings, around: Surroundings = browser()): SignInSession =>
  new BrowserSession(settings, around)
