import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type EpochMs, MS_PER_HOUR, MS_PER_SECOND } from '../clock/index.ts'

/** Push services accept 24 hours at most (RFC 8292 §2). */
const LIFE_MS = 12 * MS_PER_HOUR

/** Our public key as browsers want it when they subscribe: the uncompressed point, base64url. */
export function publicPushKey(privateKey: KeyObject): string {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}

/** Value of the Authorization header by which a push service knows that a message is from us (RFC 8292 §3). */
export function vapidAuthorization(given: {
  readonly endpoint: string
  /** `mailto:` or `https:` address at which the operator of the push service reaches the operator of this one. */
  readonly contact: string
  readonly privateKey: KeyObject
  readonly now: EpochMs
}): string {
  const { endpoint, contact, privateKey, now } = given
  const expires = Math.floor((now + LIFE_MS) / MS_PER_SECOND)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: contact }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicPushKey(privateKey)}`
}
