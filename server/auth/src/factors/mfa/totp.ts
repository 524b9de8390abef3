import { createHmac, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '@sightline/contract/mfa'
import { type EpochMs, MS_PER_SECOND } from '@sightline/platform/clock'

/** How long a code is shown (RFC 6238 §4.1, X). */
const STEP_MS = 30 * MS_PER_SECOND
/**
 * Phone clocks are inaccurate and people type slowly, so one step before and one after are accepted too (RFC 6238
 * §5.2).
 */
const WINDOW = [-1, 0, 1]

/** Bytes of a seed: the output size of SHA-1 (RFC 4226 §4, R6). */
export const SEED_BYTES = 20

/** Number of the step since 1970. */
export const getTotpStep = (now: EpochMs): number => Math.floor(now / STEP_MS)

/** The code of a step, with HMAC-SHA-1, which every authenticator app supports (RFC 6238, RFC 4226 §5.3). */
export function computeTotpCode(seed: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', seed).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** CODE_LENGTH).padStart(CODE_LENGTH, '0')
}

/** The newest step around `now` with that code, or undefined; constant time. */
export function findTotpStep(code: string, seed: Buffer, now: EpochMs): number | undefined {
  const given = Buffer.from(code)
  if (given.length !== CODE_LENGTH) return undefined
  return WINDOW.map((away) => getTotpStep(now) + away)
    .filter((step) => timingSafeEqual(Buffer.from(computeTotpCode(seed, step)), given))
    .at(-1)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The form that authenticator apps expect: RFC 4648 §6 without padding. */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The content of the QR code (Key URI format of Google Authenticator; the defaults are SHA1, 6 digits and 30 s). */
export function appAddress(of: { readonly issuer: string; readonly email: string; readonly seed: Buffer }): string {
  // A colon would end the issuer.
  const issuer = encodeURIComponent(of.issuer.replaceAll(':', ' '))
  return `otpauth://totp/${issuer}:${encodeURIComponent(of.email)}?secret=${base32(of.seed)}&issuer=${issuer}`
}
