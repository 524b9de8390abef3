import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { Brand } from '@sightline/platform/brands'
import { plainAddress } from './proxies.ts'

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Headers that proxies, load balancers and content delivery networks add to requests. */
const WRITTEN_BY_PROXIES =
  /^(?:forwarded|via|cdn-loop|client-ip|true-client-ip|(?:cf|fastly|x-(?:forwarded|original|real|client|cluster|proxyuser|envoy|azure|amzn|appengine|varnish))-.+)$/i

const isLoopback = (address: string): boolean => (isIPv4(address) ? address.startsWith('127.') : address === '::1')

/** Whether the request's host is this machine, as `localhost` or a loopback address. */
export const namesThisMachine = (req: Pick<IncomingMessage, 'headers'>): boolean =>
  LOCAL_NAMES.has((req.headers.host ?? '').toLowerCase().replace(/:\d{1,5}$/, ''))

/**
 * Whether the request comes directly from this machine, under its own name. Not through a proxy, which turns all
 * addresses into loopback; and not from a page on a foreign name that resolves to this machine, because a browser sends
 * that name.
 */
export function isLocalRequest(req: IncomingMessage): boolean {
  if (!isLoopback(plainAddress(req.socket.remoteAddress ?? '')) || !namesThisMachine(req)) return false
  // The original headers: the edge itself sets some of them.
  return req.rawHeaders.every((name, index) => index % 2 === 1 || !WRITTEN_BY_PROXIES.test(name))
}

export { claimsForwarding, noProxies, type ProxySettings, type TrustedProxies, trustedProxies } from './proxies.ts'

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

/**
 * How often the request names its host. `req.headers` has only the first one, but a proxy may have used the last (RFC
 * 9112 §3.2).
 */
export const hostsNamed = (req: IncomingMessage): number =>
  req.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** 32 digits. Node reads the random bytes for many UUIDs in one go, but those for `randomBytes` each time. */
const randomHex = (): string => randomUUID().replaceAll('-', '')

/**
 * W3C Trace Context: continues the trace of a trusted proxy, otherwise starts a new one. The trace id is the request
 * id.
 */
export function readTrace(
  req: IncomingMessage,
  { isForwarded }: { readonly isForwarded: boolean },
): { readonly requestId: string; readonly traceparent: string } {
  const given = isForwarded ? TRACEPARENT.exec(one(req.headers.traceparent) ?? '') : null
  const requestId = given?.[1] ?? randomHex()
  return { requestId, traceparent: `00-${requestId}-${randomHex().slice(16)}-${given?.[3] ?? '01'}` }
}

/**
 * Replaces headers from the client with trusted values for the planes behind the edge: `X-Forwarded-For` one address,
 * `-Host` the brand's host (never an unregistered one), `-Proto`, `X-Request-Id`.
 */
export function setTrustedHeaders(
  req: IncomingMessage,
  known: { readonly brand: Brand; readonly address: string; readonly requestId: string; readonly traceparent: string },
): void {
  delete req.headers.forwarded
  delete req.headers['x-real-ip']
  req.headers['x-forwarded-for'] = known.address
  req.headers['x-forwarded-host'] = known.brand.host
  req.headers['x-forwarded-proto'] = known.brand.origin.startsWith('https:') ? 'https' : 'http'
  req.headers['x-request-id'] = known.requestId
  req.headers.traceparent = known.traceparent
}

/** The trusted values that the planes read: `originOf` of platform/http. */
export const readOrigin = (req: IncomingMessage): { readonly address: string; readonly host: string } => ({
  address: one(req.headers['x-forwarded-for']) ?? '',
  host: one(req.headers['x-forwarded-host']) ?? '',
})
