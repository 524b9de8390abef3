import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { type Clock, systemClock } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type HttpServer, idempotencyStore, openHttp } from '@sightline/platform/http'
import { createLogger } from '@sightline/platform/log'
import { type Deliver, type Mail, mailOutbox } from '@sightline/platform/mail'
import { sendMails } from '@sightline/platform/mail/testing'
import { createFindSession, sessionReader, tokenSha256 } from '@sightline/platform/sessions'
import { askForMail, type MailRequestCall } from './asked-mails-testing.ts'
import {
  type Auth,
  addClient,
  type ClientRegistration,
  checkRegistration,
  type GeoLocator,
  newClientSecret,
  openAuth,
  type PASSWORD_COST,
  type Revocation,
  type TokenSettings,
} from './index.ts'
import { generateAuthSecrets } from './oauth/provider/secrets.ts'
import { plainPages } from './pages-testing.ts'

/** The authorization server with its REST routes on a real port and database, with two brands. */
export interface AuthUnderTest extends AsyncDisposable {
  readonly auth: Auth
  readonly database: TestDatabase
  readonly owner: Db['plain']
  readonly origin: string
  /** Host of reseller 300's brand, on the same port. */
  readonly brandHost: string
  readonly revoked: Revocation[]
  /** Lines of the log, everything from `debug` on. */
  readonly logged: string[]
  /** Sends the emails in the outbox and returns them. */
  sentMails(): Promise<readonly Mail[]>
  /** Sends an email with the test's own delivery. */
  sendMails(deliver: Deliver): Promise<void>
  addUser(user: TestUser): Promise<void>
  /**
   * Requests an email like the API, in a transaction of the account; its job is done when this resolves. @throws
   * TooManyMails
   */
  ask(mail: MailRequestCall): Promise<void>
  /** Registers a client like an operator; returns its secret, which is empty for public clients. */
  addClient(client: TestClient): Promise<string>
  browser(origin?: string, headers?: Readonly<Record<string, string>>): Browser
}

export interface TestUser {
  readonly userId: number
  readonly email: string
  readonly password: string
  readonly accountId?: number
  readonly resellerId?: number
  readonly rights?: readonly string[]
}

export type TestClient = Pick<ClientRegistration, 'clientId'> & Partial<ClientRegistration>

async function addTestClient(db: Db, given: TestClient): Promise<string> {
  const registration: ClientRegistration = {
    kind: 'confidential',
    name: `Client ${given.clientId}`,
    redirectUris: [`https://${given.clientId}.example/back`],
    loggedOutUris: [],
    scopes: ['read', 'write'],
    passwordGrant: false,
    legacyTokenCallback: false,
    resellerId: undefined,
    userId: undefined,
    ...given,
  }
  const checked = checkRegistration(registration)
  if (!checked.ok) throw new Error(checked.failure)
  const { secret, sha256 } = newClientSecret()
  const isConfidential = registration.kind === 'confidential'
  await addClient(db, { ...checked.value, secretSha256: isConfidential ? sha256 : undefined })
  return isConfidential ? secret : ''
}

/** The least that argon2 does: a test of sign-in waits for no password. What hashing costs is the rule of passwords.test.ts. */
const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Shared by the whole process: an RSA key takes a tenth of a second of processor time. */
const SECRETS = generateAuthSecrets()

