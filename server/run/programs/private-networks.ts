import { isIPv4 } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'

/** Private addresses of IPv4 (RFC 1918). */
const PRIVATE = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/

type Interfaces = Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, 'cidr' | 'internal'>[] | undefined>>

/** The private IPv4 networks that a machine is in, in CIDR notation: cameras are likely to be there. */
export function privateNetworks(interfaces: Interfaces): readonly string[] {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const networks = all.filter(({ internal }) => !internal).flatMap(({ cidr }) => networkOf(cidr ?? '') ?? [])
  return [...new Set(networks)]
}

/** `192.168.1.20/24` is in 192.168.1.0/24. */
function networkOf(cidr: string): string | undefined {
  const [address = '', length = ''] = cidr.split('/')
  if (!(isIPv4(address) && PRIVATE.test(address))) return undefined
  const size = 2 ** (32 - Number(length))
  const number = address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
  const start = number - (number % size)
  return `${[24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join('.')}/${length}`
}
