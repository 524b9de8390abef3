import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Where an encrypted value is stored. It is bound to its row (as AAD): in another row it can't be decrypted. */
export interface EncryptionContext {
  readonly accountId: number
  readonly table: string
  readonly row: number
  readonly column: string
}

export interface EnvelopeEncryption {
  seal(place: EncryptionContext, plaintext: string): Buffer
  /** Throws when the value was changed, moved or encrypted with another key. */
  open(place: EncryptionContext, sealed: Buffer): string
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM under a key per account, derived (HKDF-SHA-256, RFC 5869) from the installation's key of 32 bytes.
 * Layout: version 1 byte · nonce 12 · tag 16 · ciphertext.
 */
export function envelopeEncryption(installationKey: Buffer): EnvelopeEncryption {
  const accountKey = (accountId: number) =>
    Buffer.from(hkdfSync('sha256', installationKey, '', `sightline account ${accountId}`, 32))
  const boundTo = (p: EncryptionContext) => Buffer.from(`${p.table}|${p.row}|${p.column}`)
  return {
    seal(place, plaintext) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', accountKey(place.accountId), nonce).setAAD(boundTo(place))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body])
    },
    open(place, sealed) {
      if (sealed[0] !== VERSION) {
        throw new Error(
          `${place.table}.${place.column} of ${place.row}: sealed as version ${sealed[0]}, expected ${VERSION}`,
        )
      }
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', accountKey(place.accountId), nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(boundTo(place)).setAuthTag(tag)
      const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
