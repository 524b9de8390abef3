import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { EpochMs } from '@sightline/platform/clock'
import * as z from 'zod'

const common = { kid: z.string(), use: z.literal('sig') }

/** Left from installations older than OpenID Connect; it signs nothing. */
const ecKey = z.object({
  ...common,
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  alg: z.literal('ES256'),
})

/** RS256 is what every client of OpenID Connect can check (Core §15.1). */
const rsaKey = z.object({
  ...common,
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  d: z.string(),
  p: z.string(),
  q: z.string(),
  dp: z.string(),
  dq: z.string(),
  qi: z.string(),
  alg: z.literal('RS256'),
  /** Milliseconds since 1970. */
  madeAt: z.number(),
})

const signingKey = z.union([rsaKey, ecKey])
export type SigningKey = z.infer<typeof signingKey>

/**
 * Secrets of the authorization server only, stored in the installation's secrets file; the first key of each kind
 * signs.
 */
export const authSecrets = z.object({
  cookieKeys: z.array(z.string().min(32)).min(1),
  signingKeys: z.array(signingKey).min(1),
})
export type AuthSecrets = z.infer<typeof authSecrets>

const RSA_BITS = 2048

/** Signs id tokens. */
function newSigningKey(now: EpochMs): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  const kid = randomBytes(8).toString('hex')
  return rsaKey.parse({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig', madeAt: now })
}

const KEY_LIFE_MS = 180 * 24 * 3_600_000

/**
 * The keys with a new one in front, if the first is six months old or there is none for RS256; undefined if nothing is
 * due. The previous key stays, so that clients can verify its tokens for their hour and send them at sign-out.
 */
export function dueSigningKeys(keys: readonly SigningKey[], now: EpochMs): readonly SigningKey[] | undefined {
  const [first] = keys
  if (first?.alg === 'RS256' && now - first.madeAt < KEY_LIFE_MS) return undefined
  return [newSigningKey(now), ...(first === undefined ? [] : [first])]
}

/** New secrets of an installation: 256 bits for cookies, an RSA key for id tokens. */
export function generateAuthSecrets(now: EpochMs = Date.now()): AuthSecrets {
  return { cookieKeys: [randomBytes(32).toString('base64url')], signingKeys: [newSigningKey(now)] }
}
