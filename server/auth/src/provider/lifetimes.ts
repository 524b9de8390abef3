import type { AccessToken, Client, Interaction, KoaContextWithOIDC } from 'oidc-provider'
import { isVisit, VISIT_ACR, VISIT_S } from '../demonstrations/index.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Access tokens of browsers and confidential clients, and how long a browser stays signed in: then the password is asked again. */
const ACCESS_TOKEN_S = 12 * HOUR_S
/** "Until logout" for clients that keep a secret; the provider wants a number. */
const CONFIDENTIAL_REFRESH_S = 3650 * DAY_S
/** How long an application on a device may lie unused; each use begins anew. */
const NATIVE_REFRESH_S = 90 * DAY_S

/** Long enough to look a password up; as long as a page for signing in is good. */
const ANONYMOUS_INTERACTION_S = 20 * MINUTE_S

const isNative = (client: Client | undefined): boolean => client?.applicationType === 'native'

/** The table of api.md §3. */
function accessTokenS(
  ctx: KoaContextWithOIDC,
  token: AccessToken,
  { client, now }: { readonly client: Client | undefined; readonly now: number },
): number {
  if (isVisit(ctx)) return remainingSignIn({ loginTs: begunAt(ctx), acr: VISIT_ACR }, now)
  return isNative(client) || token.gty === 'client_credentials' ? HOUR_S : ACCESS_TOKEN_S
}

/** A grant outlives what comes from it. */
function grantS(ctx: KoaContextWithOIDC): number {
  const { client, params } = ctx.oidc
  if (isVisit(ctx)) return VISIT_S + MINUTE_S
  if (params?.grant_type === 'client_credentials') return HOUR_S + MINUTE_S
  return (client?.grantTypeAllowed('refresh_token') ? CONFIDENTIAL_REFRESH_S : ACCESS_TOKEN_S) + MINUTE_S
}

/** When the sign-in began that a token comes from, in seconds since 1970. */
function begunAt({ oidc }: KoaContextWithOIDC): number | undefined {
  const { AuthorizationCode: code, Session: session } = oidc.entities
  return code?.authTime ?? session?.loginTs
}

interface SignedIn {
  readonly loginTs?: number | undefined
  readonly acr?: string | undefined
}

/** A sign-in ends a fixed time after the password was given, however much it is used. */
function remainingSignIn({ loginTs, acr }: SignedIn, now: number): number {
  const mostS = acr === VISIT_ACR ? VISIT_S : ACCESS_TOKEN_S
  return loginTs === undefined ? HOUR_S : Math.max(1, loginTs + mostS - Math.floor(now / 1000))
}

/** Until somebody is signed in anybody may have begun it, and each is a row in the database. */
function interactionS(_ctx: KoaContextWithOIDC, { session }: Interaction): number {
  return session?.accountId === undefined ? ANONYMOUS_INTERACTION_S : HOUR_S
}

/** Seconds, by kind of record. */
export const lifetimes = (clock: { now(): number }) => ({
  AccessToken: (ctx: KoaContextWithOIDC, token: AccessToken, client: Client | undefined) =>
    accessTokenS(ctx, token, { client, now: clock.now() }),
  AuthorizationCode: MINUTE_S,
  Grant: grantS,
  IdToken: HOUR_S,
  Interaction: interactionS,
  RefreshToken: (_ctx: KoaContextWithOIDC, _token: unknown, client: Client) =>
    isNative(client) ? NATIVE_REFRESH_S : CONFIDENTIAL_REFRESH_S,
  Session: (_ctx: KoaContextWithOIDC, session: SignedIn) => remainingSignIn(session, clock.now()),
})
