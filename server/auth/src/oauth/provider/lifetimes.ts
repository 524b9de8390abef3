import type { TokenLifetimes } from '@sightline/contract/theme'
import type { AccessToken, Client, Interaction, KoaContextWithOIDC } from 'oidc-provider'
import { isGuestRequest, VISIT_ACR, VISIT_S } from '../../sign-in/demonstrations/index.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** The default of a brand, and the maximum that it can choose. */
const STANDARD: Required<TokenLifetimes> = { accessMinutes: 720, refreshDays: 3650 }
/** How long an application on a device may stay unused; each use restarts it. */
const NATIVE_REFRESH_S = 90 * DAY_S

/** Long enough to look up a password; equals the lifetime of a sign-in page. */
const ANONYMOUS_INTERACTION_S = 20 * MINUTE_S

interface BrandLifetimes {
  /** Access tokens of browsers and confidential clients, and how long a browser stays signed in: then the password is asked again. */
  readonly accessS: number
  /** Of clients that keep a secret; the standard is "until logout", but the provider wants a number. */
  readonly refreshS: number
}

const secondsOf = ({ accessMinutes, refreshDays }: TokenLifetimes): BrandLifetimes => ({
  accessS: (accessMinutes ?? STANDARD.accessMinutes) * MINUTE_S,
  refreshS: (refreshDays ?? STANDARD.refreshDays) * DAY_S,
})

const isNative = (client: Client | undefined): boolean => client?.applicationType === 'native'

/** The table of api.md §3. */
function accessTokenS(
  ctx: KoaContextWithOIDC,
  token: AccessToken,
  { client, now, accessS }: { readonly client: Client | undefined; readonly now: number; readonly accessS: number },
): number {
  if (isGuestRequest(ctx)) return remainingSignIn({ loginTs: begunAt(ctx), acr: VISIT_ACR }, { now, accessS })
  return isNative(client) || token.gty === 'client_credentials' ? Math.min(HOUR_S, accessS) : accessS
}

/** A grant outlives its tokens, even if the brand chooses longer lifetimes meanwhile. */
function grantS(ctx: KoaContextWithOIDC): number {
  const { client, params } = ctx.oidc
  if (isGuestRequest(ctx)) return VISIT_S + MINUTE_S
  if (params?.grant_type === 'client_credentials') return HOUR_S + MINUTE_S
  const { accessS, refreshS } = secondsOf(STANDARD)
  return (client?.grantTypeAllowed('refresh_token') ? refreshS : accessS) + MINUTE_S
}

/** When the sign-in behind a token began, in seconds since 1970. */
function begunAt({ oidc }: KoaContextWithOIDC): number | undefined {
  const { AuthorizationCode: code, Session: session } = oidc.entities
  return code?.authTime ?? session?.loginTs
}

interface SignedIn {
  readonly loginTs?: number | undefined
  readonly acr?: string | undefined
}

/** A sign-in ends a fixed time after the password was entered, however much it is used. */
function remainingSignIn(
  { loginTs, acr }: SignedIn,
  { now, accessS }: Pick<BrandLifetimes, 'accessS'> & { readonly now: number },
): number {
  const mostS = acr === VISIT_ACR ? VISIT_S : accessS
  return loginTs === undefined ? Math.min(HOUR_S, accessS) : Math.max(1, loginTs + mostS - Math.floor(now / 1000))
}

/** Before sign-in anyone can start one, and each is a database row. */
function interactionS(_ctx: KoaContextWithOIDC, { session }: Interaction): number {
  return session?.accountId === undefined ? ANONYMOUS_INTERACTION_S : HOUR_S
}

/** Seconds, by kind of record, at the hosts of a brand that chose these. */
export function lifetimes(clock: { now(): number }, chosen: TokenLifetimes) {
  const { accessS, refreshS } = secondsOf(chosen)
  return {
    AccessToken: (ctx: KoaContextWithOIDC, token: AccessToken, client: Client | undefined) =>
      accessTokenS(ctx, token, { client, now: clock.now(), accessS }),
    AuthorizationCode: MINUTE_S,
    Grant: grantS,
    IdToken: HOUR_S,
    Interaction: interactionS,
    RefreshToken: (_ctx: KoaContextWithOIDC, _token: unknown, client: Client) =>
      isNative(client) ? Math.min(NATIVE_REFRESH_S, refreshS) : refreshS,
    Session: (_ctx: KoaContextWithOIDC, session: SignedIn) => remainingSignIn(session, { now: clock.now(), accessS }),
  }
}
