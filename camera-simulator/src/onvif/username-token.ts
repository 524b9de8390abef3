import { createHash, timingSafeEqual } from 'node:crypto'
import type { EpochMs } from '../clock.ts'
import { child, getText, type XmlNode } from './soap.ts'

/** A token whose Created is further from the camera's clock is too old or from the future. */
const TOLERANCE_MS = 5 * 60 * 1000

/**
 * `PasswordDigest` of the WS-Security UsernameToken profile 1.0: Base64(SHA-1(nonce + created + password)). A plain
 * password is not accepted. `now` is the camera's own clock, so a client must allow for its error, as with real ones.
 */
export function isTokenRight(
  header: XmlNode | undefined,
  find: (username: string) => { readonly password: string } | undefined,
  now: EpochMs,
): boolean {
  const token = child(child(header, 'Security'), 'UsernameToken')
  const [username, created] = [getText(child(token, 'Username')), getText(child(token, 'Created'))]
  const [nonce, password] = [getText(child(token, 'Nonce')), child(token, 'Password')]
  const digest = getText(password)
  const type = getText(child(password, '@Type')) ?? ''
  if (created === undefined || nonce === undefined || digest === undefined || !type.endsWith('#PasswordDigest'))
    return false
  const account = username === undefined ? undefined : find(username)
  if (account === undefined || !(Math.abs(Date.parse(created) - now) <= TOLERANCE_MS)) return false
  const expected = createHash('sha1')
    .update(Buffer.concat([Buffer.from(nonce, 'base64'), Buffer.from(created), Buffer.from(account.password)]))
    .digest()
  const given = Buffer.from(digest, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Did the client bring a token at all? */
export const hasToken = (header: XmlNode | undefined): boolean =>
  child(child(header, 'Security'), 'UsernameToken') !== undefined
