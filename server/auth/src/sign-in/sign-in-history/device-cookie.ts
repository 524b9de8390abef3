import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCookie } from '@sightline/platform/cookies'

const LIFE_S = 400 * 24 * 3600
const BYTES = 24

/**
 * The id of this browser, by which a user's known devices are recognized; created if missing. It grants no access,
 * contains no personal data, and is sent only to the authorization server. Call it before the response begins.
 */
export function deviceCookie(req: IncomingMessage, res: ServerResponse, origin: string): string {
  const isSecure = origin.startsWith('https:')
  const name = isSecure ? '__Host-sightline.device' : 'sightline.device'
  const known = readCookie(req, name)
  const isGood = known !== undefined && /^[A-Za-z0-9_-]{32}$/.test(known)
  const value = isGood ? known : randomBytes(BYTES).toString('base64url')
  const secure = isSecure ? '; Secure' : ''
  res.appendHeader('set-cookie', `${name}=${value}; Path=/; Max-Age=${LIFE_S}; HttpOnly; SameSite=Lax${secure}`)
  return value
}
