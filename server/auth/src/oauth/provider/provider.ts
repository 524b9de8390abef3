import { signInLanguages } from '@sightline/contract/sign-in-pages'
import type { BrandTheme } from '@sightline/contract/theme'
import type { Clock } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { type Logger, pathForLog } from '@sightline/platform/log'
import Provider, { type Client, type Configuration, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { Failures } from '../../factors/failures/index.ts'
import {
  type AuthUser,
  claimsByScope,
  findByUserId,
  isInAudience,
  type Lookup,
  loadClaims,
} from '../../people/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import type { GeoLocator } from '../../sessions/request-origin/index.ts'
import { isGuestRequest, VISIT_ACR } from '../../sign-in/demonstrations/index.ts'
import { noteKeyUse } from '../api-keys/index.ts'
import { answerTokenCallback, authorizeParameters, TOKEN_CALLBACK } from '../authorize/index.ts'
import { clientScopes } from '../clients/index.ts'
import { consentedScopes } from '../consent/index.ts'
import { END_SESSION_PATH } from '../logout/index.ts'
import { type GrantDeps, getCheckedLogin, registerGrants } from '../token/index.ts'
import { type ClientFacts, ClientRecords, FACTS, getClientFacts, ownClients } from './client-metadata.ts'
import { compareHashedSecrets, isByPresentSecret } from './client-secrets.ts'
import { lifetimes } from './lifetimes.ts'
import { PostgresAdapter, type RequestFacts, type SignInBasis, type StoredRegistration } from './records-store.ts'
import type { AuthSecrets, SigningKey } from './secrets.ts'

/** Shows the authorization server's own error page in reply to that request. */
export type RenderError = (ctx: KoaContextWithOIDC, error: ProviderFailure) => Promise<void>

/** `error` is the OAuth error code; `cause` is the thrown error. */
export interface ProviderFailure {
  readonly error: string
  readonly cause: Error
}

export interface ProviderDeps extends GrantDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly log: Logger
  readonly secrets: AuthSecrets
  readonly sessions: Sessions
  readonly failures: Failures
  readonly geoLocator: GeoLocator
  /** Our own applications get their token by the specification's callback, too. */
  readonly ownTokenCallback: boolean
  readonly renderError: RenderError
}

/** The issuer: `https://host`, and the reseller of that host's brand. */
export interface Issuer {
  readonly origin: string
  readonly resellerId: number | undefined
  /** Of the brand; how long tokens last is the standard without it. */
  readonly theme?: Pick<BrandTheme, 'tokenLifetimes'>
}

const TOKEN_BITS = 256

/** The users among whom a client's users are searched on that host. */
export const toLookup = ({ resellerId }: Issuer, facts: ClientFacts): Lookup => ({
  resellerId: resellerId ?? facts.resellerId,
  audience: facts.serves,
})

/** The issuer of one host: its own clients and addresses, with the common store. */
export function createProvider(issuer: Issuer, deps: ProviderDeps): Provider {
  const provider = new Provider(issuer.origin, configuration(issuer, deps))
  // Only the edge can reach us, and it writes the forwarded headers itself.
  provider.proxy = true
  provider.registerResponseMode(TOKEN_CALLBACK, answerTokenCallback)
  registerGrants(provider, deps, {
    among: (ctx) => toLookup(issuer, getClientFacts(ctx.oidc.client)),
    ownAccess: (ctx) => getClientFacts(ctx.oidc.client),
    noteKeyUse: (ctx) =>
      noteKeyUse(deps.db, {
        clientId: ctx.oidc.client?.clientId ?? '',
        isPresentSecret: isByPresentSecret(ctx),
        at: deps.clock.now(),
      }),
  })
  compareHashedSecrets(provider, deps)
  provider.use(inOurWords)
  provider.on('server_error', (ctx, err) =>
    deps.log.error(
      { err, path: pathForLog(ctx.path), requestId: ctx.get('x-request-id') },
      'the authorization server failed',
    ),
  )
  return provider
}

