import { constants, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'

/** Whether a client has the key of its certificate (RFC 5246 §7.4.8). */

export const ECDSA_SHA256 = 0x04_03

interface Scheme {
  readonly hash: string
  readonly type: 'ec' | 'rsa'
  readonly padding?: number
}

/** How a client may sign: RSA for older ones. */
export const SCHEMES: Readonly<Record<number, Scheme>> = {
  [ECDSA_SHA256]: { hash: 'sha256', type: 'ec' },
  1283: { hash: 'sha384', type: 'ec' },
  1025: { hash: 'sha256', type: 'rsa', padding: constants.RSA_PKCS1_PADDING },
  2052: { hash: 'sha256', type: 'rsa', padding: constants.RSA_PKCS1_PSS_PADDING },
}

/** Keys of other kinds make node:crypto throw, and larger ones take long. */
const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1'])
const RSA_BITS = { least: 2048, most: 4096 } as const
const MAX_EXPONENT = 2n ** 32n

/** What is wrong with the client's signature of the messages so far; undefined if it is right. */
export function findProofFlaw(
  certificate: Buffer | undefined,
  { scheme, signature }: { readonly scheme: number; readonly signature: Buffer },
  signed: Buffer,
): string | undefined {
  const how = SCHEMES[scheme]
  if (how === undefined) return `a signature of the kind ${scheme.toString(16)}`
  const key = publicKeyOf(certificate)
  if (key?.asymmetricKeyType !== how.type || !isUsable(key)) return 'a certificate that doesn’t fit its signature'
  const { padding } = how
  const options = padding === undefined ? key : { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return isRight(() => verify(how.hash, signed, options, signature)) ? undefined : 'a signature that is wrong'
}

function isUsable({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.has(details.namedCurve)
  const { modulusLength: bits = 0, publicExponent = MAX_EXPONENT } = details
  return bits >= RSA_BITS.least && bits <= RSA_BITS.most && publicExponent < MAX_EXPONENT
}

function isRight(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

function publicKeyOf(certificate: Buffer | undefined): KeyObject | undefined {
  try {
    return (
      certificate && createPublicKey(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }))
    )
  } catch {
    return undefined
  }
}
