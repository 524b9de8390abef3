import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { allModules, type Right } from '@sightline/contract/rights'
import type { SupportSession } from '@sightline/contract/support-sessions'
import { foldEmail } from '@sightline/contract/user-details'
import type { Route } from '@sightline/contract/wire'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { type Db, type IdSource, idSource, instant } from '@sightline/platform/db'
import { type OpenTestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { type HttpServer, idempotencyStore, openHttp, type ServedRoute } from '@sightline/platform/http'
import { createAgreementVersion } from '@sightline/platform/legal-texts'
import type { RateLimit } from '@sightline/platform/limits'
import { mailOutbox } from '@sightline/platform/mail'
import { createFindSession, sessionReader, tokenSha256 } from '@sightline/platform/sessions'
import { type ApiSlice, openSlices } from './api-deps.ts'
import { fillMailbox, listMailRequests, type MailRequestRow } from './asked-mails-testing-store.ts'
import { type AuthCallRecord, authDouble } from './auth-testing.ts'
import { type DealerArranger, dealerArranger } from './dealer-testing.ts'
import { idleMedia } from './media-testing.ts'
import { pushTesting } from './push-devices/push-testing.ts'
import type { DownloadRules } from './resellers/brand-pictures/index.ts'

export { COMMON_PASSWORD, OVERLOADING_PASSWORD, RIGHT_CODE, RIGHT_PASSWORD } from './auth-testing.ts'

/** Slices of the API over a real socket and database, with users, cameras and tokens. For tests. */
export interface TestApi extends AsyncDisposable, DealerArranger {
  readonly origin: string
  /** `request` is method and path below the version: `PATCH users/self`. A text body is sent unchanged. */
  call(
    token: string | undefined,
    request: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<SliceReply>
  addAccount(given?: Partial<AccountInput>): Promise<{ accountId: number; token: string; zoneId: number }>
  addSubUser(accountId: number, given: SubUserInput): Promise<{ userId: number; token: string }>
  /** Another token of that user: of a support session, of an API key, or like the first. */
  addToken(of: { accountId: number; userId: number }, kind?: TokenKind): Promise<string>
  addCamera(accountId: number, zoneId: number, name: string): Promise<number>
  /** The calls from the API to the auth plane except password checks, in order. */
  readonly asked: readonly AuthCallRecord[]
  /** The requested emails, in order. */
  askedMails(): Promise<readonly MailRequestRow[]>
  /** Prevents further emails to that address for an hour. */
  fillMailbox(to: string): Promise<void>
  /** Sees and changes everything, for arranging and looking. */
  readonly owner: Db
  /** With the API's own role. */
  readonly app: Db
  readonly routes: readonly Route[]
  now: number
}

export interface SliceReply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what came is what a test looks at
  readonly body: any
}

interface AccountInput {
  readonly resellerId: number
  readonly preventEditUserDetails: boolean
  readonly email: string
  readonly rights: readonly Right[]
}

interface SubUserInput {
  readonly rights: readonly Right[]
  readonly allCameras?: boolean
  readonly cameraIds?: readonly number[]
  readonly zoneIds?: readonly number[]
  readonly email?: string
  readonly permissionProfileId?: number
}

type TokenKind = 'own' | 'apiKey' | 'support'

export interface TestApiOptions {
  /** The slices that the test calls. Naming them keeps a test from running whenever any other slice changed. */
  readonly slices: readonly ApiSlice[]
  /** Routes in addition to the API's. */
  readonly served?: readonly ServedRoute[]
  readonly callLimit?: RateLimit
  readonly streamTickets?: RateLimit
  readonly idempotency?: Parameters<typeof idempotencyStore>[1]
  /** Called for a bug; without it the test fails. */
  readonly onBug?: (error: unknown) => void
  readonly open?: OpenTestDatabase
  readonly media?: Partial<MediaPlane>
  readonly legalFolder?: string
  readonly downloads?: DownloadRules
  /** Whether there is language `aa`. */
  readonly isTranslated?: boolean
  /** What the auth plane says of a wrong password, and of every password when it is not `wrong`. */
  readonly password?: Awaited<ReturnType<AuthPlane['verifyPassword']>>
  /** What the auth plane says of support in every account; may change meanwhile. */
  readonly supportSessions?: readonly SupportSession[]
}

export async function testApi(options: TestApiOptions): Promise<TestApi> {
  const database = await (options.open ?? testDatabase)()
  const owner = database.db('owner')
  const clock = { now: Date.now() }
  const app = database.db('app')
  const asked: AuthCallRecord[] = []
  const auth = authDouble(options.password ?? 'wrong', asked, options.supportSessions)
  const served = [...(options.served ?? []), ...servedOf(app, { ...options, auth }, clock)]
  const http = await openTestHttp(app, { ...options, served })
  const { server, origin } = await listen(http)
  const arrange = await arranger(owner)
  return {
    origin,
    owner,
    app,
    routes: served.map(({ route }) => route),
    ...arrange,
    asked,
    askedMails: () => listMailRequests(owner),
    fillMailbox: (to) => fillMailbox(owner, to),
    call: (token, request, body, headers) => call(origin, { token, request, body, headers }),
    get now() {
      return clock.now
    },
    set now(ms) {
      clock.now = ms
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await http.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

function servedOf(
  db: Db,
  options: Pick<TestApiOptions, 'slices' | 'media' | 'legalFolder' | 'downloads' | 'isTranslated' | 'streamTickets'> & {
    readonly auth: AuthPlane
  },
  clock: { now: number },
): readonly ServedRoute[] {
  const { encryption, push } = pushTesting(clock)
  const time = { now: () => clock.now }
  return openSlices(options.slices, {
    db,
    ids: idSource(db),
    auth: options.auth,
    media: { ...idleMedia, ...options.media },
    exportDesk: { dropFile: async () => undefined },
    encryption,
    push,
    telling: {
      brands: brandSource(createBrandLookup(db), { scheme: 'https', ownHosts: () => ['video.example'], clock: time }),
      outbox: mailOutbox(encryption, time),
    },
    legalFolder: options.legalFolder,
    downloads: options.downloads,
    isTranslated: options.isTranslated ?? false,
    streamTickets: options.streamTickets,
    now: () => clock.now,
    mediaOrigin: (host) => `ws://${host}`,
  })
}

function openTestHttp(
  db: Db,
  options: TestApiOptions & { readonly served: readonly ServedRoute[] },
): Promise<HttpServer> {
  const reading = { find: createFindSession(db.plain), agreementVersion: createAgreementVersion(options.legalFolder) }
  return openHttp({
    served: options.served,
    sessions: sessionReader({ ...reading, now: Date.now, maxAgeMs: 0 }),
    originOf: (req) => ({
      address: String(req.headers['x-forwarded-for'] ?? '192.0.2.1'),
      host: req.headers.host ?? '',
    }),
    onBug: (error) => {
      if (options.onBug === undefined) throw error
      options.onBug(error)
    },
    idempotency: idempotencyStore(db, options.idempotency),
    callLimit: options.callLimit,
  })
}

async function listen(http: HttpServer): Promise<{ server: Server; origin: string }> {
  const server = createServer((req, res) => http.handle(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Given {
  readonly token: string | undefined
  readonly request: string
  readonly body: unknown
  readonly headers: Record<string, string> | undefined
}

async function call(origin: string, { token, request, body, headers }: Given): Promise<SliceReply> {
  const [method = '', path] = request.split(' ', 2)
  const response = await fetch(`${origin}/rest/v2.4/${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes,
  }
}

type Arranger = Pick<TestApi, 'addAccount' | 'addSubUser' | 'addToken' | 'addCamera'> & DealerArranger

async function arranger(owner: Db): Promise<Arranger> {
  const ids = idSource(owner)
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  const modules = JSON.stringify(Object.fromEntries(allModules.map((module) => [module, true])))
  await owner.plain
    .insertInto('resellers')
    .values({ reseller_id: 255, distributor_id: 1, name: 'Reseller', modules })
    .execute()
  return {
    ...dealerArranger(owner, ids),
    async addAccount(given = {}) {
      const accountId = await ids.next()
      const { resellerId = 255 } = given
      await owner.plain
        .insertInto('accounts')
        .values({
          account_id: accountId,
          reseller_id: resellerId,
          name: 'Shop',
          prevent_edit_user_details: given.preventEditUserDetails ?? false,
        })
        .execute()
      const email = given.email ?? `owner-${accountId}@demo.example`
      const person = { accountId, userId: accountId, email, rights: given.rights ?? [], allCameras: false }
      await addUser(owner, { ...person, resellerId })
      const zoneId = await ids.next()
      await owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: 'Shop' }).execute()
      return { accountId, token: await addToken(owner, ids, { accountId, userId: accountId }), zoneId }
    },
    async addSubUser(accountId, given) {
      const userId = await ids.next()
      const { rights, allCameras = false, email = `user-${userId}@demo.example` } = given
      await addUser(owner, { accountId, userId, email, rights, allCameras })
      await grantAccess(owner, { accountId, userId }, given)
      return { userId, token: await addToken(owner, ids, { accountId, userId }) }
    },
    addToken: (of, kind = 'own') => addToken(owner, ids, { ...of, kind }),
    async addCamera(accountId, zoneId, name) {
      const cameraId = await ids.next()
      const where = { address: '192.0.2.7', rtsp_port: 554, main_path: '/main', eth_mac_address: '02:00:00:00:00:01' }
      const sound = { microphone: true, speaker: true }
      await owner.plain
        .insertInto('cameras')
        .values({ account_id: accountId, camera_id: cameraId, zone_id: zoneId, name, ...where, ...sound })
        .execute()
      return cameraId
    },
  }
}

interface UserInput {
  readonly accountId: number
  readonly userId: number
  readonly email: string
  readonly rights: readonly Right[]
  readonly allCameras: boolean
  readonly resellerId?: number
}

async function addUser(owner: Db, given: UserInput): Promise<void> {
  await owner.plain
    .insertInto('users')
    .values({
      account_id: given.accountId,
      user_id: given.userId,
      reseller_id: given.resellerId ?? 255,
      email: given.email,
      email_folded: foldEmail(given.email),
      first_name: 'Ada',
      last_name: 'Byron',
      rights: given.rights,
      all_cameras: given.allCameras,
    })
    .execute()
}

async function grantAccess(
  owner: Db,
  of: { readonly accountId: number; readonly userId: number },
  { cameraIds = [], zoneIds = [], permissionProfileId }: SubUserInput,
): Promise<void> {
  const key = { account_id: of.accountId, user_id: of.userId }
  for (const cameraId of cameraIds) {
    await owner.plain
      .insertInto('user_cameras')
      .values({ ...key, camera_id: cameraId })
      .execute()
  }
  for (const zoneId of zoneIds) {
    await owner.plain
      .insertInto('user_zones')
      .values({ ...key, zone_id: zoneId })
      .execute()
  }
  if (permissionProfileId === undefined) return
  await owner.plain
    .updateTable('users')
    .set({ permission_profile_id: permissionProfileId })
    .where('user_id', '=', of.userId)
    .execute()
}

/** The client of API keys and the support staff member, created when first needed. */
const KEY_CLIENT = 'key.testing'
const STAFF_ID = 900_000_001

async function addToken(
  owner: Db,
  ids: IdSource,
  of: { accountId: number; userId: number; kind?: TokenKind },
): Promise<string> {
  const token = `token-${await ids.next()}`
  if (of.kind === 'apiKey') await ensureKeyClient(owner, of)
  if (of.kind === 'support') await ensureSupport(owner, of.accountId)
  await owner.plain
    .insertInto('auth.access_sessions')
    .values({
      token_sha256: tokenSha256(token),
      token_id: await ids.next(),
      user_id: of.userId,
      account_id: of.accountId,
      client_id: of.kind === 'apiKey' ? KEY_CLIENT : 'account.v2',
      app_id: 'account.v2',
      scopes: ['read', 'write'],
      expires_at: instant(Date.now() + 3_600_000),
      support_staff_id: of.kind === 'support' ? STAFF_ID : null,
    })
    .execute()
  return token
}

async function ensureKeyClient(owner: Db, of: { accountId: number; userId: number }): Promise<void> {
  await owner.plain
    .insertInto('auth.clients')
    .values({
      client_id: KEY_CLIENT,
      kind: 'confidential',
      name: 'Testing',
      secret_sha256: tokenSha256('secret'),
      user_id: of.userId,
      account_id: of.accountId,
      api_key_id: 900_000_002,
      scopes: ['read', 'write'],
      redirect_uris: [],
      logged_out_uris: [],
      password_grant: false,
      legacy_token_callback: false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A support staff member who may enter accounts, and the owner's grant without video. */
async function ensureSupport(owner: Db, accountId: number): Promise<void> {
  await owner.plain
    .insertInto('staff')
    .values({
      user_id: STAFF_ID,
      level: 'reseller',
      organisation_id: 255,
      distributor_id: 1,
      reseller_id: 255,
      email: 'support@demo.example',
      email_folded: 'support@demo.example',
      first_name: 'Sam',
      last_name: 'Support',
      permissions: ['generateAccessToken'],
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await owner.plain
    .updateTable('accounts')
    .set({ helpdesk_expires_at: instant(Date.now() + 3_600_000) })
    .where('account_id', '=', accountId)
    .execute()
}
