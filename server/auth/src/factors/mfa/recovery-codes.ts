import { randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@sightline/contract/mfa'
import type { Passwords } from '../passwords/index.ts'

/** 32 characters that can't be confused with each other (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

const newCode = (): string => Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('')

export interface FreshRecoveryCodes {
  /** In the form that is compared; shown once and never stored. */
  readonly codes: readonly string[]
  readonly recoverySalt: Buffer
  readonly codeHashes: readonly Buffer[]
}

/** New codes with their stored form; undefined if too many passwords are being hashed. */
export async function freshRecoveryCodes(passwords: Passwords): Promise<FreshRecoveryCodes | undefined> {
  const codes = newRecoveryCodes()
  const recoverySalt = randomBytes(16)
  const codeHashes: Buffer[] = []
  for (const code of codes) {
    const hashed = await passwords.derive(code, recoverySalt)
    if (!hashed.ok) return undefined
    codeHashes.push(hashed.value)
  }
  return { codes, recoverySalt, codeHashes }
}

/** Of 50 random bits each, as they are compared; no two are alike. */
function newRecoveryCodes(): readonly string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(newCode())
  return [...codes]
}
