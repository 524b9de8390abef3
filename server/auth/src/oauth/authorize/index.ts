import type { IncomingMessage } from 'node:http'
import { cutTarget } from '@sightline/platform/http'
import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'

/**
 * The name of our own response mode of `/oauth/authorize`: the specification's callback with the token in the query.
 */
export const TOKEN_CALLBACK = 'token_callback'

/** Parameters of `/oauth/authorize` beyond the standard's. */
export const authorizeParameters = { appId: checkSizeAndAppId, skip_app_cookie: checkSkipAppCookie }

const APP_ID = /^[A-Za-z0-9._-]{1,64}$/

/** The part of its request that a sign-in keeps while it waits for the user; enough for any reasonable `state`. */
const MAX_BYTES = 2048

/** The provider asks this of every request, with an appId or without: there is no other place before it stores one. */
function checkSizeAndAppId(ctx: KoaContextWithOIDC, value: string | undefined): void {
  // The address is one of the registered ones.
  const { redirect_uri: _, ...kept } = ctx.oidc.params ?? {}
  const bytes = Object.values(kept).reduce<number>((sum, text) => sum + Buffer.byteLength(String(text ?? '')), 0)
  if (bytes > MAX_BYTES) {
    throw new errors.InvalidRequest(
      `state and all parameters except redirect_uri can be at most ${MAX_BYTES} bytes, and these are ${bytes}: store long values yourself and send a short reference`,
    )
  }
  checkAppId(value)
}

function checkAppId(value: string | undefined): void {
  if (value === undefined || APP_ID.test(value)) return
  throw new errors.InvalidRequest('appId: expected at most 64 letters, digits, . _ or -')
}

function checkSkipAppCookie(_ctx: unknown, value: string | undefined): void {
  if (value === undefined || value === 'true' || value === 'false') return
  throw new errors.InvalidRequest('skip_app_cookie: expected true or false')
}

/**
 * The parameters that {@link authorizeUrl} reads or writes. Writing one would hide a duplicate before it is rejected.
 */
const REWRITTEN = ['client_id', 'response_type', 'response_mode', 'scope']

/** Scopes for personal data must be requested explicitly; a missing scope doesn't include them. */
const OF_CALLS = ['read', 'write']
const OF_PEOPLE = ['profile', 'email', 'phone', 'address']

/** What this needs to know about the requesting client. */
export interface AskingClient {
  readonly scope: string | undefined
  readonly tokenCallback: boolean
}

/**
 * The address of an authorization request for the provider. A token request of a client that is allowed it becomes a
 * code request, which {@link answerTokenCallback} turns into the token; the provider rejects other clients'. A missing
 * scope means all calls that the client may make. The provider rejects duplicate parameters (RFC 6749 §3.1).
 */
export async function authorizeUrl(
  req: IncomingMessage,
  find: (clientId: string) => Promise<AskingClient | undefined>,
): Promise<string> {
  const { path, query } = cutTarget(req.url)
  const params = new URLSearchParams(query)
  const clientId = params.get('client_id')
  const isTwice = REWRITTEN.some((name) => params.getAll(name).length > 1)
  const client = clientId === null || isTwice ? undefined : await find(clientId)
  if (client === undefined) return `${path}?${query}`
  if (params.get('response_type') === 'token' && client.tokenCallback) {
    params.set('response_type', 'code')
    params.set('response_mode', TOKEN_CALLBACK)
  }
  const may = client.scope?.split(' ') ?? []
  const asked = params.get('scope') ?? ''
  if (asked === '') params.set('scope', may.filter((scope) => OF_CALLS.includes(scope)).join(' '))
  // Libraries request these by default; a client without the right to them signs in without (RFC 6749 §3.3).
  else
    params.set(
      'scope',
      asked
        .split(' ')
        .filter((scope) => !OF_PEOPLE.includes(scope) || may.includes(scope))
        .join(' '),
    )
  return `${path}?${params}`
}

/**
 * Returns to the registered address with a token in the query instead of the code (specification §4, decisions 12 and
 * 13). The token is never sent as a Referer or cached, and our logs contain no query.
 */
export async function answerTokenCallback(
  ctx: KoaContextWithOIDC,
  redirectUri: string,
  outcome: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { AuthorizationCode: code, Client: client } = ctx.oidc.entities
  const said = code === undefined || client === undefined ? outcome : await tokenFor(ctx, client, code)
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...said, state: outcome.state })) {
    if (value !== undefined) target.searchParams.set(name, String(value))
  }
  ctx.status = 303
  ctx.set({ location: target.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  // Koa would also write the address into the body.
  ctx.body = ''
}

type Code = NonNullable<KoaContextWithOIDC['oidc']['entities']['AuthorizationCode']>

async function tokenFor({ oidc }: KoaContextWithOIDC, client: Client, code: Code): Promise<Record<string, unknown>> {
  const { accountId = '', grantId = '', scope, sessionUid } = code
  await code.destroy()
  const token = new oidc.provider.AccessToken({ client, accountId, grantId, scope, sessionUid, gty: 'token_callback' })
  const access_token = await token.save()
  const skip_app_cookie = oidc.params?.skip_app_cookie === 'true' ? 'true' : undefined
  return { access_token, expires_in: token.expiration, skip_app_cookie }
}
