import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface AddressRules {
  /**
   * Ranges in CIDR notation that may be reached in addition to the public internet. Private ranges need to be listed;
   * loopback, link-local, multicast and metadata addresses are allowed only by a range that is entirely inside them
   * (`127.0.0.0/8`, never `0.0.0.0/0`).
   */
  readonly allowed: readonly string[]
}

interface Subnet {
  readonly network: string
  readonly prefix: number
}

/**
 * Never reachable unless listed themselves: this host, link-local, multicast, reserved, documentation, cloud metadata,
 * and tunnels that hide an address.
 */
const FORBIDDEN = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '::/128',
  '::1/128',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fd00:ec2::254/128',
  'fe80::/10',
  'ff00::/8',
]

/** Only if the operator listed them: a tenant could otherwise map the operator's network. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
]

/** The rule whether a numeric address is in one of the listed ranges and may be reached. */
export function listedRule(rules: AddressRules): (address: string) => boolean {
  const mayReach = addressRule(rules)
  const list = listOf(rules.allowed.map(parseSubnet))
  return (address) => mayReach(address) && isIn(list, embeddedIpv4(address) ?? address)
}

/**
 * The rule whether an address that a customer named, of a camera or a push service, may be reached, for one numeric address at a time.
 * Throws if a listed range is not CIDR: that is the operator's setting, and the start should stop with this sentence.
 */
export function addressRule({ allowed }: AddressRules): (address: string) => boolean {
  const subnets = allowed.map(parseSubnet)
  const forbidden = FORBIDDEN.map(parseSubnet)
  const isExplicit = (subnet: Subnet): boolean => forbidden.some((wide) => isWithin(subnet, wide))
  const forbiddenList = listOf(forbidden)
  const privateList = listOf(PRIVATE.map(parseSubnet))
  const explicitList = listOf(subnets.filter(isExplicit))
  const allowedList = listOf(subnets.filter((subnet) => !isExplicit(subnet)))
  const mayReach = (address: string): boolean => {
    if (isIn(forbiddenList, address)) return isIn(explicitList, address)
    return !isIn(privateList, address) || isIn(allowedList, address)
  }
  return (address) => {
    const plain = address.split('%')[0] ?? ''
    if (isIP(plain) === 0) return false
    const wrapped = embeddedIpv4(plain)
    return wrapped === undefined ? mayReach(plain) : mayReach(wrapped)
  }
}

/**
 * Resolves a name for one connection. Every address of the name must be allowed; the connection goes to them and the
 * name isn't resolved again. A numeric address bypasses this and must be checked before.
 */
export const checkedLookup =
  (mayReach: (address: string) => boolean): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => mayReach(address))) {
        return callback(Object.assign(new Error('an address of this host is refused'), { code: 'EREFUSED' }), '')
      }
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }

function parseSubnet(text: string): Subnet {
  const [network = '', length = ''] = text.split('/')
  const family = isIP(network)
  const prefix = Number(length)
  const bits = family === 4 ? 32 : 128
  if (family === 0 || !/^\d{1,3}$/.test(length) || prefix > bits) {
    throw new Error(`addresses: expected a range such as 192.168.0.0/16, got ${JSON.stringify(text)}`)
  }
  return { network, prefix }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const isIn = (list: BlockList, address: string): boolean => list.check(address, familyOf(address))

function listOf(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList()
  for (const { network, prefix } of subnets) list.addSubnet(network, prefix, familyOf(network))
  return list
}

const isWithin = (inner: Subnet, outer: Subnet): boolean =>
  familyOf(inner.network) === familyOf(outer.network) &&
  inner.prefix >= outer.prefix &&
  isIn(listOf([outer]), inner.network)

/** The IPv4 address inside a mapped (RFC 4291 §2.5.5.2), compatible (§2.5.5.1) or translated (RFC 6052, RFC 8215) IPv6 address. */
function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const groups = groupsOf(address)
  const head = groups.slice(0, 6).join(':')
  const isMapped = head === '0:0:0:0:0:65535' || head === '0:0:0:0:65535:0'
  const isCompatible = head === '0:0:0:0:0:0' && (groups[6] ?? 0) !== 0
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff_9b
  if (!isMapped && !isCompatible && !isTranslated) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`
}

/** The eight numbers of an IPv6 address; the URL parser brings every spelling into one form first. */
function groupsOf(address: string): number[] {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left = '', right] = text.split('::')
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  if (right === undefined) return numbers(left)
  const [start, end] = [numbers(left), numbers(right)]
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end]
}
