import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Brand, BrandSource } from '@sightline/platform/brands'

/** Whether that origin belongs to a client that the operator registered. */
export type IsClientOrigin = (origin: string) => Promise<boolean>

/**
 * The origin of the requesting page. `none`: not a page of another origin; programs other than browsers send no origin.
 */
export type PageOrigin = 'none' | 'own' | 'client' | 'foreign'

interface Known {
  readonly brand: Brand
  readonly brands: BrandSource
  readonly isClientOrigin: IsClientOrigin
}

export async function pageOrigin({ headers }: Pick<IncomingMessage, 'headers'>, known: Known): Promise<PageOrigin> {
  const { origin } = headers
  if (origin === undefined) return 'none'
  if (origin === known.brand.origin) return 'own'
  if (!/^https?:\/\/[^/]+$/.test(origin) || !URL.canParse(origin)) return 'foreign'
  if (await known.isClientOrigin(origin)) return 'client'
  const { origin: ofHost } = await known.brands.forHost(new URL(origin).host)
  return ofHost === origin ? 'own' : 'foreign'
}

/** Response headers that a page may read. */
const EXPOSED = [
  'content-disposition',
  'content-language',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'retry-after',
  'www-authenticate',
  'x-request-id',
  'x-taken-at',
].join(', ')
/** Request headers that a page may send. */
const ALLOWED = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'prefer',
  'range',
].join(', ')
const PREFLIGHT_AGE_S = 600

/**
 * Lets pages of registered clients call the API (Fetch standard, "CORS protocol") with a token, without credentials
 * mode, so cookies never count. Responds to preflight requests and then returns true.
 */
export function allowClientPage(req: IncomingMessage, res: ServerResponse, methods: readonly string[]): boolean {
  res.setHeader('access-control-allow-origin', req.headers.origin ?? '')
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
    res.setHeader('access-control-expose-headers', EXPOSED)
    return false
  }
  res.writeHead(204, {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': String(PREFLIGHT_AGE_S),
  })
  res.end()
  return true
}
