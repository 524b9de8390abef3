import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Right } from '@sightline/contract/rights'
import { foldEmail } from '@sightline/contract/user-details'
import { idSource, instant } from '@sightline/platform/db'
import { type OpenTestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { openHttp } from '@sightline/platform/http'
import { sessionReader, tokenSha256 } from '@sightline/platform/sessions'
import { apiRoutes } from './index.ts'

/** The API over a real socket and database, with people, cameras and tokens to try it with. For tests. */
export interface TestApi extends AsyncDisposable {
  readonly origin: string
  call(
    token: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  addAccount(given?: Partial<AccountGiven>): Promise<{ accountId: number; token: string; zoneId: number }>
  addSubUser(
    accountId: number,
    given: { rights: readonly Right[]; allCameras?: boolean },
  ): Promise<{ userId: number; token: string }>
  addCamera(accountId: number, zoneId: number, name: string): Promise<number>
  readonly owner: ReturnType<Awaited<ReturnType<OpenTestDatabase>>['db']>
  now: number
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what came is what a test looks at
  readonly body: any
}

interface AccountGiven {
  readonly preventEditUserDetails: boolean
  readonly email: string
  readonly rights: readonly Right[]
}

export const RIGHT_PASSWORD = 'the right password'

export async function testApi(
  options: { open?: OpenTestDatabase; media?: MediaPlane; locked?: boolean } = {},
): Promise<TestApi> {
  const database = await (options.open ?? testDatabase)()
  const owner = database.db('owner')
  const db = database.db('app')
  const ids = idSource(owner)
  const clock = { now: Date.now() }
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'Reseller' }).execute()

  const sessions = sessionReader(
    (sha256) => db.plain.selectFrom('sessions').selectAll().where('token_sha256', '=', sha256).executeTakeFirst(),
    () => Date.now(),
    0,
  )
  const http = await openHttp({
    served: apiRoutes({
      db,
      ids: idSource(db),
      auth: {
        verifyPassword: async ({ password }) => {
          if (options.locked === true) return 'locked'
          return password === RIGHT_PASSWORD ? 'right' : 'wrong'
        },
      },
      media: options.media ?? { snapshot: async () => ({ kind: 'cameraOffline' }) },
      now: () => clock.now,
      mediaOrigin: (host) => `ws://${host}`,
    }),
    sessions,
    originOf: (req) => ({ address: '192.0.2.1', host: req.headers.host ?? '' }),
    onBug: (error) => {
      throw error
    },
  })
  const server = createServer((req, res) => http.handle(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const addToken = async (accountId: number, userId: number): Promise<string> => {
    const token = `token-${await ids.next()}`
    await owner.plain
      .insertInto('auth.access_sessions')
      .values({
        token_sha256: tokenSha256(token),
        token_id: await ids.next(),
        user_id: userId,
        account_id: accountId,
        client_id: 'account.v2',
        app_id: 'account.v2',
        scopes: ['read', 'write'],
        expires_at: instant(Date.now() + 3_600_000),
      })
      .execute()
    return token
  }
  const addUser = async (given: {
    accountId: number
    userId: number
    email: string
    rights: readonly Right[]
    allCameras: boolean
  }) => {
    await owner.plain
      .insertInto('users')
      .values({
        account_id: given.accountId,
        user_id: given.userId,
        reseller_id: 255,
        email: given.email,
        email_folded: foldEmail(given.email),
        first_name: 'Ada',
        last_name: 'Byron',
        rights: given.rights,
        all_cameras: given.allCameras,
      })
      .execute()
  }

  return {
    origin,
    owner,
    get now() {
      return clock.now
    },
    set now(ms) {
      clock.now = ms
    },
    async call(token, method, path, body, headers = {}) {
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
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(bytes.toString()) : bytes }
    },
    async addAccount(given = {}) {
      const accountId = await ids.next()
      await owner.plain
        .insertInto('accounts')
        .values({
          account_id: accountId,
          reseller_id: 255,
          name: 'Shop',
          prevent_edit_user_details: given.preventEditUserDetails ?? false,
        })
        .execute()
      const email = given.email ?? `owner-${accountId}@demo.example`
      await addUser({ accountId, userId: accountId, email, rights: given.rights ?? [], allCameras: false })
      const zoneId = await ids.next()
      await owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: 'Shop' }).execute()
      return { accountId, token: await addToken(accountId, accountId), zoneId }
    },
    async addSubUser(accountId, given) {
      const userId = await ids.next()
      const email = `user-${userId}@demo.example`
      await addUser({ accountId, userId, email, rights: given.rights, allCameras: given.allCameras ?? false })
      return { userId, token: await addToken(accountId, userId) }
    },
    async addCamera(accountId, zoneId, name) {
      const cameraId = await ids.next()
      await owner.plain
        .insertInto('cameras')
        .values({
          account_id: accountId,
          camera_id: cameraId,
          zone_id: zoneId,
          name,
          eth_mac_address: '02:00:00:00:00:01',
          address: '192.0.2.7',
          rtsp_port: 554,
          main_path: '/main',
        })
        .execute()
      return cameraId
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await http.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
