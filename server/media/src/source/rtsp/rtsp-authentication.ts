import { createHash, randomBytes } from 'node:crypto'

export interface CameraCredentials {
  readonly username: string
  readonly password: string
}

export type AuthChallenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'digest'
      readonly algorithm: 'MD5' | 'SHA-256'
      readonly realm: string
      readonly nonce: string
      readonly opaque: string | undefined
      readonly usesQop: boolean
      readonly stale: boolean
    }

const MAX_CHALLENGE = 4096
const HASH = { MD5: 'md5', 'SHA-256': 'sha256' } as const

/**
 * The strongest supported challenge among the WWW-Authenticate headers (RFC 7616 §3.7: SHA-256 before MD5 before
 * basic), or undefined.
 */
export function strongestChallenge(headers: readonly string[]): AuthChallenge | undefined {
  const challenges = headers.flatMap(parseChallenges)
  const digest = (algorithm: string) => challenges.find((one) => one.scheme === 'digest' && one.algorithm === algorithm)
  return digest('SHA-256') ?? digest('MD5') ?? challenges.find((one) => one.scheme === 'basic')
}

/** One header may contain several challenges: `Digest a="b", c=d, Basic realm="x"` (RFC 9110 §11.6.1). */
function parseChallenges(header: string): readonly AuthChallenge[] {
  const text = header.slice(0, MAX_CHALLENGE)
  const starts = [...text.matchAll(/(?:^|,)\s*(digest|basic)\s/gi)]
  return starts.flatMap((start, index) => {
    const end = starts[index + 1]?.index ?? text.length
    const challenge = toChallenge(start[1] ?? '', text.slice(start.index + start[0].length, end))
    return challenge === undefined ? [] : [challenge]
  })
}

function toChallenge(scheme: string, rest: string): AuthChallenge | undefined {
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' }
  const parameters = new Map<string, string>()
  for (const [, name = '', inQuotes, bare] of rest.matchAll(/([a-z-]{1,32})\s*=\s*(?:"([^"]*)"|([^\s,"]*))/gi)) {
    parameters.set(name.toLowerCase(), inQuotes ?? bare ?? '')
  }
  const algorithm = (parameters.get('algorithm') ?? 'MD5').toUpperCase()
  const nonce = parameters.get('nonce')
  const qop = parameters.get('qop')
  const isKnown = algorithm === 'MD5' || algorithm === 'SHA-256'
  const usesQop = qop !== undefined && qop !== ''
  if (
    !isKnown ||
    nonce === undefined ||
    (usesQop &&
      !qop
        .toLowerCase()
        .split(',')
        .some((one) => one.trim() === 'auth'))
  )
    return undefined
  return {
    scheme: 'digest',
    algorithm,
    realm: parameters.get('realm') ?? '',
    nonce,
    opaque: parameters.get('opaque'),
    usesQop,
    stale: parameters.get('stale')?.toLowerCase() === 'true',
  }
}

/** The request, and how often this challenge was answered already (1 for the first time). */
export interface AuthorizedRequest {
  readonly method: string
  readonly uri: string
  readonly count: number
  /** Client nonce; random unless a test fixes it. */
  readonly cnonce?: string
}

/** The value of an Authorization header (RFC 7616 §3.4, RFC 7617). */
export function authorization(
  challenge: AuthChallenge,
  { username, password }: CameraCredentials,
  request: AuthorizedRequest,
): string {
  if (challenge.scheme === 'basic') return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const hash = (text: string): string => createHash(HASH[challenge.algorithm]).update(text).digest('hex')
  const { realm, nonce, opaque, usesQop, algorithm } = challenge
  const user = hash(`${username}:${realm}:${password}`)
  const asked = hash(`${request.method}:${request.uri}`)
  const count = request.count.toString(16).padStart(8, '0')
  const cnonce = request.cnonce ?? randomBytes(16).toString('hex')
  const response = usesQop
    ? hash(`${user}:${nonce}:${count}:${cnonce}:auth:${asked}`)
    : hash(`${user}:${nonce}:${asked}`)
  const parts = [
    `username="${escapeQuotes(username)}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${request.uri}"`,
    `response="${response}"`,
    // Old cameras fail on a parameter that they didn't send, so MD5 without qop is answered as in RFC 2069.
    ...(algorithm === 'MD5' && !usesQop ? [] : [`algorithm=${algorithm}`]),
    ...(usesQop ? ['qop=auth', `nc=${count}`, `cnonce="${cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ]
  return `Digest ${parts.join(', ')}`
}

const escapeQuotes = (text: string): string => text.replaceAll(/[\r\n]/g, '').replaceAll(/(["\\])/g, '\\$1')
