/**
 * The data that starts a sign-in. A browser without a session gets a small page with it, in the attribute `data-start`
 * of its root, instead of an application a hundred times larger that would do the same.
 */
export interface SignInStart {
  /** `account.v2`, `camera-app.v1`: OAuth client, `appId`, and prefix of the cookies' names. */
  readonly appId: string
  /** Without a slash at the end; empty if the auth server has this origin. */
  readonly authServer: string
  /** `code`: authorization code with PKCE. `token`: the specification's callback, for flagged clients. */
  readonly authFlow: 'code' | 'token'
  /** Path of the application, `/` or `/app/`; `{origin}{path}` is its registered redirect address. */
  readonly path: string
  /** The registered page after sign-out, `/logout` or `/app/logout`. */
  readonly loggedOutPath: string
}

/** Parameter of an address that requests the application itself, with or without a sign-in. */
export const WHOLE_APP = 'whole-app'

/** Name of the cookie with an application's token, if a browser has one. */
export const tokenCookieName = (appId: string): string => `${appId}.token`

/** Parameters that the auth server adds to the return address (RFC 6749 §4.1.2; specification §4 for the token). */
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
