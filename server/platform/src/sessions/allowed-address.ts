import { BlockList, isIP, isIPv6 } from 'node:net'

const listOf = new WeakMap<readonly string[], BlockList>()

/**
 * Whether an address is among those, each an IP address or a range in CIDR form; without any, every one is. An IPv4 address
 * is the same however IPv6 writes it (RFC 4291 §2.5.5.2). What is no address is in no range.
 */
export function isAllowedAddress(address: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const plain = plainAddress(address)
  if (isIP(plain) === 0) return false
  const known = listOf.get(allowed) ?? blockList(allowed)
  listOf.set(allowed, known)
  return known.check(plain, familyOf(plain))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

function blockList(allowed: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of allowed) {
    const [address = '', bits] = range.split('/')
    const plain = bits === undefined ? plainAddress(address) : address
    if (bits === undefined) list.addAddress(plain, familyOf(plain))
    else list.addSubnet(plain, Number(bits), familyOf(plain))
  }
  return list
}
