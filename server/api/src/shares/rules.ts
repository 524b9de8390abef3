import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { ApiError } from '@sightline/contract/errors'
import { MAX_SHARE_DAYS, MAX_SHARE_MINUTES, type newShare } from '@sightline/contract/shares'
import type * as z from 'zod/mini'

/** Tolerance for client clocks that differ from ours. */
const AHEAD_MS = 60_000
const MS_PER_MINUTE = 60_000
const MS_PER_DAY = 86_400_000

const invalid = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `${field} ${message}`,
  fields: [{ field, message }],
})

/** Why the requested share isn't possible. */
export function findShareFault(
  { from, till, expiresAt }: Pick<z.output<typeof newShare>, 'from' | 'till' | 'expiresAt'>,
  now: number,
): ApiError | undefined {
  if (till <= from) return invalid('till', 'must be later than from')
  if (till - from > MAX_SHARE_MINUTES * MS_PER_MINUTE)
    return invalid('till', `must be at most ${MAX_SHARE_MINUTES} minutes after from`)
  if (till > now + AHEAD_MS) return invalid('till', 'must not be in the future')
  if (expiresAt <= now) return invalid('expiresAt', 'must be in the future')
  if (expiresAt > now + MAX_SHARE_DAYS * MS_PER_DAY + AHEAD_MS)
    return invalid('expiresAt', `must be at most ${MAX_SHARE_DAYS} days from now`)
  return undefined
}

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
