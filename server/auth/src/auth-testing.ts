import { randomBytes } from 'node:crypto'
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
import { Browser } from './browser-testing.ts'
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
