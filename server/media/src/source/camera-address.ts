import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraFault, fault, quoted } from './camera-fault.ts'

/**
 * Opens a connection to a camera. `receive`, if given, gets every piece of incoming bytes in ONE buffer that is used again for the next
 * piece: what must outlive the call is copied by the receiver. Without it the socket behaves as usual.
 */
export type CameraConnect = (target: CameraTarget) => Promise<Result<Socket, CameraFault>>

export interface CameraTarget {
  /** A name or an address; IPv6 without brackets. */
  readonly host: string
  readonly port: number
  readonly signal: AbortSignal
  readonly receive?: (bytes: Uint8Array) => void
}

export interface AddressRules {
  /**
   * Ranges in CIDR notation in which cameras may be besides the public internet. Private ranges need to be listed; loopback, link-local,
   * multicast and metadata addresses are let through only by a range that lies wholly inside them (`127.0.0.0/8`, never `0.0.0.0/0`).
   */
  readonly allowed: readonly string[]
}

interface Subnet {
  readonly network: string
  readonly prefix: number
}

const CONNECT_TIMEOUT_MS = 5000
/** A hostile name may resolve to any number of addresses. */
const MAX_ADDRESSES = 8
const RECEIVE_BUFFER_BYTES = 32_768

/** Never a camera, whatever else is listed: this host, link-local, multicast, reserved, documentation, cloud metadata, tunnels that hide an address. */
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

/** Only where the operator listed them: a tenant could otherwise map the operator's network. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
]

/**
 * The rule whether a camera may be at an address, for one numeric address at a time.
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
 * Resolves the name, checks every address it has, and connects to a checked address itself, so that nothing is resolved twice.
 * The check is repeated at each call, hence at each reconnect.
 */
export function checkedConnect(rules: AddressRules): CameraConnect {
  const mayReach = addressRule(rules)
  return async (target) => {
    const signal = AbortSignal.any([target.signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)])
    const addresses = await resolve(target.host, signal)
    if (!addresses.ok) return addresses
    if (!addresses.value.every(mayReach)) {
      return fail(fault('addressRefused', `${quoted(target.host)} is not an address where a camera may be`))
    }
    let last: CameraFault = fault('unreachable', `${quoted(target.host)} has no address`)
    for (const address of addresses.value) {
      const attempt = await connectTo(address, { ...target, signal })
      if (attempt.ok) return attempt
      last = attempt.failure
    }
    return fail(last)
  }
}

async function resolve(host: string, signal: AbortSignal): Promise<Result<readonly string[], CameraFault>> {
  if (isIP(host) !== 0) return ok([host])
  const aborted = Promise.withResolvers<undefined>()
  const abort = (): void => aborted.resolve(undefined)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const found = await Promise.race([lookup(host, { all: true }), aborted.promise])
    if (found === undefined) return fail(fault('unreachable', `the name ${quoted(host)} was not resolved in time`))
    return ok(found.slice(0, MAX_ADDRESSES).map((entry) => entry.address))
  } catch (error) {
    return fail(fault('unreachable', `the name ${quoted(host)} cannot be resolved (${reasonOf(error)})`))
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function connectTo(address: string, { port, signal, receive }: CameraTarget): Promise<Result<Socket, CameraFault>> {
  if (signal.aborted)
    return Promise.resolve(fail(fault('unreachable', `no answer from port ${port} within ${CONNECT_TIMEOUT_MS} ms`)))
  const { promise, resolve: settle } = Promise.withResolvers<Result<Socket, CameraFault>>()
  const socket = connect({
    host: address,
    port,
    noDelay: true,
    ...(receive === undefined ? {} : { onread: intoOneBuffer(receive) }),
  })
  const abort = (): void =>
    give(fail(fault('unreachable', `no answer from port ${port} within ${CONNECT_TIMEOUT_MS} ms`)))
  const refuse = (error: Error): void =>
    give(fail(fault('unreachable', `port ${port} cannot be reached (${reasonOf(error)})`)))
  const accept = (): void => give(ok(socket))
  const give = (outcome: Result<Socket, CameraFault>): void => {
    signal.removeEventListener('abort', abort)
    socket.off('connect', accept)
    if (!outcome.ok) socket.destroy()
    settle(outcome)
  }
  // The listener stays: an error without one would end the process, and an aborted socket may still report one.
  socket.on('error', refuse)
  socket.once('connect', accept)
  signal.addEventListener('abort', abort, { once: true })
  return promise
}

/** One buffer for the life of the connection: no allocation and no trimming copy for each read. */
function intoOneBuffer(receive: (bytes: Uint8Array) => void) {
  const buffer = new Uint8Array(RECEIVE_BUFFER_BYTES)
  return {
    buffer,
    callback: (length: number): boolean => {
      receive(buffer.subarray(0, length))
      return true
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason'

function parseSubnet(text: string): Subnet {
  const [network = '', length = ''] = text.split('/')
  const family = isIP(network)
  const prefix = Number(length)
  const bits = family === 4 ? 32 : 128
  if (family === 0 || !/^\d{1,3}$/.test(length) || prefix > bits) {
    throw new Error(`camera addresses: expected a range such as 192.168.0.0/16, got ${quoted(text)}`)
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
