import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { Brand } from '@sightline/platform/brands'
import { plainAddress } from './proxies.ts'

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** What proxies, load balancers and networks for content write into requests that they pass on. */
const WRITTEN_BY_PROXIES =
  /^(?:forwarded|via|cdn-loop|client-ip|true-client-ip|(?:cf|fastly|x-(?:forwarded|original|real|client|cluster|proxyuser|envoy|azure|amzn|appengine|varnish))-.+)$/i

const isLoopback = (address: string): boolean => (isIPv4(address) ? address.startsWith('127.') : address === '::1')

/** Whether the request names this machine as its host, as `localhost` or by a loopback address. */
export const namesThisMachine = (req: Pick<IncomingMessage, 'headers'>): boolean =>
  LOCAL_NAMES.has((req.headers.host ?? '').toLowerCase().replace(/:\d{1,5}$/, ''))

/**
 * Whether somebody on this machine asked, directly and under its own name. Not through a proxy, which turns the whole
 * world into a loopback address; and not from a page of somebody else who makes a name of theirs lead here, because a
 * browser then sends that name.
 */
export function isLocalRequest(req: IncomingMessage): boolean {
  if (!isLoopback(plainAddress(req.socket.remoteAddress ?? '')) || !namesThisMachine(req)) return false
  // As they came: the edge writes some of these headers itself.
  return req.rawHeaders.every((name, index) => index % 2 === 1 || !WRITTEN_BY_PROXIES.test(name))
}

export { claimsForwarding, noProxies, type ProxySettings, type TrustedProxies, trustedProxies } from './proxies.ts'

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

/**
 * How many times the request names its host. `req.headers` keeps the first only, while whoever stands in front may have
 * gone by the last (RFC 9112 §3.2).
 */
export const hostsNamed = (req: IncomingMessage): number =>
  req.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** 32 digits. Node takes the random bytes of many UUIDs from the system at once, those of `randomBytes` one by one. */
const randomHex = (): string => randomUUID().replaceAll('-', '')

/** W3C Trace Context: the trace of a trusted proxy goes on, otherwise a new one begins. The trace id is the request id. */
export function readTrace(
  req: IncomingMessage,
  { isForwarded }: { readonly isForwarded: boolean },
): { readonly requestId: string; readonly traceparent: string } {
  const given = isForwarded ? TRACEPARENT.exec(one(req.headers.traceparent) ?? '') : null
  const requestId = given?.[1] ?? randomHex()
  return { requestId, traceparent: `00-${requestId}-${randomHex().slice(16)}-${given?.[3] ?? '01'}` }
}

/**
 * Replaces what a client may have written by what the edge knows, so that the parts behind it need not doubt:
 * `X-Forwarded-For` one address, `-Host` the brand's host (never one that nobody registered), `-Proto`, `X-Request-Id`.
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

/** What the parts behind the edge read of it: `originOf` of platform/http. */
export const readOrigin = (req: IncomingMessage): { readonly address: string; readonly host: string } => ({
  address: one(req.headers['x-forwarded-for']) ?? '',
  host: one(req.headers['x-forwarded-host']) ?? '',
})
