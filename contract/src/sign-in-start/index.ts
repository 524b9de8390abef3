/**
 * What an application needs to begin a sign-in. A browser without a session gets a page that holds this and does nothing
 * else, in the attribute `data-start` of its root: an application of a hundred times the size would do the same.
 */
export interface SignInStart {
  /** `account.v2`, `camera-app.v1`: OAuth client, `appId`, and first part of the cookies' names. */
  readonly appId: string
  /** Without a slash at its end; empty where the auth server is this origin. */
  readonly authServer: string
  /** `code`: authorization code with PKCE. `token`: the specification's callback, for clients flagged for it. */
  readonly authFlow: 'code' | 'token'
  /** Path of the application, `/` or `/app/`; `{origin}{path}` is its registered redirect address. */
  readonly path: string
  /** The registered page after signing out, `/logout` or `/app/logout`. */
  readonly loggedOutPath: string
}

/** Parameter of an address that asks for the application itself, whoever asks. */
export const WHOLE_APP = 'whole-app'

/** Name of the cookie that holds an application's token, where a browser has one. */
export const tokenCookieName = (appId: string): string => `${appId}.token`

/** Parameters with which the auth server sends a browser back (RFC 6749 §4.1.2; specification §4 for the token). */
export const callbackParameters = [
  'code',
  'state',
  'access_token',
  'expires_in',
  'token_type',
  'scope',
  'skip_app_cookie',
  'iss',
  'error',
  'error_description',
] as const
