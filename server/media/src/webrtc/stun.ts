import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { crc32 } from 'node:zlib'

/** Connectivity checks of ICE: STUN (RFC 8489) with short-term credentials. */

const MAGIC_COOKIE = 0x21_12_a4_42
const HEADER_BYTES = 20
const BINDING_REQUEST = 0x00_01
const BINDING_SUCCESS = 0x01_01
const INTEGRITY_BYTES = 20
const FINGERPRINT_XOR = 0x53_54_55_4e
/** All that checks of browsers have, twice over. */
const MAX_ATTRIBUTES = 32

const ATTRIBUTES = {
  username: 0x00_06,
  integrity: 0x00_08,
  xorMappedAddress: 0x00_20,
  priority: 0x00_24,
  useCandidate: 0x00_25,
  fingerprint: 0x80_28,
  iceControlled: 0x80_29,
} as const

export interface Endpoint {
  readonly address: string
  readonly port: number
}

export interface StunMessage {
  readonly kind: 'request' | 'success'
  /** 12 bytes. */
  readonly transactionId: Buffer
  /** `<the receiver's name>:<the sender's name>`. */
  readonly username: string | undefined
  readonly isNominating: boolean
  /** Whether whoever sent it knows the password. */
  isSignedWith(password: string): boolean
}

/** The first two bits are 0 (RFC 7983), and the cookie is at its place. */
export const isStun = (datagram: Buffer): boolean =>
  datagram.length >= HEADER_BYTES && (datagram[0] ?? 4) < 4 && datagram.readUInt32BE(4) === MAGIC_COOKIE

/** Undefined if it is neither a binding request nor its success, or can't be read. */
export function readStun(datagram: Buffer): StunMessage | undefined {
  if (!isStun(datagram) || datagram.readUInt16BE(2) !== datagram.length - HEADER_BYTES) return undefined
  const type = datagram.readUInt16BE(0)
  if (type !== BINDING_REQUEST && type !== BINDING_SUCCESS) return undefined
  const found = readAttributes(datagram)
  if (found === undefined) return undefined
  const integrity = found.get(ATTRIBUTES.integrity)
  return {
    kind: type === BINDING_REQUEST ? 'request' : 'success',
    transactionId: datagram.subarray(8, HEADER_BYTES),
    username: found.get(ATTRIBUTES.username)?.value.toString('latin1'),
    isNominating: found.has(ATTRIBUTES.useCandidate),
    isSignedWith: (password) =>
      integrity?.value.length === INTEGRITY_BYTES &&
      timingSafeEqual(integrity.value, signatureOf(datagram.subarray(0, integrity.at), password)),
  }
}

interface Attribute {
  readonly at: number
  readonly value: Buffer
}

/** What is behind the signature isn't signed and doesn't count (RFC 8489 §14.5). */
function readAttributes(datagram: Buffer): ReadonlyMap<number, Attribute> | undefined {
  const found = new Map<number, Attribute>()
  let at = HEADER_BYTES
  while (at + 4 <= datagram.length && found.size < MAX_ATTRIBUTES && !found.has(ATTRIBUTES.integrity)) {
    const [type, length] = [datagram.readUInt16BE(at), datagram.readUInt16BE(at + 2)]
    if (at + 4 + length > datagram.length) return undefined
    if (!found.has(type)) found.set(type, { at, value: datagram.subarray(at + 4, at + 4 + length) })
    at += 4 + length + (-length & 3)
  }
  return found
}

/** Over everything before, as if the signature were the last attribute. */
function signatureOf(before: Buffer, password: string): Buffer {
  const header = Buffer.from(before.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(before.length - HEADER_BYTES + 4 + INTEGRITY_BYTES, 2)
  return createHmac('sha1', password).update(header).update(before.subarray(HEADER_BYTES)).digest()
}

function attribute(type: number, value: Uint8Array): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(type, 0)
  header.writeUInt16BE(value.length, 2)
  return Buffer.concat([header, value, Buffer.alloc(-value.length & 3)])
}

function signed(type: number, transactionId: Uint8Array, password: string, attributes: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(type, 0)
  header.writeUInt32BE(MAGIC_COOKIE, 4)
  header.set(transactionId, 8)
  const before = Buffer.concat([header, ...attributes])
  const whole = Buffer.concat([before, attribute(ATTRIBUTES.integrity, signatureOf(before, password))])
  whole.writeUInt16BE(whole.length - HEADER_BYTES + 8, 2)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((crc32(whole) ^ FINGERPRINT_XOR) >>> 0)
  return Buffer.concat([whole, attribute(ATTRIBUTES.fingerprint, checksum)])
}

/** The answer to a check: from where it came. */
export const stunSuccess = (request: StunMessage, from: Endpoint, password: string): Buffer =>
  signed(BINDING_SUCCESS, request.transactionId, password, [
    attribute(ATTRIBUTES.xorMappedAddress, xorMapped(from, request.transactionId)),
  ])

/** A check of our own: whether someone with that password is at an address. */
export function stunRequest(check: {
  readonly transactionId: Uint8Array
  readonly username: string
  readonly password: string
  /** Decides who leads if both sides think so. */
  readonly tieBreaker: Uint8Array
}): Buffer {
  return signed(BINDING_REQUEST, check.transactionId, check.password, [
    attribute(ATTRIBUTES.username, Buffer.from(check.username, 'latin1')),
    attribute(ATTRIBUTES.priority, Buffer.of(0x6e, 0, 0x1e, 0xff)),
    attribute(ATTRIBUTES.iceControlled, check.tieBreaker),
  ])
}

function xorMapped({ address, port }: Endpoint, transactionId: Uint8Array): Buffer {
  const plain = address.replace(/^::ffff:/i, '').replace(/%.*$/, '')
  const bytes = isIPv4(plain) ? Buffer.from(plain.split('.').map(Number)) : ipv6Bytes(plain)
  const mask = Buffer.concat([Buffer.of(0x21, 0x12, 0xa4, 0x42), transactionId])
  const head = Buffer.of(0, bytes.length === 4 ? 1 : 2, 0, 0)
  head.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2)
  return Buffer.concat([head, bytes.map((byte, index) => byte ^ (mask[index] ?? 0))])
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : [])
  const [front, back] = [groups(head), groups(tail)]
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return Buffer.from([...front, ...zeros, ...back].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
