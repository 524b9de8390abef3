import type { Brand } from '@sightline/platform/brands'
import type { Destination } from '../routing/index.ts'
import type { PolicyExtension } from '../third-party-scripts/index.ts'

/** By name. Put together once and written many times, so pairs and not an object that is taken apart each time. */
export type Headers = readonly (readonly [name: string, value: string])[]

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  // Nothing leaves this origin. Within it, a browser that does not say from where a request comes (over http) still does by this.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-permitted-cross-domain-policies': 'none',
}

/** What a browser may do for a page of ours; everything else is off. */
const PERMISSIONS = [
  'accelerometer=()',
  'autoplay=(self)',
  'camera=(self)',
  'display-capture=()',
  'fullscreen=(self)',
  'geolocation=(self)',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=(self)',
  'midi=()',
  'payment=()',
  'picture-in-picture=(self)',
  'usb=()',
].join(', ')

const NOTHING = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** What single pages may do beyond all others. */
interface Exceptions {
  readonly widening?: PolicyExtension | undefined
  /** Origins that may show the page inside a page of theirs. */
  readonly embeddedBy?: readonly string[]
  /** Of the style that stands in the page, as a source of the policy: `'sha256-…'`. */
  readonly styleHash?: string
}

/** A page holds a token that script can read, so script comes from this origin alone and writes no HTML (security.md §2.4). */
function pagePolicy({ origin }: Brand, { widening, embeddedBy = [], styleHash }: Exceptions = {}): string {
  const socket = origin.replace(/^http/, 'ws')
  const { origins = [], toolOrigins = [] } = widening ?? {}
  const isTranslated = toolOrigins.length > 0
  const nonce = widening === undefined ? [] : [`'nonce-${widening.nonce}'`]
  const from = (...sources: readonly string[]) => [...new Set(sources)].join(' ')
  return [
    "default-src 'none'",
    // What a tag manager loads bears the nonce that its own script was loaded with.
    `script-src ${from("'self'", ...nonce, ...toolOrigins)}`,
    `style-src ${from("'self'", ...(styleHash === undefined ? [] : [styleHash]), ...(isTranslated ? ["'unsafe-inline'"] : []), ...toolOrigins)}`,
    `img-src ${from("'self'", 'data:', 'blob:', ...origins, ...toolOrigins)}`,
    "media-src 'self' blob:",
    `font-src ${from("'self'", ...toolOrigins)}`,
    `connect-src ${from("'self'", socket, ...origins, ...toolOrigins)}`,
    "worker-src 'self' blob:",
    ...(isTranslated ? [`frame-src ${from(...toolOrigins)}`] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${embeddedBy.length === 0 ? "'none'" : from(...embeddedBy)}`,
    // The tool writes HTML.
    ...(isTranslated ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ')
}

/** The headers that take the place of a page's usual ones. */
export const exceptionalHeaders = (brand: Brand, exceptions: Exceptions): Headers => [
  ['content-security-policy', pagePolicy(brand, exceptions)],
]

const pageDestinations: ReadonlySet<Destination> = new Set(['accountPortal', 'cameraApp', 'dealerDashboard', 'apiDocs'])

/** A year, as the preload lists ask; only where the certificate is one that browsers trust. */
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * The headers that every answer of a destination starts from; the parts behind may say more exactly what they need. Only
 * pages need the brand. A brand's are put together once, for as long as the brand source answers the same brand.
 */
export function securityHeaders(trustedTls: boolean): (destination: Destination, brand?: Brand) => Headers {
  const always = { ...ALWAYS, ...(trustedTls ? { 'strict-transport-security': HSTS } : {}) }
  const other = Object.entries({ ...always, 'content-security-policy': NOTHING })
  const pages = new WeakMap<Brand, Headers>()
  const pageOf = (brand: Brand): Headers =>
    Object.entries({
      ...always,
      'content-security-policy': pagePolicy(brand),
      'permissions-policy': PERMISSIONS,
      'x-frame-options': 'DENY',
    })
  return (destination, brand) => {
    if (brand === undefined || !pageDestinations.has(destination)) return other
    const headers = pages.get(brand) ?? pageOf(brand)
    pages.set(brand, headers)
    return headers
  }
}
