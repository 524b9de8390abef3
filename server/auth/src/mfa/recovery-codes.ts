import { randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@sightline/contract/mfa'

/** 32 of them, none of which looks like another (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

const newCode = (): string => Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('')

/** Of 50 random bits each, as they are compared; no two are alike. */
export function newRecoveryCodes(): readonly string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(newCode())
  return [...codes]
}
