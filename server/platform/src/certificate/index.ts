import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

/** A certificate and its key, both as PEM (RFC 7468). */
export interface KeyPair {
  readonly cert: string
  /** PKCS #8. */
  readonly key: string
}

export interface CertificateRequest {
  /** Its host names and IP addresses; the first one is also its common name. At least one. */
  readonly names: readonly string[]
  /** Milliseconds since 1970, with a precision of seconds. */
  readonly notBefore: number
  readonly notAfter: number
}

// DER (ITU-T X.690): tag, length, content. Only what a certificate needs; packages for this add twenty others.
const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OID = 0x06
const UTF8_STRING = 0x0c
const BOOLEAN = 0x01
const GENERALIZED_TIME = 0x18
const UTC_TIME = 0x17

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const significant = length.subarray(length.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.of(tag, 0x80 | significant.length), significant, body])
}

/** The numbers of an object identifier, in base 128; the first two share one. */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const base128 = (value: number): number[] => {
    const bytes = [value & 0x7f]
    for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
    return bytes
  }
  return der(OID, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** RFC 5280 §4.1.2.5: years below 2050 with two digits, later ones with four. */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`
  return Number(digits.slice(0, 4)) < 2050
    ? der(UTC_TIME, Buffer.from(digits.slice(2)))
    : der(GENERALIZED_TIME, Buffer.from(digits))
}

const ecdsaWithSha256 = der(SEQUENCE, oid('1.2.840.10045.4.3.2'))

const nameOf = (commonName: string): Buffer => {
  const attribute = der(SEQUENCE, oid('2.5.4.3'), der(UTF8_STRING, Buffer.from(commonName.slice(0, 64))))
  return der(SEQUENCE, der(SET, attribute))
}

/** 16 bytes of an IPv6 address in any notation. */
function ipv6Bytes(address: string): Buffer {
  const plain = (address.split('%', 1)[0] ?? '').replace(/\d+(?:\.\d+){3}$/, (dotted) => {
    const hex = Buffer.from(dotted.split('.').map(Number)).toString('hex')
    return `${hex.slice(0, 4)}:${hex.slice(4)}`
  })
  const [head = '', tail] = plain.split('::')
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : [])
  const [front, back] = [groups(head), groups(tail)]
  const all = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function generalName(name: string): Buffer {
  if (isIPv4(name)) return der(0x87, Buffer.from(name.split('.').map(Number)))
  if (isIPv6(name)) return der(0x87, ipv6Bytes(name))
  return der(0x82, Buffer.from(name, 'ascii'))
}

const CRITICAL = der(BOOLEAN, Buffer.of(0xff))

/** Not an authority, only for signatures of servers with these names (RFC 5280 §4.2.1). */
function extensions(names: readonly string[]): Buffer {
  const basicConstraints = der(SEQUENCE, oid('2.5.29.19'), CRITICAL, der(OCTET_STRING, der(SEQUENCE)))
  const digitalSignature = der(BIT_STRING, Buffer.of(7, 0x80))
  const keyUsage = der(SEQUENCE, oid('2.5.29.15'), CRITICAL, der(OCTET_STRING, digitalSignature))
  const serverAuth = der(SEQUENCE, oid('1.3.6.1.5.5.7.3.1'))
  const extendedKeyUsage = der(SEQUENCE, oid('2.5.29.37'), der(OCTET_STRING, serverAuth))
  const alternativeNames = der(SEQUENCE, ...names.map(generalName))
  const subjectAltName = der(SEQUENCE, oid('2.5.29.17'), der(OCTET_STRING, alternativeNames))
  return der(0xa3, der(SEQUENCE, basicConstraints, keyUsage, extendedKeyUsage, subjectAltName))
}

/** Positive and never empty: the first bit 0, the second 1. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return der(INTEGER, bytes)
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

function signedBy(key: KeyObject, request: CertificateRequest, publicKey: Buffer): Buffer {
  const name = nameOf(request.names[0] ?? 'localhost')
  const version3 = der(0xa0, der(INTEGER, Buffer.of(2)))
  const validity = der(SEQUENCE, time(request.notBefore), time(request.notAfter))
  const toBeSigned = der(
    SEQUENCE,
    ...[version3, serialNumber(), ecdsaWithSha256, name, validity, name, publicKey, extensions(request.names)],
  )
  const signature = sign('sha256', toBeSigned, key)
  return der(SEQUENCE, toBeSigned, ecdsaWithSha256, der(BIT_STRING, Buffer.of(0), signature))
}

/** A new P-256 key with a self-signed certificate (X.509 v3, RFC 5280), for a server on a local network. */
export function selfSignedPair(request: CertificateRequest): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = signedBy(privateKey, request, publicKey.export({ type: 'spki', format: 'der' }))
  return {
    cert: pem('CERTIFICATE', certificate),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
