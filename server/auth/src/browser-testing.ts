import { createHash, randomBytes } from 'node:crypto'

export interface SignInTestPage {
  readonly status: number
  readonly headers: Headers
  readonly location: URL | undefined
  readonly text: string
}

export interface AuthorizationInput {
  readonly clientId?: string
  readonly redirectUri?: string
  readonly extra?: Readonly<Record<string, string>>
}

export interface ConsentInput {
  readonly clientId: string
  /** Defaults to `https://<client id>.example/back`. */
  readonly redirectUri?: string
  readonly email: string
  readonly password: string
  readonly isPublic?: boolean
  readonly decision?: 'allow' | 'refuse'
  readonly extra?: Readonly<Record<string, string>>
}

/** The relevant parts of a browser: cookies by path, no automatic redirects, Sec-Fetch-Site on forms. */
export class Browser {
  readonly origin: string
  readonly verifier = randomBytes(32).toString('base64url')
  #cookies = new Map<string, { value: string; path: string }>()

  readonly #headers: Readonly<Record<string, string>>

  /** `headers` go with every request. */
  constructor(origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.origin = origin
    this.#headers = headers
  }

  get cookies(): ReadonlyMap<string, { value: string; path: string }> {
    return this.#cookies
  }

  async request(path: string, init: RequestInit = {}): Promise<SignInTestPage> {
    const url = new URL(path, this.origin)
    // Counts as a typed address unless a test sets the origin.
    const headers = new Headers({
      ...(init.method === 'POST' ? {} : { 'sec-fetch-site': 'none' }),
      ...this.#headers,
      ...Object.fromEntries(new Headers(init.headers)),
    })
    const cookie = [...this.#cookies]
      .filter(([, { path: at }]) => url.pathname === at || url.pathname.startsWith(at.endsWith('/') ? at : `${at}/`))
      .map(([name, { value }]) => `${name.split('|', 1)[0]}=${value}`)
    if (cookie.length > 0) headers.set('cookie', cookie.join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: response.headers,
      location: location === null ? undefined : new URL(location, url),
      text: await response.text(),
    }
  }

  /** As if a server had set that cookie. */
  keep(key: string, value: string): void {
    this.#cookies.set(key, { value, path: key.split('|')[1] ?? '/' })
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const [name = '', ...value] = pair.split('=')
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
    const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice(8)
    const key = `${name}|${path}`
    if (expires !== undefined && Date.parse(expires) < Date.now()) this.#cookies.delete(key)
    else this.#cookies.set(key, { value: value.join('='), path })
  }

  authorize(given: AuthorizationInput = {}): Promise<SignInTestPage> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: given.clientId ?? 'account.v2',
      redirect_uri: given.redirectUri ?? `${this.origin}/`,
      scope: 'read write',
      state: 'st4te',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...given.extra,
    })
    for (const [name, value] of Object.entries(given.extra ?? {})) if (value === '') query.delete(name)
    return this.request(`/oauth/authorize?${query}`)
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<SignInTestPage> {
    return this.request(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    })
  }

  /** From authorize through the form back to the application; returns the address it came back to. */
  async signIn(email: string, password: string, given: AuthorizationInput = {}): Promise<URL> {
    const started = await this.authorize(given)
    const posted = await this.post(started.location?.pathname ?? '', { email, password })
    if (posted.location === undefined) throw new Error(`sign-in answered ${posted.status}: ${posted.text}`)
    const resumed = await this.request(posted.location.pathname)
    if (resumed.location === undefined) throw new Error(`resume answered ${resumed.status}: ${resumed.text}`)
    return resumed.location
  }

  /**
   * Follows the pages from authorize back to the client, granting consent if asked; returns the final address. Public
   * clients use PKCE, confidential ones here do not.
   */
  async letIn(client: ConsentInput): Promise<URL> {
    const { email, password, decision = 'allow', clientId, redirectUri } = client
    const pkce: Record<string, string> =
      client.isPublic === true ? {} : { code_challenge: '', code_challenge_method: '' }
    let answer = await this.authorize({
      clientId,
      redirectUri: redirectUri ?? `https://${clientId}.example/back`,
      extra: { ...pkce, ...client.extra },
    })
    for (let hops = 0; hops < 8; hops += 1) {
      const at = answer.location
      if (at === undefined) throw new Error(`no redirect but ${answer.status}: ${answer.text}`)
      if (at.origin !== this.origin || !/^\/(sign-in|oauth)\//.test(at.pathname)) return at
      const page = await this.request(at.pathname + at.search)
      if (page.status === 200) {
        const isForm = page.text.includes('name="email"')
        const fields: Record<string, string> = isForm ? { email, password } : { decision }
        answer = await this.post(at.pathname, fields)
      } else answer = page
    }
    throw new Error('the pages have no end')
  }

  async exchange(code: string, fields: Record<string, string> = {}): Promise<{ status: number; body: TokenBody }> {
    const answer = await this.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'account.v2',
        redirect_uri: `${this.origin}/`,
        code,
        code_verifier: this.verifier,
        ...fields,
      }),
    })
    return { status: answer.status, body: JSON.parse(answer.text) }
  }

  /** Signs in to the account portal and returns the access token. */
  async token(email: string, password: string): Promise<string> {
    const back = await this.signIn(email, password)
    const { body } = await this.exchange(back.searchParams.get('code') ?? '')
    return body.access_token
  }
}

export interface TokenBody {
  readonly access_token: string
  readonly expires_in: number
  readonly token_type: string
  readonly scope: string
  readonly refresh_token?: string
  readonly error?: string
  readonly error_description?: string
}
