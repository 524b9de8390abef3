import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const SALT_BYTES = 16
const HASH_BYTES = 32
/** OWASP password storage: 32 MiB. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

const derive = promisify((password: string, salt: Buffer, done: (error: Error | null, key: Buffer) => void): void =>
  scrypt(password.normalize('NFC'), salt, HASH_BYTES, COST, done),
)

/** Salt and hash of the password of a share. People's own passwords are only in the authorization server. */
export async function hashSharePassword(password: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  return Buffer.concat([salt, await derive(password, salt)])
}

export async function isSharePassword(password: string, stored: Buffer): Promise<boolean> {
  const hash = await derive(password, stored.subarray(0, SALT_BYTES))
  return timingSafeEqual(hash, stored.subarray(SALT_BYTES))
}
