import type { Clock } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import Provider, {
  type Client,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { clientsAt } from '../clients/index.ts'
import { findByUserId } from '../people/index.ts'
import type { AuthSecrets } from '../secrets.ts'
import type { Sessions } from '../sessions/index.ts'
import { PostgresAdapter, type RequestFacts } from './records-store.ts'

/** Shows the authorization server's own error page in answer to that request. */
export type RenderError = (ctx: KoaContextWithOIDC, error: ProviderFailure) => Promise<void>

/** `error` is the OAuth error code; `cause` is what was thrown. */
export interface ProviderFailure {
  readonly error: string
  readonly cause: Error
}

export interface ProviderParts {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly log: Logger
  readonly secrets: AuthSecrets
  readonly sessions: Sessions
  readonly renderError: RenderError
}

const MINUTE_S = 60
const HOUR_S = 3600
/** Access tokens of our browser apps (api.md §3), and how long a browser stays signed in: then the password is asked again. */
const ACCESS_TOKEN_S = 12 * HOUR_S
const TOKEN_BITS = 256
const APP_ID = /^[A-Za-z0-9._-]{1,64}$/

/** The issuer of one host: its own clients and addresses, over the common store. */
export function providerFor(issuer: string, parts: ProviderParts): Provider {
  const provider = new Provider(issuer, configuration(issuer, parts))
  // The edge alone can reach us and writes the forwarded headers itself.
  provider.proxy = true
  provider.on('server_error', (ctx, err) =>
    parts.log.error({ err, path: ctx.path, requestId: ctx.get('x-request-id') }, 'the authorization server failed'),
  )
  return provider
}

function configuration(issuer: string, parts: ProviderParts): Configuration {
  const secure = issuer.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true } as const
  return {
    adapter: (kind) => new PostgresAdapter(kind, { ...parts, issuer, requestFacts }),
    clients: clientsAt(issuer).map((client) => ({
      client_id: client.clientId,
      redirect_uris: [...client.redirectUris],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid read write',
    })),
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: (_ctx, origin, client) => isOwnOrigin(client, origin),
    cookies: {
      keys: parts.secrets.cookieKeys,
      names: {
        session: secure ? '__Host-sightline.sign-in' : 'sightline.sign-in',
        interaction: 'sightline.interaction',
        resume: 'sightline.resume',
      },
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    extraParams: { appId: checkAppId },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      // `/auth/logout` is ours: the specification says what it is called with.
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    // Ends with the sign-in through table `provider_records.uid`, not by a look at the session for each check.
    expiresWithSession: async () => false,
    findAccount: async (_ctx, sub) => {
      const person = await findByUserId(parts.db, Number(sub))
      return person?.maySignIn ? { accountId: sub, claims: () => ({ sub }) } : undefined
    },
    formats: { bitsOfOpaqueRandomness: TOKEN_BITS },
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}`, policy: policy() },
    issueRefreshToken: async () => false,
    jwks: { keys: parts.secrets.signingKeys.map((key) => ({ ...key })) },
    loadExistingGrant: grantToOwnClient,
    pkce: { required: () => true },
    renderError: (ctx, out, error) => parts.renderError(ctx, { error: out.error, cause: error }),
    responseTypes: ['code'],
    routes: {
      authorization: '/oauth/authorize',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
      revocation: '/oauth/revoke',
      token: '/oauth/token',
    },
    scopes: ['openid', 'read', 'write'],
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: MINUTE_S,
      Grant: ACCESS_TOKEN_S + MINUTE_S,
      IdToken: HOUR_S,
      Interaction: HOUR_S,
      Session: (_ctx, session) => remainingSignIn(session.loginTs, parts.clock.now()),
    },
  }
}

/** A sign-in ends a fixed time after the password was given, however much it is used. */
function remainingSignIn(loginTs: number | undefined, now: number): number {
  return loginTs === undefined ? HOUR_S : Math.max(1, loginTs + ACCESS_TOKEN_S - Math.floor(now / 1000))
}

const isOwnOrigin = (client: Client, origin: string): boolean =>
  (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)

function checkAppId(_ctx: unknown, value: string | undefined): void {
  if (value === undefined || APP_ID.test(value)) return
  throw new errors.InvalidRequest('appId: letters, digits and . _ - only, 64 at most')
}

/** The usual prompts, and: somebody who has been blocked or removed since is asked to sign in again. */
function policy() {
  const prompts = interactionPolicy.base()
  prompts
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the signed-in person may no longer sign in',
        'login_required',
        (ctx) =>
          ctx.oidc.session?.accountId !== undefined && ctx.oidc.entities.Account === undefined
            ? interactionPolicy.Check.REQUEST_PROMPT
            : interactionPolicy.Check.NO_NEED_TO_PROMPT,
      ),
    )
  return prompts
}

/**
 * Our own applications need no consent. Each authorization is a grant of its own, so that signing out of one browser tab
 * or using a code twice ends what came from it and nothing else.
 */
async function grantToOwnClient(ctx: KoaContextWithOIDC) {
  const { provider, client, account, requestParamScopes } = ctx.oidc
  if (client === undefined || account === undefined) return undefined
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope([...requestParamScopes].join(' '))
  await grant.save()
  return grant
}

function requestFacts(): RequestFacts {
  const ctx = Provider.ctx
  const appId = ctx?.oidc.params?.appId
  return {
    address: ctx?.ip,
    appId: typeof appId === 'string' ? appId : undefined,
    authorizationCode: ctx?.oidc.entities.AuthorizationCode?.jti,
  }
}
