import type { Brand } from '@sightline/platform/brands'
import type { Destination } from '../routing/index.ts'
import type { PolicyExtension } from '../third-party-scripts/index.ts'

/** By name. Created once and written often, so pairs instead of an object that is converted each time. */
export type Headers = readonly (readonly [name: string, value: string])[]

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  // Nothing leaves this origin. Within it, browsers that send no origin (over http) still send this.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-permitted-cross-domain-policies': 'none',
}

/** Browser features that our pages use; all others are off. */
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

/** Additional permissions of single pages. */
interface Exceptions {
  readonly widening?: PolicyExtension | undefined
  /** Origins that may embed the page. */
  readonly embeddedBy?: readonly string[]
  /** The inline style of the page, as a source of the policy: `'sha256-…'`. */
  readonly styleHash?: string
}

/** Scripts can read the page's token, so scripts come only from this origin and can't write HTML (security.md §2.4). */
function pagePolicy({ origin }: Brand, { widening, embeddedBy = [], styleHash }: Exceptions = {}): string {
  const socket = origin.replace(/^http/, 'ws')
  const { origins = [], toolOrigins = [] } = widening ?? {}
  const isTranslated = toolOrigins.length > 0
  const nonce = widening === undefined ? [] : [`'nonce-${widening.nonce}'`]
  const from = (...sources: readonly string[]) => [...new Set(sources)].join(' ')
  return [
    "default-src 'none'",
    // Scripts loaded by a tag manager have the nonce of its own script.
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
    // The translation tool writes HTML.
    ...(isTranslated ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ')
}

/** Headers that replace a page's usual ones. */
export const exceptionalHeaders = (brand: Brand, exceptions: Exceptions): Headers => [
  ['content-security-policy', pagePolicy(brand, exceptions)],
]

const pageDestinations: ReadonlySet<Destination> = new Set(['accountPortal', 'cameraApp', 'dealerDashboard', 'apiDocs'])

/** A year, as the preload lists require; only with a certificate that browsers trust. */
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * The default headers of every response of a destination; the planes can set stricter ones. Only pages depend on the
 * brand. A brand's headers are cached while the brand doesn't change.
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
