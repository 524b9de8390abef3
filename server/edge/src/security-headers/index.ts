import { pictureOrigins } from '@sightline/contract/theme'
import type { Brand } from '@sightline/platform/brands'
import type { Destination } from '../routing/index.ts'

export type Headers = Readonly<Record<string, string>>

const ALWAYS: Headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
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

/** A page holds a token that script can read, so script comes from this origin alone and writes no HTML (security.md §2.4). */
function pagePolicy({ origin, theme }: Brand): string {
  const socket = origin.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${["'self'", 'data:', 'blob:', ...pictureOrigins(theme)].join(' ')}`,
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self' ${socket}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const pageDestinations: ReadonlySet<Destination> = new Set(['accountPortal', 'cameraApp', 'dealerDashboard'])

/** A year, as the preload lists ask; only where the certificate is one that browsers trust. */
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * The headers that every answer of a destination starts from; the parts behind may say more exactly what they need. A
 * brand's are put together once, for as long as the brand source answers the same brand.
 */
export function securityHeaders(trustedTls: boolean): (destination: Destination, brand: Brand) => Headers {
  const always = { ...ALWAYS, ...(trustedTls ? { 'strict-transport-security': HSTS } : {}) }
  const other = { ...always, 'content-security-policy': NOTHING }
  const pages = new WeakMap<Brand, Headers>()
  const pageOf = (brand: Brand): Headers => ({
    ...always,
    'content-security-policy': pagePolicy(brand),
    'permissions-policy': PERMISSIONS,
    'x-frame-options': 'DENY',
  })
  return (destination, brand) => {
    if (!pageDestinations.has(destination)) return other
    const headers = pages.get(brand) ?? pageOf(brand)
    pages.set(brand, headers)
    return headers
  }
}
