/** Files of exports and shares that are being sent end within two seconds after their permission is gone: security.md R16. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SHARE_PATH } from '@sightline/contract/shares'
import { idSource, instant } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { createFindSession, sessionReader, tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSlowly } from '../../../../tests/slow-reader.ts'
import { artefactFiles } from '../exports/artefact-file.ts'
import { footageExports } from '../exports/index.ts'
import { keyContext } from '../exports/sealing-contexts.ts'
import { exportDownloads } from '../exports/serve-download.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { shares } from './index.ts'
import { sharedFiles } from './serve-share.ts'

const HOUR = 3_600_000
/** More than the buffers between server and client hold. */
const CONTENT = randomBytes(16_000_000)
const encryption = envelopeEncryption(randomBytes(32))

let api: TestApi
let folder: string
let server: Server
let sockets: Socket[] = []

beforeAll(async () => {
  api = await testApi({ slices: [shares, footageExports] })
  folder = await mkdtemp(join(tmpdir(), 'sightline-revoked-'))
  const sessions = sessionReader({
    find: createFindSession(api.app.plain),
    now: Date.now,
    agreementVersion: async () => '1',
    // Files are confirmed each second, whatever is remembered.
    maxAgeMs: 60_000,
  })
  const of = { db: api.app, ids: idSource(api.app), sessions, encryption, log: silentLogger, now: Date.now }
  const deps = { ...of, artefacts: artefactFiles(folder) }
  const [sendExport, sendShare] = [exportDownloads(deps), sharedFiles(deps)]
  server = createServer((req, res) => (req.url?.startsWith(SHARE_PATH) ? sendShare : sendExport)(req, res, '192.0.2.1'))
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** An account with a camera that has footage, and a user who may export it. */
async function arranged() {
  const { accountId, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const from = Date.now() - 2 * HOUR
  const times = { started_at: instant(from), ended_at: instant(from + HOUR) }
  const run = {
    account_id: accountId,
    camera_id: cameraId,
    stream: 'main' as const,
    run_id: 'a'.repeat(32),
    bytes: 3600,
  }
  await api.owner.plain
    .insertInto('recording_runs')
    .values({ ...run, ...times })
    .execute()
  const addUser = (rights: readonly ('export' | 'playback')[]) =>
    api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
  const user = await addUser(['export', 'playback'])
  const text = (at: number) => new Date(at).toISOString()
  const span = { from: text(from), till: text(from + 600_000) }
  return { accountId, cameraId, user, addUser, span, until: text(Date.now() + 24 * HOUR) }
}

/** Writes the file of an export or a share's copy, as if it had just been made. */
async function finish(accountId: number, exportId: number): Promise<void> {
  await using file = await artefactFiles(folder).create({ exportId, attempt: 1 })
  await file.write(CONTENT)
  await file.finish()
  const key = encryption.seal(keyContext({ accountId, exportId }), file.key.toString('base64'))
  const until = instant(Date.now() + 24 * HOUR)
  const made = {
    attempt: 1,
    size_bytes: CONTENT.length,
    sha256: Buffer.alloc(32, 7),
    has_sound: false,
    key_sealed: key,
  }
  await api.owner.plain
    .updateTable('exports')
    .set({ ...made, status: 'Done', progress: 100, exported_at: instant(Date.now()), expires_at: until })
    .where('export_id', '=', exportId)
    .execute()
}

/** What is sent, and ways to take it. */
interface SentFile {
  readonly url: string
  readonly revocations: Readonly<Record<string, () => Promise<unknown>>>
}

const lose = (userId: number) => ({
  camera: () => api.owner.plain.deleteFrom('user_cameras').where('user_id', '=', userId).execute(),
  rights: () => api.owner.plain.updateTable('users').set({ rights: [] }).where('user_id', '=', userId).execute(),
})
const endSession = (token: string) => () =>
  api.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256(token)).execute()

async function exportedFile(): Promise<SentFile> {
  const { accountId, cameraId, user, span } = await arranged()
  const asked = await api.call(user.token, 'POST exports', { cameraIds: [cameraId], ...span, format: 'mp4' })
  const { exportId } = asked.body
  await finish(accountId, exportId)
  const { url } = (await api.call(user.token, `POST exports/${exportId}/links`)).body
  const { camera, rights } = lose(user.userId)
  const removed = async () => expect((await api.call(user.token, `DELETE exports/${exportId}`)).status).toBe(204)
  return { url, revocations: { camera, rights, session: endSession(user.token), removed } }
}

async function sharedFile(opens: 'public' | 'account'): Promise<SentFile> {
  const { accountId, cameraId, user, addUser, span, until } = await arranged()
  const wanted = { cameraId, ...span, expiresAt: until, public: opens === 'public' }
  const { share, url: link } = (await api.call(user.token, 'POST shares', wanted)).body
  const { shareId } = share
  const { export_id } = await api.owner.plain
    .selectFrom('shares')
    .select('export_id')
    .where('share_id', '=', shareId)
    .executeTakeFirstOrThrow()
  await finish(accountId, export_id)
  const viewer = await addUser(['playback'])
  const token = opens === 'public' ? undefined : viewer.token
  const secret = new URL(link).hash.slice(1)
  const opened = await api.call(token, `POST sharedFootage/${opens}`, { secret })
  const removed = async () => expect((await api.call(user.token, `DELETE shares/${shareId}`)).status).toBe(204)
  const { camera, rights } = lose(viewer.userId)
  return {
    url: opened.body.footage.url,
    revocations: {
      removed,
      'rights of its creator': lose(user.userId).rights,
      ...(opens === 'account' && { camera, rights, session: endSession(viewer.token) }),
    },
  }
}

const files = {
  'an export': exportedFile,
  'a public share': () => sharedFile('public'),
  'a share for the account': () => sharedFile('account'),
}

test.each([
  ['an export', 'removed'],
  ['an export', 'camera'],
  ['an export', 'rights'],
  ['an export', 'session'],
  ['a public share', 'removed'],
  ['a public share', 'rights of its creator'],
  ['a share for the account', 'removed'],
  ['a share for the account', 'rights of its creator'],
  ['a share for the account', 'camera'],
  ['a share for the account', 'rights'],
  ['a share for the account', 'session'],
] as const)('the file of %s ends within two seconds after this is taken: %s', async (of, lost) => {
  const { url, revocations } = await files[of]()
  const { pathname, search } = new URL(url)
  sockets = []
  const reader = await readSlowly(`http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}${search}`)
  expect([reader.status, reader.length]).toEqual([200, CONTENT.length])
  await sleep(300)
  const [socket] = sockets
  expect(socket?.destroyed).toBe(false)
  await revocations[lost]?.()
  const revokedAt = performance.now()
  await expect.poll(() => socket?.destroyed, { interval: 20 }).toBe(true)
  expect(performance.now() - revokedAt).toBeLessThan(2000)
  const { bytes, isWhole } = await reader.rest()
  expect(isWhole).toBe(false)
  expect(bytes).toBeLessThan(CONTENT.length)
})
