import { callbackParameters } from '@sightline/contract/sign-in-start'

/** Parameters that the auth server adds to the return address (RFC 6749 §4.1.2; specification §4 for the token). */
export type Callback =
  | { readonly kind: 'none' }
  | { readonly kind: 'code'; readonly code: string; readonly state: string }
  | {
      readonly kind: 'token'
      readonly token: string
      /** Seconds. */
      readonly expiresIn: number
      readonly state: string
      /** True: don't change the cookie that says which application this browser is signed in to. */
      readonly skipAppCookie: boolean
    }
  | { readonly kind: 'refused'; readonly error: string; readonly state: string }

export function parseCallback(query: URLSearchParams): Callback {
  const state = query.get('state') ?? ''
  const error = query.get('error')
  if (error !== null) return { kind: 'refused', error, state }
  const token = query.get('access_token')
  if (token !== null) {
    const expiresIn = Number(query.get('expires_in'))
    if (!(expiresIn > 0)) return { kind: 'refused', error: 'invalid_expires_in', state }
    return { kind: 'token', token, expiresIn, state, skipAppCookie: query.has('skip_app_cookie') }
  }
  const code = query.get('code')
  return code === null ? { kind: 'none' } : { kind: 'code', code, state }
}

/** The address without the callback's parameters, for the address bar and the history. */
export function withoutCallback(address: URL): string {
  const clean = new URL(address)
  for (const name of callbackParameters) clean.searchParams.delete(name)
  return `${clean.pathname}${clean.search}${clean.hash}`
}
