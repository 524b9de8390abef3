import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorPage } from '@sightline/contract/sign-in-pages'
import type { Brand, BrandSource } from '@sightline/platform/brands'
import type { Logger } from '@sightline/platform/log'
import { errors } from 'oidc-provider'
import { type LogoutParts, logout, sessionState } from './logout/index.ts'
import type { ProviderFailure, Providers } from './provider/index.ts'
import { type SignInParts, sendError, signIn } from './sign-in/index.ts'

export interface HttpParts extends SignInParts, LogoutParts {
  readonly brands: BrandSource
  readonly providers: Providers
  readonly log: Logger
}

interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly address: string
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

/** Answers `/oauth/…`, `/.well-known/…`, `/sign-in/…` and `/auth/…` as the edge hands them over. */
export async function handleHttp(req: IncomingMessage, res: ServerResponse, parts: HttpParts): Promise<void> {
  let brand: Brand | undefined
  try {
    brand = await parts.brands.forHost(one(req.headers['x-forwarded-host']) ?? req.headers.host ?? '')
    const address = one(req.headers['x-forwarded-for']) ?? req.socket.remoteAddress ?? ''
    await route({ req, res, brand, address }, parts)
  } catch (err) {
    const requestId = one(req.headers['x-request-id'])
    parts.log.error({ err, requestId, path: (req.url ?? '').split('?', 1)[0] }, 'the authorization server failed')
    if (res.headersSent || brand === undefined) res.destroy()
    else sendError({ req, res, brand }, parts, { kind: 'unexpected', status: 500 })
  }
}

async function route(visit: Visit, parts: HttpParts): Promise<void> {
  const { req, res, brand } = visit
  const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
  const method = req.method ?? 'GET'
  const provider = parts.providers.at(brand.origin)
  const uid = /^\/sign-in\/([A-Za-z0-9_-]{16,64})$/.exec(path)?.[1]
  if (path.startsWith('/oauth/') || path.startsWith('/.well-known/')) {
    // Whatever host was sent, the provider builds its addresses from the brand's own.
    req.headers['x-forwarded-host'] = brand.host
    req.headers['x-forwarded-proto'] = new URL(brand.origin).protocol.slice(0, -1)
    await provider.callback()(req, res)
  } else if (uid !== undefined && ['GET', 'HEAD', 'POST'].includes(method)) {
    await signIn({ ...visit, provider, uid }, parts)
  } else if (path === '/auth/logout' && ['GET', 'HEAD', 'POST'].includes(method)) {
    await logout({ ...visit, provider }, parts)
  } else if (path === '/auth/session' && ['GET', 'HEAD'].includes(method)) {
    await sessionState({ ...visit, provider }, parts)
  } else {
    sendError({ req, res, brand }, parts, { kind: 'expired', status: 404 })
  }
}

/** Which of our error pages tells what the provider refused (RFC 6749 §4.1.2.1: never a redirect to a doubtful address). */
export function errorKindOf({ error, cause }: ProviderFailure): ErrorPage['kind'] {
  if (cause instanceof errors.SessionNotFound) return 'expired'
  if (error === 'invalid_client') return 'unknownClient'
  if (error === 'invalid_redirect_uri') return 'unknownAddress'
  return error === 'server_error' ? 'unexpected' : 'invalidRequest'
}
