import { type SignInStart, tokenCookieName } from '@sightline/contract/sign-in-start'
import type { AuthorizingClient, LentToken, Pending, SignOutLocks } from './authorization.ts'
import { type Callback, parseCallback, withoutCallback } from './callback.ts'
import { type CookieJar, type CookieScope, dropCookie, type NewCookie, readCookie, writeCookie } from './cookies.ts'

/** The application, as the auth server knows it. */
export type SessionSettings = SignInStart

/** The browser, as far as a session needs it. */
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

/** How the application came up. `returnTo` is the page that was asked for before signing in, a path of this origin. */
export type Start =
  | { readonly kind: 'signedIn'; readonly returnTo?: string }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'refused'; readonly error: string }

/** Why a session ended: its time was over, the server no longer knows the token, or the person left. */
export type EndReason = 'expired' | 'invalidToken' | 'left'

export interface Session {
  /** The bearer token, undefined when signed out or over. */
  token(): string | undefined
  /** Takes up what the auth server sent back with; an app calls {@link takeCallback} for it before anything else. */
  start(arrived?: Callback): Promise<Start>
  /** Leaves for the sign-in page; comes back to `returnTo` (path with query of this origin). */
  signIn(returnTo: string): Promise<void>
  /**
   * A fresh token of whoever is signed in at the auth server, without anything on the page changing; undefined where that
   * needs somebody. It is not this session's before {@link take}.
   */
  renewSilently(): Promise<LentToken | undefined>
  /** The address at which somebody signs in beside this page, in a window that it opens; that window then closes. */
  signInBeside(): Promise<string>
  /** Goes on with that token in place of the one before; without one, with what another window signed in. */
  take(token?: LentToken): void
  /** Asked for a living token when time is over; the session ends where there is none. */
  onExpiry(renew: () => Promise<boolean>): void
  /** Time is over, and another token is being asked for. */
  isRenewing(): boolean
  /** Deletes the token on the auth server, then leaves for its logout page, which leads to the page after signing out. */
  signOut(): Promise<void>
  /** Deletes the token on the auth server; whoever is signed in there stays so. */
  leave(): Promise<void>
  /** Forgets the token here. `invalidToken` is what a 401 of a dead token means. */
  end(reason: EndReason): void
  /** Called once whenever the session ends; the returned function unsubscribes. */
  onEnd(listener: (reason: EndReason) => void): () => void
  /** The application that this browser is signed in to, of any of our applications. */
  appCookie(): string | undefined
}

/** Where the window of {@link Session.signInBeside} comes back to, below the path of the application. */
const BESIDE = '?signed-in'

/** Whether a page came up in the window of a sign-in beside another page, which then is done. */
export const isSignedInBeside = (returnTo: string | undefined): boolean => returnTo?.endsWith(BESIDE) === true

// A browser that is signed in already does not need it.
const loadAuthorization = () => import('./authorization.ts')

const APP_COOKIE = 'sightline.app'
const APP_COOKIE_S = 365 * 24 * 3600
/** Browsers hold timers in 31 bits; a longer session is looked at again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

type Held = CookieScope & LentToken & { readonly appId: string; readonly now: number }

/** It holds `token~expiry in ms since 1970`, because script cannot read a cookie's own expiry. */
const tokenCookie = ({ appId, token, expiresIn, now, path, secure }: Held): NewCookie => ({
  name: tokenCookieName(appId),
  value: `${token}~${now + expiresIn * 1000}`,
  maxAge: expiresIn,
  path,
  secure,
})

/**
 * Takes the auth server's reply out of the address. The very first thing an app does, so that no other request, error
 * report or history entry ever carries a token or a code.
 */
export function takeCallback(around: Pick<Surroundings, 'location' | 'history'> = window): Callback {
  const address = new URL(around.location.href)
  const callback = parseCallback(address.searchParams)
  if (callback.kind !== 'none') {
    around.history.replaceState(null, '', withoutCallback(address))
    // On its way while the application finds out where it is; a failure is met where it is used.
    loadAuthorization().catch(() => undefined)
  }
  return callback
}

class BrowserSession implements Session {
  readonly #settings: SessionSettings
  readonly #around: Surroundings
  readonly #listeners = new Set<(reason: EndReason) => void>()
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
      // A reply to a question this tab never asked (or asked before a reload): whoever is signed in stays so.
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

  // A window that this page opens begins with a copy of what this tab remembers.
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
    // First of all: a call under way that finds the token dead must not lead back to signing in.
    this.end('left')
    if (token === undefined) return
    // A token that cannot be deleted now still ends at its expiry; leaving must work without the server.
    await loadAuthorization()
      .then(({ revoke }) => revoke(this.#client, token))
      .catch(() => undefined)
  }

  end(reason: EndReason): void {
    clearTimeout(this.#timer)
    const held = readCookie(this.#around.document, this.#cookie) !== undefined
    dropCookie(this.#around.document, this.#cookie, this.#scope)
    // An expired cookie is gone already, but whoever looks at the screen still has to hear of it.
    if (held || reason === 'expired') for (const listener of this.#listeners) listener(reason)
  }

  onEnd(listener: (reason: EndReason) => void): () => void {
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
 * Makes a token the session of another application of this origin, in place of the one that it may have: how the Web App
 * gets a support session that the dealer dashboard began.
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
 * The signed-in state of one application in this browser (specification §4). The token lives in a cookie of the
 * application's path for as long as the server said, and the session ends by itself then.
 */
export const createSession = (settings: SessionSettings, around: Surroundings = browser()): Session =>
  new BrowserSession(settings, around)
