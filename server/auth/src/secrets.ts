import { generateKeyPairSync, randomBytes } from 'node:crypto'
import * as z from 'zod'

const ecKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
})

/** What only the authorization server may know. Kept in the installation's secrets file; the first of each signs. */
export const authSecrets = z.object({
  cookieKeys: z.array(z.string().min(32)).min(1),
  signingKeys: z.array(ecKey).min(1),
})
export type AuthSecrets = z.infer<typeof authSecrets>

/** New secrets of an installation: 256 bits for cookies, a P-256 key for id tokens. */
export function generateAuthSecrets(): AuthSecrets {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomBytes(8).toString('hex')
  return authSecrets.parse({
    cookieKeys: [randomBytes(32).toString('base64url')],
    signingKeys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }],
  })
}
