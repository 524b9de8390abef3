import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 7616 names. Cameras use MD5 (RFC 2326 refers to RFC 2069); SHA-256 may be offered too. */
export type DigestAlgorithm = 'MD5' | 'SHA-256'

export interface DigestSettings {
  readonly realm: string
  readonly username: string
  readonly password: string
  /** Offered in this order; at least one. */
  readonly algorithms: readonly DigestAlgorithm[]
  /** `auth` as RFC 2617 has it, or the older form without qop that many cameras still offer. */
  readonly qop: 'auth' | 'none'
}

export type DigestVerdict = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly isStale: boolean }

const NONCE_LIFETIME_MS = 5 * 60 * 1000

const hash = (algorithm: DigestAlgorithm, text: string): string =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex')

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** `Digest a="b", c=d` to its parameters; undefined when it is not of the scheme Digest. */
function parseDigestHeader(header: string | undefined): ReadonlyMap<string, string> | undefined {
  if (header === undefined || !/^digest\s/i.test(header)) return undefined
  const pairs = header.slice('digest '.length).matchAll(/([a-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/gi)
  return new Map(Array.from(pairs, ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']))
}

/** The checking side of digest access authentication (RFC 7616), for RTSP and HTTP. Nonces carry their own time and seal. */
export class DigestGuard {
  readonly #settings: DigestSettings
  readonly #key = randomBytes(32)

  constructor(settings: DigestSettings) {
    this.#settings = settings
  }

  /** Values for WWW-Authenticate, one for each algorithm. */
  challenges(isStale: boolean): string[] {
    const { realm, algorithms, qop } = this.#settings
    const nonce = this.#nonce(Date.now())
    const stale = isStale ? ', stale=true' : ''
    return algorithms.map((algorithm) => {
      const named = algorithm === 'MD5' && qop === 'none' ? '' : `, algorithm=${algorithm}`
      const quality = qop === 'auth' ? ', qop="auth"' : ''
      return `Digest realm="${realm}", nonce="${nonce}"${named}${quality}${stale}`
    })
  }

  /** `method` and the Authorization header of a request. The uri that was hashed must be the one in the header. */
  check(method: string, authorization: string | undefined): DigestVerdict {
    const given = parseDigestHeader(authorization)
    if (given === undefined) return { kind: 'refused', isStale: false }
    const nonce = given.get('nonce') ?? ''
    if (!this.#isOwnNonce(nonce)) return { kind: 'refused', isStale: true }
    const expected = this.#response(method, given)
    if (expected === undefined || !isSame(expected, given.get('response') ?? ''))
      return { kind: 'refused', isStale: false }
    return { kind: 'accepted' }
  }

  #response(method: string, given: ReadonlyMap<string, string>): string | undefined {
    const { realm, username, password, algorithms } = this.#settings
    const algorithm = algorithms.find((offered) => offered === (given.get('algorithm') ?? 'MD5').toUpperCase())
    if (algorithm === undefined || given.get('username') !== username || given.get('realm') !== realm) return undefined
    const secret = hash(algorithm, `${username}:${realm}:${password}`)
    const request = hash(algorithm, `${method}:${given.get('uri') ?? ''}`)
    const nonce = given.get('nonce') ?? ''
    // Clients without qop support are accepted even if it is offered (RFC 2617 §3.2.2.1): GStreamer is one.
    if (!given.has('qop')) return algorithm === 'MD5' ? hash(algorithm, `${secret}:${nonce}:${request}`) : undefined
    const [count, clientNonce] = [given.get('nc') ?? '', given.get('cnonce') ?? '']
    return hash(algorithm, `${secret}:${nonce}:${count}:${clientNonce}:${given.get('qop')}:${request}`)
  }

  #nonce(now: number): string {
    const time = Math.floor(now).toString(16)
    return `${time}.${createHmac('sha256', this.#key).update(time).digest('hex').slice(0, 32)}`
  }

  #isOwnNonce(nonce: string): boolean {
    const time = Number.parseInt(nonce.split('.')[0] ?? '', 16)
    return Number.isFinite(time) && isSame(this.#nonce(time), nonce) && Date.now() - time < NONCE_LIFETIME_MS
  }
}