export async function openAuthUnderTest(
  given: {
    clock?: Clock
    pages?: SignInPages
    settings?: TokenSettings
    geoLocator?: GeoLocator
    passwordCost?: typeof PASSWORD_COST | typeof CHEAP_PASSWORDS
  } = {},
): Promise<AuthUnderTest> {
  const { clock = systemClock, pages = plainPages, settings, geoLocator, passwordCost = CHEAP_PASSWORDS } = given
  const database = await testDatabase()
  const owner = database.db('owner').plain
  let handle: (...args: Parameters<Auth['handleHttp']>) => void = () => undefined
  const server = createServer((req, res) => handle(req, res))
  const host = await listen(server)
  const brandHost = host.replace('127.0.0.1', 'localhost')
  await seed(owner, brandHost)
  const revoked: Revocation[] = []
  const seals = envelopeEncryption(randomBytes(32))
  const outbox = mailOutbox(seals, clock)
  const logged: string[] = []
  const brands = brandSource(createBrandLookup(database.db('auth')), { scheme: 'http', ownHosts: () => [host], clock })
  const auth = await openAuth({
    db: database.db('auth'),
    secrets: SECRETS,
    encryption: seals,
    brands,
    pages,
    ...(settings === undefined ? {} : { settings }),
    ...(geoLocator === undefined ? {} : { geoLocator }),
    outbox,
    passwordCost,
    log: createLogger({ level: 'debug', format: 'json', name: 'auth' }, { write: (line) => logged.push(line) }),
    clock,
    onRevoked: (revocation) => revoked.push(revocation),
  })
  const rest = await openRest(auth, database)
  handle = (req, res) => (req.url?.startsWith('/rest/') ? rest.handle(req, res) : auth.handleHttp(req, res))
  const origin = `http://${host}`
  return {
    auth,
    database,
    owner,
    origin,
    brandHost,
    revoked,
    logged,
    sentMails: () => sentMails((deliver) => sendMails(database, { encryption: seals, clock, deliver })),
    sendMails: (deliver) => sendMails(database, { encryption: seals, clock, deliver }),
    addUser: (user) => addUser({ owner, auth }, user),
    ask: (mail) => askForMail(mail, { database, auth, clock }),
    addClient: (client) => addTestClient(database.db('owner'), client),
    browser: (at = origin, headers = {}) => new Browser(at, headers),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rest.close()
      await auth[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function sentMails(send: (deliver: Deliver) => Promise<void>): Promise<readonly Mail[]> {
  const sent: Mail[] = []
  const deliver: Deliver = async (mail) => {
    sent.push(mail)
    return { ok: true, value: undefined }
  }
  await send(deliver)
  return sent
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const openRest = (auth: Auth, database: TestDatabase): Promise<HttpServer> =>
  openHttp({
    served: auth.served,
    sessions: sessionReader({
      find: createFindSession(database.db('app').plain),
      now: Date.now,
      agreementVersion: async () => '1',
      maxAgeMs: 0,
    }),
    originOf: (req) => ({ address: req.socket.remoteAddress ?? '', host: req.headers.host ?? '' }),
    onBug: (error) => {
      throw error
    },
    idempotency: idempotencyStore(database.db('app')),
    callLimit: undefined,
  })

async function seed(owner: Db['plain'], brandHost: string): Promise<void> {
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  for (const id of [255, 300]) {
    await owner
      .insertInto('resellers')
      .values({ reseller_id: id, distributor_id: 1, name: `Reseller ${id}` })
      .execute()
  }
  await owner.insertInto('brand_hosts').values({ host: brandHost, reseller_id: 300 }).execute()
}

async function addUser(to: { owner: Db['plain']; auth: Auth }, user: TestUser): Promise<void> {
  const { accountId = user.userId, resellerId = 255 } = user
  await to.owner
    .insertInto('accounts')
    .values({ account_id: accountId, reseller_id: resellerId, name: `Account ${accountId}` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await to.owner
    .insertInto('users')
    .values({
      account_id: accountId,
      user_id: user.userId,
      reseller_id: resellerId,
      email: user.email,
      email_folded: user.email.toLowerCase(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      rights: [...(user.rights ?? [])],
    })
    .execute()
  await to.auth.plane.createCredentials({ userId: user.userId, accountId, password: user.password })
}

/** Expires that access token, or every one of the test. */
export const expireTokens = (owner: Db['plain'], token?: string) =>
  owner
    .updateTable('auth.access_sessions')
    .set({ expires_at: instant(Date.now() - 60_000) })
    .$if(token !== undefined, (tokens) => tokens.where('token_sha256', '=', tokenSha256(token ?? '')))
    .execute()

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
