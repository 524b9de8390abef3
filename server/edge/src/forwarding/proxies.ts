import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import parseForwarded from 'forwarded-parse'

/** The trusted proxies, and the header in which they report where a request came from. */
export interface ProxySettings {
  /** CIDR networks of the proxies. Empty: no such header is trusted. */
  readonly networks: readonly string[]
  /**
   * One of the two headers, never both: a proxy that writes one passes on what a client wrote into the other (decision
   * 0032).
   */
  readonly header: 'x-forwarded' | 'forwarded'
}

export const noProxies: ProxySettings = { networks: [], header: 'x-forwarded' }

/** The trusted origin of a request. */
export interface RequestSource {
  /** The nearest address that isn't a trusted proxy; IPv4 in its plain form. */
  readonly address: string
  /** The requested host, unchanged. */
  readonly host: string
  /** Whether the peer is a trusted proxy. */
  readonly isForwarded: boolean
}

/** Whether the request has forwarding headers. */
export const claimsForwarding = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

export interface TrustedProxies {
  sourceOf(req: AskedFrom): RequestSource
}

type AskedFrom = Pick<IncomingMessage, 'headers' | 'socket'>

/** One hop, as a proxy recorded it. */
interface Hop {
  readonly address: string
  readonly host?: string | undefined
}

/**
 * Finds the origin of requests: starts at the peer and goes left through the header, across trusted proxies, to the
 * first untrusted address (RFC 7239 §7.4). Stops before an entry that isn't an address.
 */
export function trustedProxies({ networks, header }: ProxySettings): TrustedProxies {
  const isTrusted = networks.length === 0 ? () => false : proxyAddr.compile([...networks])
  const read = header === 'forwarded' ? standardHops : customaryHops
  return {
    sourceOf(req) {
      const peer = plainAddress(req.socket.remoteAddress ?? '')
      const host = req.headers.host ?? ''
      if (!isTrusted(peer, 0)) return { address: peer, host, isForwarded: false }
      // The last entry is the nearest hop.
      const hops = read(req).toReversed()
      const path = [peer, ...hops.map(({ address }) => address)]
      const untrusted = path.findIndex((address, index) => isIP(address) === 0 || !isTrusted(address, index))
      const last = untrusted === -1 ? path.length - 1 : untrusted
      const isAddress = isIP(path[last] ?? '') !== 0
      const address = path[isAddress ? last : last - 1] ?? peer
      // Recorded by the outermost trusted proxy.
      const noted = hops.slice(0, last).findLast((hop) => hop.host !== undefined)?.host
      return { address, host: noted ?? host, isForwarded: true }
    },
  }
}

const textOf = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? header.join(',') : (header ?? '')

const listOf = (header: string | string[] | undefined): string[] =>
  textOf(header)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** `X-Forwarded-For` and `X-Forwarded-Host`: two lists that may differ in length, so they are aligned at their ends. */
function customaryHops({ headers }: AskedFrom): Hop[] {
  const addresses = listOf(headers['x-forwarded-for'])
  const hosts = listOf(headers['x-forwarded-host'])
  const length = Math.max(addresses.length, hosts.length)
  return Array.from({ length }, (_, index) => ({
    address: nodeAddress(addresses[index - length + addresses.length] ?? ''),
    host: hosts[index - length + hosts.length],
  }))
}

/** `Forwarded` (RFC 7239). If it can't be parsed, only its last element counts, which the nearest proxy wrote. */
function standardHops({ headers }: AskedFrom): Hop[] {
  const header = textOf(headers.forwarded)
  const elements = parsed(header) ?? parsed(header.slice(header.lastIndexOf(',') + 1).trim()) ?? []
  return elements.map((element) => ({ address: nodeAddress(element.for ?? ''), host: element.host }))
}

function parsed(header: string): Record<string, string>[] | undefined {
  try {
    return parseForwarded(header)
  } catch {
    return undefined
  }
}

/**
 * The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`; anything else is
 * unchanged.
 */
function nodeAddress(node: string): string {
  const [, bracketed] = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(node) ?? []
  return plainAddress(bracketed ?? node.replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, '$1'))
}

/** IPv4 in its plain form, if a dual-stack socket maps it into IPv6 (RFC 4291 §2.5.5.2). */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