function configuration({ origin, resellerId, theme }: Issuer, deps: ProviderDeps): Configuration {
  const secure = origin.startsWith('https:')
  const methods = ['none', 'client_secret_basic', 'client_secret_post'] as const
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true } as const
  return {
    adapter: (kind) =>
      kind === 'Client'
        ? new ClientRecords(deps.db, resellerId)
        : new PostgresAdapter(kind, { ...deps, issuer: origin, requestFacts }),
    clients: ownClients(origin, deps.ownTokenCallback),
    claims: claimsByScope,
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    clientAuthMethods: [...methods],
    clientBasedCORS: (_ctx, from, client) => isOwnOrigin(client, from),
    cookies: {
      keys: deps.secrets.cookieKeys,
      names: {
        session: secure ? '__Host-sightline.sign-in' : 'sightline.sign-in',
        interaction: 'sightline.interaction',
        resume: 'sightline.resume',
      },
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    discovery: {
      end_session_endpoint: `${origin}${END_SESSION_PATH}`,
      introspection_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      ui_locales_supported: signInLanguages,
    },
    extraClientMetadata: { properties: [FACTS] },
    extraParams: authorizeParameters,
    features: features(deps),
    // Ends with the sign-in through table `provider_records.uid`, so that not every check has to read the session.
    expiresWithSession: async () => false,
    findAccount: async (ctx, sub) => {
      const person = await personOf(ctx, sub, deps)
      if (person === undefined) return undefined
      return { accountId: sub, claims: async () => ({ ...(await loadClaims(deps.db, person.userId)), sub }) }
    },
    formats: { bitsOfOpaqueRandomness: TOKEN_BITS },
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}`, policy: policy() },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: deps.secrets.signingKeys.map(toJwk) },
    loadExistingGrant: (ctx) => grantFor(ctx, deps.db),
    // Existing confidential clients don't know PKCE; public clients must use it.
    pkce: {
      required: (ctx, client) =>
        client.tokenEndpointAuthMethod === 'none' && ctx.oidc.params?.response_mode !== TOKEN_CALLBACK,
    },
    renderError: (ctx, out, error) => deps.renderError(ctx, { error: out.error, cause: error }),
    responseTypes: ['code'],
    rotateRefreshToken: (ctx) => ctx.oidc.client?.tokenEndpointAuthMethod === 'none',
    routes: {
      authorization: '/oauth/authorize',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
      revocation: '/oauth/revoke',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
    },
    scopes: [...clientScopes],
    ttl: lifetimes(deps.clock, theme?.tokenLifetimes ?? {}),
  }
}

function features(deps: ProviderDeps): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    introspection: {
      enabled: true,
      // A token of a user who can no longer sign in is inactive.
      allowedPolicy: async (ctx, client, token) =>
        token.clientId === client.clientId && (await personOf(ctx, accountIdOf(token), deps)) !== undefined,
    },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    // Sign-out also ends rows that the provider doesn't know, so both routes are ours (`../logout`).
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: true },
  }
}

/** Omits our private members: the public part is published member by member. */
function toJwk(key: SigningKey) {
  if (key.alg === 'ES256') return { ...key }
  const { madeAt: _, ...jwk } = key
  return jwk
}

const isOwnOrigin = (client: Client, origin: string): boolean =>
  (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)

const accountIdOf = (token: object): string | undefined =>
  'accountId' in token && typeof token.accountId === 'string' ? token.accountId : undefined

/** The user of a subject, if they can sign in to this client now. */
async function personOf(ctx: KoaContextWithOIDC, sub: string | undefined, { db }: { readonly db: Db }) {
  if (sub === undefined) return undefined
  const person: AuthUser | undefined = await findByUserId(db, Number(sub))
  if (!person?.maySignIn) return undefined
  const { resellerId, serves } = getClientFacts(ctx.oidc.client)
  const isOfBrand = resellerId === undefined || person.resellerId === resellerId
  return isOfBrand && isInAudience(serves, person) ? person : undefined
}

/** A guest session is for our own applications only and has no authentication time. */
function countsAsSignedIn({ oidc }: KoaContextWithOIDC): boolean {
  if (oidc.session?.acr !== VISIT_ACR) return true
  const { serves, isOwn } = getClientFacts(oidc.client)
  return isOwn && serves === 'members' && (oidc.params?.max_age === undefined || oidc.result?.login !== undefined)
}

/** The standard prompts, and one more: a user blocked or removed since then must sign in again. */
function policy() {
  const prompts = interactionPolicy.base()
  prompts
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the signed-in user can no longer sign in',
        'login_required',
        (ctx) =>
          ctx.oidc.session?.accountId !== undefined && ctx.oidc.entities.Account === undefined
            ? interactionPolicy.Check.REQUEST_PROMPT
            : interactionPolicy.Check.NO_NEED_TO_PROMPT,
      ),
    )
  prompts
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('visitor', 'a visitor of a demo has not signed in', 'login_required', (ctx) =>
        countsAsSignedIn(ctx) ? interactionPolicy.Check.NO_NEED_TO_PROMPT : interactionPolicy.Check.REQUEST_PROMPT,
      ),
    )
  const consent = prompts.get('consent')?.checks
  // Anyone can register a device's scheme or port, so silent approval isn't enough for native clients (RFC 8252 §8.6).
  consent?.remove('native_client_prompt')
  consent?.add(
    new interactionPolicy.Check(
      'native_client_prompt',
      'native clients require an interaction before the redirect',
      'interaction_required',
      (ctx) => ctx.oidc.client?.applicationType === 'native' && ctx.oidc.result === undefined,
    ),
  )
  return prompts
}

/**
 * The grant of this authorization, or undefined if the user must be asked first. Our own applications need no consent.
 * Each authorization has its own grant, so that signing out of one browser tab or reusing a code ends only that grant.
 */
async function grantFor(ctx: KoaContextWithOIDC, db: Db) {
  const { provider, client, account, requestParamScopes } = ctx.oidc
  if (client === undefined || account === undefined) return undefined
  // Users can't be asked about unknown scopes; RFC 6749 §3.3 lets us grant less.
  const known = client.scope?.split(' ') ?? []
  const asked = [...requestParamScopes].filter((scope) => known.includes(scope))
  if (!getClientFacts(client).isOwn) {
    const allowed = await consentedScopes(db, { userId: Number(account.accountId), clientId: client.clientId })
    if (asked.length === 0 || !asked.every((scope) => allowed.includes(scope))) return undefined
  }
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope(asked.join(' '))
  await grant.save()
  return grant
}

/** The provider's error for a grant type that the client can't use; RFC 6749 §5.2 has a separate code for it. */
const GRANT_NOT_ALLOWED = 'requested grant type is not allowed for this client'

/**
 * Responses that the provider can't be configured for: `bearer` as existing clients expect it (api.md §3; RFC 6749 §5.1
 * ignores case), `unauthorized_client`, and in the metadata the token callback, which the provider doesn't know.
 */
async function inOurWords(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  const body: unknown = ctx.body
  if (typeof body !== 'object' || body === null) return
  if (ctx.path === '/oauth/token') {
    if ('access_token' in body) ctx.body = { ...body, token_type: 'bearer' }
    const isUnauthorized = 'error_description' in body && body.error_description === GRANT_NOT_ALLOWED
    if (isUnauthorized) ctx.body = { ...body, error: 'unauthorized_client' }
  }
  if (!ctx.path.startsWith('/.well-known/') || !('grant_types_supported' in body)) return
  const { grant_types_supported: grants } = body
  ctx.body = {
    ...body,
    response_types_supported: ['code', 'token'],
    grant_types_supported: [...(Array.isArray(grants) ? grants : []), 'implicit'],
  }
}

function requestFacts(): RequestFacts {
  const ctx = Provider.ctx
  const appId = ctx?.oidc.params?.appId
  const { AuthorizationCode: code, RotatedRefreshToken: rotated, RefreshToken: refresh } = ctx?.oidc.entities ?? {}
  return {
    address: ctx?.ip,
    userAgent: ctx?.get('user-agent'),
    appId: typeof appId === 'string' ? appId : undefined,
    // Order matters: during a code exchange the accompanying refresh token is new.
    source: code?.jti ?? rotated?.jti ?? refresh?.jti,
    outlivesSignIn: ctx?.oidc.client?.grantTypeAllowed('refresh_token') === true,
    signedIn: signedInBy(ctx),
    isVisit: isGuestRequest(ctx),
    client: ctx === undefined ? undefined : registeredAs(ctx),
  }
}

function registeredAs({ oidc: { client, route } }: KoaContextWithOIDC): StoredRegistration | undefined {
  if (client === undefined || getClientFacts(client).isOwn) return undefined
  const { clientId, clientSecret, scope } = client
  const secretSha256 = clientSecret === undefined ? undefined : Buffer.from(clientSecret, 'hex')
  return { clientId, secretSha256, scopes: scope?.split(' ') ?? [], needsConsent: route !== 'token' }
}

/**
 * A program may send a password with its request. When returning from the sign-in page it is the one entered there;
 * from the page after it, also the session that began in between.
 */
function signedInBy(ctx: KoaContextWithOIDC | undefined): SignInBasis {
  const checked = ctx === undefined ? undefined : getCheckedLogin(ctx)
  if (checked !== undefined) return { login: checked, sessionUid: undefined }
  const { login, consent } = ctx?.oidc.result ?? {}
  const session = ctx?.oidc.entities.Session
  const isSignedIn = session?.accountId !== undefined && (login === undefined || consent !== undefined)
  return {
    login:
      login === undefined
        ? undefined
        : { userId: Number(login.accountId), generation: typeof login.generation === 'number' ? login.generation : -1 },
    sessionUid: isSignedIn ? session.uid : undefined,
  }
}
