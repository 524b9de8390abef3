import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
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
