import type { SignInStart } from '@sightline/contract/sign-in-start'
import { type Callback, parseCallback } from './callback.ts'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** 256 random bits as 43 characters of base64url: a `state`, or a code verifier (RFC 7636 §4.1). */
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** The S256 challenge of a verifier (RFC 7636 §4.2). Browsers offer the digest to secure origins only. */
async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

export interface LentToken {
  readonly token: string
  /** Seconds from now. */
  readonly expiresIn: number
}

/** An application that asks the auth server for a token. */
export interface AuthorizingClient extends SignInStart {
  /** Where it lives: `{origin}{path}` is its redirect address. */
  readonly origin: string
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
  readonly locks: SignOutLocks
}

/** Undefined where the page is neither HTTPS nor of this machine. */
export type SignOutLocks = Pick<LockManager, 'request'> | undefined

const SIGNING_OUT = 'sightline.signing-out'
/** A page that was kept from leaving must not keep others from signing in. */
const SIGN_OUT_WITHIN_MS = 10_000

/**
 * From now until this page is left, the other pages of this browser wait before they ask the auth server for a token: theirs
 * may be dead already, while the sign-in that would give them another one ends only after the page is left.
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

/** What is kept of a request until its answer comes. */
export interface Pending {
  readonly state: string
  readonly verifier: string
  readonly returnTo: string
}

interface Wish {
  readonly returnTo: string
  /** `login`: also where somebody is signed in; `none`: only where somebody is. */
  readonly prompt?: 'login' | 'none' | undefined
}

const redirectUri = ({ origin, path }: AuthorizingClient): string => `${origin}${path}`

/** Only a path of this origin may be returned to. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path)

/** The address that asks for a sign-in; not before a sign-out of another page of this browser is over. */
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
  /** What was kept of the question; undefined where none is open. */
  readonly pending: Pending | undefined
}

/** What the auth server sent somebody back with: a token and where to go on, or why there is none. */
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

/** The token that a reply of the auth server stands for, or the name of an error. */
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

/** A token of whoever is signed in at the auth server; undefined where nobody is, or somebody would have to do something. */
export async function renewSilently(client: AuthorizingClient): Promise<LentToken | undefined> {
  const { address, pending } = await request(client, { returnTo: client.path, prompt: 'none' })
  try {
    // The answer of the auth server is the address that it leads to; an auth server elsewhere does not let it be read.
    const { url } = await client.fetch(address, { credentials: 'same-origin' })
    const callback = parseCallback(new URL(url).searchParams)
    if (callback.kind === 'none' || callback.state !== pending.state) return undefined
    const got = await redeem(client, callback, pending)
    return typeof got === 'string' ? undefined : got
  } catch {
    return undefined
  }
}

/** Deletes a token at the server. */
export const revoke = ({ authServer, fetch }: AuthorizingClient, token: string): Promise<Response> =>
  fetch(`${authServer}/rest/v2.0/users/self/tokens/current`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
