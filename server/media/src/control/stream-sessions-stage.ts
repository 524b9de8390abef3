/** For tests: stream sessions with a real database. */
import { type Db, type IdSource, idSource, instant } from '@sightline/platform/db'
import { testDatabase } from '@sightline/platform/db-testing'
import type { AgreementVersion } from '@sightline/platform/legal-texts'
import { tokenSha256 } from '@sightline/platform/sessions'
import type { StreamLimits } from './open-streams.ts'
import { consumeTicket, loadCameraScopes, loadSessions } from './store.ts'
import { type SessionQueries, streamSessions } from './stream-sessions.ts'

export const NO_LIMITS: StreamLimits = { perPerson: undefined, perAccount: undefined }

/** An account with a camera, its owner and a guard. */
async function addAccount({ owner, ids }: Made) {
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'd' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'r' }).execute()
  const accountId = await ids.next()
  const [zoneId, cameraId, userId] = [await ids.next(), await ids.next(), await ids.next()]
  await owner.plain.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'a' }).execute()
  for (const [id, email] of [
    [accountId, 'owner@demo.example'],
    [userId, 'guard@demo.example'],
  ] as const) {
    await insertUser(owner, { accountId, userId: id, email })
  }
  await owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: 'z' }).execute()
  const camera = { name: 'c', eth_mac_address: '', address: '192.0.2.1', rtsp_port: 554, main_path: '/' }
  await owner.plain
    .insertInto('cameras')
    .values({ account_id: accountId, camera_id: cameraId, zone_id: zoneId, ...camera })
    .execute()
  return { accountId, cameraId, userId }
}

interface Made {
  readonly owner: Db
  readonly ids: IdSource
}

interface InsertedUser {
  readonly accountId: number
  readonly userId: number
  readonly email: string
  readonly all_cameras?: boolean
}

async function insertUser(owner: Db, { accountId, userId, email, ...more }: InsertedUser): Promise<void> {
  const name = { email, email_folded: email, first_name: 'Ada', last_name: 'Byron' }
  const ids = { account_id: accountId, user_id: userId, reseller_id: 255 }
  await owner.plain
    .insertInto('users')
    .values({ ...ids, ...name, ...more })
    .execute()
}

/** Adds tokens, tickets and users. */
function adding(
  { owner, ids }: Made,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
) {
  const addToken = async (token: string, of: number) => {
    await owner.plain
      .insertInto('auth.access_sessions')
      .values({
        token_sha256: tokenSha256(token),
        token_id: await ids.next(),
        user_id: of,
        account_id: accountId,
        client_id: 'camera-app.v1',
        app_id: 'camera-app.v1',
        scopes: ['read', 'write'],
        expires_at: instant(Date.now() + 3_600_000),
      })
      .execute()
  }
  const addTicket = (
    ticket: string,
    token: string,
    use: 'live' | 'playback',
    { expiresAt = Date.now() + 60_000, from }: { expiresAt?: number; from?: number } = {},
  ) =>
    owner.plain
      .insertInto('stream_tickets')
      .values({
        account_id: accountId,
        ticket_sha256: tokenSha256(ticket),
        user_id: accountId,
        camera_id: cameraId,
        token_sha256: tokenSha256(token),
        use,
        from_at: from === undefined ? null : instant(from),
        expires_at: instant(expiresAt),
      })
      .execute()
  const addUser = async (token: string) => {
    const id = await ids.next()
    await insertUser(owner, { accountId, userId: id, email: `${id}@demo.example`, all_cameras: true })
    await addToken(token, id)
    return token
  }
  return { addToken, addTicket, addUser }
}

/** Sessions of that account; the tokens are `owner` and `guard`. */
export async function arrangeSessions(limits = NO_LIMITS, agreementVersion: AgreementVersion = async () => '1') {
  const database = await testDatabase()
  const owner = database.db('owner')
  const db = database.db('media')
  const made = { owner, ids: idSource(owner) }
  const { accountId, cameraId, userId } = await addAccount(made)
  const { addToken, addTicket, addUser } = adding(made, { accountId, cameraId })
  await addToken('owner', accountId)
  await addToken('guard', userId)
  const queries: SessionQueries = {
    consumeTicket: (sha256, now) => consumeTicket(db, sha256, now),
    loadSessions: (sha256s) => loadSessions(db, sha256s),
    loadPlaces: (cameraIds) => loadCameraScopes(db, cameraIds),
  }
  const sessions = streamSessions({ queries, now: Date.now, limits, agreementVersion, confirmEveryMs: 50 })
  return {
    owner,
    db,
    queries,
    sessions,
    accountId,
    userId,
    cameraId,
    addTicket,
    addToken,
    addUser,
    async [Symbol.asyncDispose]() {
      await sessions[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
