/** Lines of JSON that end with an Ed25519 signature over everything before it, for files that outlive the program. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** A line as read, regardless of its signer. */
export interface SignedLine {
  /** Its JSON without the signature, parsed. */
  readonly content: unknown
  isSignedBy(publicKey: KeyObject): boolean
}

export const publicHalf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key)

/** SHA-256 of the public half (SPKI, DER), 64 hexadecimal digits. */
export const getFingerprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(publicHalf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')

const KEY_ID_DIGITS = 16

/** Names a key: the first 16 hexadecimal digits of its fingerprint. */
export const getKeyId = (key: KeyObject): string => getFingerprint(key).slice(0, KEY_ID_DIGITS)

/** One line of JSON, without its line break. The Ed25519 signature covers everything before `,"signature":`. */
export function signLine(content: object, key: KeyObject): string {
  const signed = JSON.stringify(content).slice(0, -1)
  return `${signed},"signature":"${sign(null, Buffer.from(signed), key).toString('base64')}"}`
}

/** The signature ends the line: text after it could contradict the signed part. */
const SIGNED_LINE = /^(\{.*),"signature":"([A-Za-z0-9+/]{86}==)"\}$/

/** Undefined if it isn't a signed line. */
export function readSignedLine(line: string): SignedLine | undefined {
  const [, signed, signature = ''] = SIGNED_LINE.exec(line) ?? []
  if (signed === undefined) return undefined
  try {
    return {
      content: JSON.parse(`${signed}}`),
      isSignedBy: (key) => verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64')),
    }
  } catch {
    return undefined
  }
}
