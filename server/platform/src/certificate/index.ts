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

const extension = (id: string, content: Buffer, ...critical: readonly Buffer[]): Buffer =>
  der(SEQUENCE, oid(id), ...critical, der(OCTET_STRING, content))

const KEY_USES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const

/** Not an authority, only for signatures of one use (RFC 5280 §4.2.1). */
function leafExtensions(names: readonly string[], use: keyof typeof KEY_USES): Buffer {
  const basicConstraints = extension('2.5.29.19', der(SEQUENCE), CRITICAL)
  const keyUsage = extension('2.5.29.15', der(BIT_STRING, Buffer.of(7, 0x80)), CRITICAL)
  const extendedKeyUsage = extension('2.5.29.37', der(SEQUENCE, oid(KEY_USES[use])))
  const subjectAltName = extension('2.5.29.17', der(SEQUENCE, ...names.map(generalName)))
  return der(0xa3, der(SEQUENCE, basicConstraints, keyUsage, extendedKeyUsage, subjectAltName))
}

/** Signs certificates that sign none themselves. */
function authorityExtensions(): Buffer {
  const isAuthority = der(SEQUENCE, der(BOOLEAN, Buffer.of(0xff)), der(INTEGER, Buffer.of(0)))
  const signsCertificates = der(BIT_STRING, Buffer.of(2, 0x04))
  return der(
    0xa3,
    der(SEQUENCE, extension('2.5.29.19', isAuthority, CRITICAL), extension('2.5.29.15', signsCertificates, CRITICAL)),
  )
}

/** Positive and never empty: the first bit 0, the second 1. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return der(INTEGER, bytes)
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

interface ToSign extends Omit<CertificateRequest, 'names'> {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly extensions: Buffer
  readonly issuer: string
  /** Of the issuer. */
  readonly key: KeyObject
}

function signedCertificate({ subject, publicKey, extensions, issuer, key, notBefore, notAfter }: ToSign): string {
  const version3 = der(0xa0, der(INTEGER, Buffer.of(2)))
  const validity = der(SEQUENCE, time(notBefore), time(notAfter))
  const toBeSigned = der(
    SEQUENCE,
    ...[version3, serialNumber(), ecdsaWithSha256, nameOf(issuer), validity, nameOf(subject)],
    ...[publicKey.export({ type: 'spki', format: 'der' }), extensions],
  )
  const signature = sign('sha256', toBeSigned, key)
  return pem('CERTIFICATE', der(SEQUENCE, toBeSigned, ecdsaWithSha256, der(BIT_STRING, Buffer.of(0), signature)))
}

const pemOf = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }))

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A new P-256 key with a self-signed certificate (X.509 v3, RFC 5280), for a server on a local network. */
export function selfSignedPair(request: CertificateRequest): KeyPair {
  const { privateKey, publicKey } = newKeys()
  const subject = request.names[0] ?? 'localhost'
  const extensions = leafExtensions(request.names, 'server')
  const cert = signedCertificate({ ...request, subject, issuer: subject, publicKey, extensions, key: privateKey })
  return { cert, key: pemOf(privateKey) }
}

/** A new P-256 key with the certificate of an authority; `names` is its one name, for people. */
export function authorityPair({ names, ...validity }: CertificateRequest): KeyPair {
  const { privateKey, publicKey } = newKeys()
  const subject = names[0] ?? ''
  const extensions = authorityExtensions()
  const cert = signedCertificate({ ...validity, subject, issuer: subject, publicKey, extensions, key: privateKey })
  return { cert, key: pemOf(privateKey) }
}

/** A new P-256 key with a certificate that the authority signed, for one end of a connection. */
export function issuedPair(
  request: CertificateRequest & { readonly use: 'server' | 'client' },
  authority: { readonly name: string; readonly key: KeyObject },
): KeyPair {
  const { privateKey, publicKey } = newKeys()
  const cert = signedCertificate({
    ...request,
    subject: request.names[0] ?? '',
    extensions: leafExtensions(request.names, request.use),
    issuer: authority.name,
    publicKey,
    key: authority.key,
  })
  return { cert, key: pemOf(privateKey) }
}
