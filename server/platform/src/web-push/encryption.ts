import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser gave out to be written to (RFC 8030, RFC 8291 §2). */
export interface PushSubscription {
  /** The https address of the browser's push service. */
  readonly endpoint: string
  /** The browser's public key: an uncompressed point of P-256, 65 bytes. */
  readonly p256dh: Buffer
  /** 16 bytes that push services never see. */
  readonly auth: Buffer
}

/** For tests: what is random otherwise. */
export interface EncryptionRandom {
  /** 16 bytes. */
  readonly salt: Buffer
  /** Private key of P-256, 32 bytes. */
  readonly privateKey: Buffer
}

/** Push services don't have to accept more than 4096 bytes (RFC 8030 §7.2): header 86, delimiter 1, tag 16. */
export const LONGEST_PUSH_BYTES = 4096 - 103

const CURVE = 'prime256v1'
const RECORD_BYTES = 4096
const TAG_BYTES = 16
/** Ends the last record (RFC 8188 §2). */
const LAST_RECORD = 2

const derive = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/**
 * The body of a push message that only that browser can read: RFC 8291 over content coding aes128gcm (RFC 8188), in one
 * record. @throws if the key isn't a point on the curve or the text is longer than {@link LONGEST_PUSH_BYTES}.
 */
export function encryptPush(
  { p256dh, auth }: PushSubscription,
  text: string,
  random: EncryptionRandom = newRandom(),
): Buffer {
  const plaintext = Buffer.from(text, 'utf8')
  if (plaintext.length > LONGEST_PUSH_BYTES) {
    throw new RangeError(`a push message has at most ${LONGEST_PUSH_BYTES} bytes, got ${plaintext.length}`)
  }
  const { salt, privateKey } = random
  const ours = createECDH(CURVE)
  ours.setPrivateKey(privateKey)
  const publicKey = ours.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey])
  const keyMaterial = derive(ours.computeSecret(p256dh), auth, info, 32)
  const key = derive(keyMaterial, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(keyMaterial, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
  const body = Buffer.concat([cipher.update(plaintext), cipher.update(Buffer.of(LAST_RECORD)), cipher.final()])
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header.writeUInt8(publicKey.length, 4)
  return Buffer.concat([salt, header, publicKey, body, cipher.getAuthTag()])
}

function newRandom(): EncryptionRandom {
  const keys = createECDH(CURVE)
  keys.generateKeys()
  // A key with a small number comes without its leading zeros.
  return { salt: randomBytes(16), privateKey: keys.getPrivateKey() }
}

/** Whether those bytes are a public key that can be written to. */
export function isPointOfP256(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  const keys = createECDH(CURVE)
  keys.generateKeys()
  try {
    keys.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}
