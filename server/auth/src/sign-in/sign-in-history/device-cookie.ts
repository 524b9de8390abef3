import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCookie } from '@sightline/platform/cookies'

const LIFE_S = 400 * 24 * 3600
const BYTES = 24

/**
 * The number of this browser, by which a person's own one is known again; a new one where it has none. It opens nothing,
 * says nothing of anybody, and goes to the authorization server alone. To be called before the answer begins.
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
