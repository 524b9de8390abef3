import type { SignInStart } from '@sightline/contract/sign-in-start'
import { type Callback, parseCallback } from './callback.ts'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** 256 random bits as 43 characters of base64url: a `state`, or a code verifier (RFC 7636 §4.1). */
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** The S256 challenge of a verifier (RFC 7636 §4.2). Browsers provide the digest only on secure origins. */
async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

export interface LentToken {
  readonly token: string
  /** Seconds from now. */
  readonly expiresIn: number
}

/** An application that requests tokens from the auth server. */
export interface AuthorizingClient extends SignInStart {
  /** Address of the application: `{origin}{path}` is its redirect address. */
  readonly origin: string
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
  readonly locks: SignOutLocks
}

/** Undefined if the page is neither HTTPS nor on this machine. */
export type SignOutLocks = Pick<LockManager, 'request'> | undefined

const SIGNING_OUT = 'sightline.signing-out'
/** If a page fails to leave, it must not keep other pages from signing in. */
const SIGN_OUT_WITHIN_MS = 10_000

/**
 * Until this page is left, the other pages of this browser wait before they request a token. Their tokens may already
 * be invalid, but the sign-in that could replace them ends only after the page is left.
 */
export const beginSignOut = (locks: SignOutLocks): Promise<void> =>
  new Promise((begun) => {
    if (locks === undefined) return begun()
    const held = locks.request(SIGNING_OUT, { ifAvailable: true }, (lock) => {
      begun()
      return lock === null ? undefined : new Promise<void>(() => undefined)
    })
    held.catch(() => begun())
  })

async function signOutIsOver(locks: SignOutLocks): Promise<void> {
  const patience = { mode: 'shared', signal: AbortSignal.timeout(SIGN_OUT_WITHIN_MS) } as const
  await locks?.request(SIGNING_OUT, patience, () => undefined).catch(() => undefined)
}

/** Data of a request that is stored until the response arrives. */
export interface Pending {
  readonly state: string
  readonly verifier: string
  readonly returnTo: string
}

interface Wish {
  readonly returnTo: string
  /** `login` asks for a sign-in even if someone is signed in; `none` never asks. */
  readonly prompt?: 'login' | 'none' | undefined
}

const redirectUri = ({ origin, path }: AuthorizingClient): string => `${origin}${path}`

/** Only paths of this origin are valid return addresses. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path)

/** The address that starts a sign-in. Waits until a sign-out in another page of this browser is complete. */
export async function request(
  client: AuthorizingClient,
  { returnTo, prompt }: Wish,
): Promise<{ readonly address: string; readonly pending: Pending }> {
  const { authServer, authFlow, appId, path, locks } = client
  await signOutIsOver(locks)
  const pending = {
    state: randomText(),
    verifier: randomText(),
    returnTo: isOwnPath(returnTo) ? returnTo : path,
  }
  const query = new URLSearchParams({
    response_type: authFlow,
    client_id: appId,
    redirect_uri: redirectUri(client),
    scope: 'read write',
    appId,
    state: pending.state,
  })
  if (prompt !== undefined) query.set('prompt', prompt)
  if (authFlow === 'code') {
    query.set('code_challenge', await challengeOf(pending.verifier))
    query.set('code_challenge_method', 'S256')
  }
  return { address: `${authServer}/oauth/authorize?${query}`, pending }
}

interface Answer {
  readonly callback: Exclude<Callback, { kind: 'none' }>
  /** The stored request; undefined if there is none. */
  readonly pending: Pending | undefined
}

/** The result of the auth server: a token and the page to return to, or the reason for a failure. */
export async function arrive(
  client: AuthorizingClient,
  { callback, pending }: Answer,
): Promise<(LentToken & { returnTo: string; marksApp: boolean }) | { error: string } | 'unasked'> {
  if (pending === undefined || pending.state !== callback.state) return 'unasked'
  const got = await redeem(client, callback, pending)
  if (typeof got === 'string') return { error: got }
  const marksApp = !(callback.kind === 'token' && callback.skipAppCookie)
  return { token: got.token, expiresIn: got.expiresIn, returnTo: pending.returnTo, marksApp }
}

/** The token in a response of the auth server, or the name of an error. */
async function redeem(
  client: AuthorizingClient,
  callback: Exclude<Callback, { kind: 'none' }>,
  pending: Pending,
): Promise<LentToken | string> {
  if (callback.kind === 'refused') return callback.error
  if (callback.kind === 'code') return exchange(client, callback.code, pending)
  return client.authFlow === 'token' ? callback : 'unsupported_response_type'
}

async function exchange(client: AuthorizingClient, code: string, { verifier }: Pending): Promise<LentToken | string> {
  try {
    const response = await client.fetch(`${client.authServer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri(client),
        client_id: client.appId,
        code_verifier: verifier,
      }),
    })
    const reply: { access_token?: unknown; expires_in?: unknown; error?: unknown } = await response.json()
    const { access_token: token, expires_in: expiresIn } = reply
    if (typeof token === 'string' && typeof expiresIn === 'number') return { token, expiresIn }
    return String(reply.error ?? 'invalid_reply')
  } catch {
    return 'server_unreachable'
  }
}

/**
 * A token of the user signed in at the auth server; undefined if no one is, or if it requires input from the user.
 */
export async function renewSilently(client: AuthorizingClient): Promise<LentToken | undefined> {
  const { address, pending } = await request(client, { returnTo: client.path, prompt: 'none' })
  try {
    // The auth server responds with a redirect. If it has another origin, this page can't read the address.
    const { url } = await client.fetch(address, { credentials: 'same-origin' })
    const callback = parseCallback(new URL(url).searchParams)
    if (callback.kind === 'none' || callback.state !== pending.state) return undefined
    const got = await redeem(client, callback, pending)
    return typeof got === 'string' ? undefined : got
  } catch {
    return undefined
  }
}

/** Revokes a token on the server. */
export const revoke = ({ authServer, fetch }: AuthorizingClient, token: string): Promise<Response> =>
  fetch(`${authServer}/rest/v2.0/users/self/tokens/current`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
