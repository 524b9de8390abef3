import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import parseForwarded from 'forwarded-parse'

/** Which proxies in front are believed, and in which header they say where a request came from. */
export interface ProxySettings {
  /** CIDR networks of the proxies. Empty: no such header is believed. */
  readonly networks: readonly string[]
  /**
   * One of the two families, never both: a proxy that writes the one passes on what a client wrote into the other
   * (decision 0032).
   */
  readonly header: 'x-forwarded' | 'forwarded'
}

export const noProxies: ProxySettings = { networks: [], header: 'x-forwarded' }

/** Where a request came from, as far as it can be trusted. */
export interface RequestSource {
  /** The nearest address that is no trusted proxy; IPv4 in its plain form. */
  readonly address: string
  /** The host that was asked for, as it was written. */
  readonly host: string
  /** Whether the peer is a trusted proxy. */
  readonly isForwarded: boolean
}

/** Whether the request says that it was passed on. */
export const claimsForwarding = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

export interface TrustedProxies {
  sourceOf(req: IncomingMessage): RequestSource
}

/** One stop on the way here, as a proxy noted it. */
interface Hop {
  readonly address: string
  readonly host?: string | undefined
}

/**
 * Reads where requests came from: from the peer of the connection leftwards through the header, over trusted proxies, to
 * the first address that is none (RFC 7239 §7.4). What is no address ends the walk before it.
 */
export function trustedProxies({ networks, header }: ProxySettings): TrustedProxies {
  const isTrusted = networks.length === 0 ? () => false : proxyAddr.compile([...networks])
  const read = header === 'forwarded' ? standardHops : customaryHops
  return {
    sourceOf(req) {
      const peer = plainAddress(req.socket.remoteAddress ?? '')
      const host = req.headers.host ?? ''
      if (!isTrusted(peer, 0)) return { address: peer, host, isForwarded: false }
      // The last one noted is the nearest.
      const hops = read(req).toReversed()
      const path = [peer, ...hops.map(({ address }) => address)]
      const untrusted = path.findIndex((address, index) => isIP(address) === 0 || !isTrusted(address, index))
      const last = untrusted === -1 ? path.length - 1 : untrusted
      const isAddress = isIP(path[last] ?? '') !== 0
      const address = path[isAddress ? last : last - 1] ?? peer
      // Written down by the outermost of the trusted proxies.
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

/** `X-Forwarded-For` and `X-Forwarded-Host`: two lists that need not be equally long, so their ends are put together. */
function customaryHops({ headers }: IncomingMessage): Hop[] {
  const addresses = listOf(headers['x-forwarded-for'])
  const hosts = listOf(headers['x-forwarded-host'])
  const length = Math.max(addresses.length, hosts.length)
  return Array.from({ length }, (_, index) => ({
    address: nodeAddress(addresses[index - length + addresses.length] ?? ''),
    host: hosts[index - length + hosts.length],
  }))
}

/** `Forwarded` (RFC 7239). Of a header that cannot be read the last element counts alone: the nearest proxy wrote that. */
function standardHops({ headers }: IncomingMessage): Hop[] {
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

/** The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`; anything else stays as it is. */
function nodeAddress(node: string): string {
  const [, bracketed] = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(node) ?? []
  return plainAddress(bracketed ?? node.replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, '$1'))
}

/** IPv4 in its plain form, where a socket of both families maps it into IPv6 (RFC 4291 §2.5.5.2). */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
