/** Files that are being sent end within two seconds after their permission is gone: security.md R16. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLIP_PATH, SUMMARY_PATH } from '@sightline/contract/streams'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { readSlowly } from '../../../../tests/slow-reader.ts'
import { removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { type ClipDownloadDeps, clipDownloads } from './clip-downloads.ts'
import { openFootageFiles } from './footage-files.ts'
import { streamSessions } from './stream-sessions.ts'
import { arrangeSessions, NO_LIMITS } from './stream-sessions-stage.ts'
import { type SummaryDeps, summaries } from './summaries.ts'

const SECONDS = 60
/** Filler (H.264 NAL type 12) in each key picture: more in all than the buffers between server and client hold. */
const FILLER = Buffer.alloc(700_000, 0xff)
FILLER.set([0x0c], 0)
FILLER.set([0x80], FILLER.length - 1)

let arranged: Awaited<ReturnType<typeof arrangeSessions>>
let sessions: ReturnType<typeof streamSessions>
let server: Server
let sockets: Socket[] = []

beforeAll(async () => {
  arranged = await arrangeSessions()
  const { queries, accountId, cameraId } = arranged
  // As the product confirms them: each second.
  sessions = streamSessions({ queries, now: Date.now, limits: NO_LIMITS, agreementVersion: async () => '1' })
  const clip = footage('main.h264')
  const frames = clip.frames.map((frame) => (frame.isKey ? { ...frame, units: [...frame.units, FILLER] } : frame))
  const set = await stage({ segmentMs: 20_000, stream: { accountId, cameraId, stream: 'main' } })
  set.show(...playTracks([{ ...clip, frames }], { seconds: SECONDS, wallClock: TEN_THIRTY }))
  await set.stop()
  const base = {
    ...openFootageFiles({ store: set.store, s3: undefined }),
    store: set.store,
    sessions,
    keys: {
      find: () => {
        throw new Error('nothing is encrypted')
      },
    },
    findEnd: async ({ till }: { till: number }) => till,
    onBegin: async () => undefined,
    onDownload: async () => undefined,
    onOverload: () => undefined,
    signExport: async () => undefined,
    now: Date.now,
  }
  const clips = clipDownloads({ ...base, counted: (_, download) => download() } as ClipDownloadDeps)
  const summary = summaries({ ...base, counted: (_, sending) => sending } as SummaryDeps)
  server = createServer((req, res) => {
    const { handle } = req.url?.startsWith(CLIP_PATH) ? clips : summary
    void handle(req, res, '192.0.2.1')
  })
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await sessions[Symbol.asyncDispose]()
  await arranged[Symbol.asyncDispose]()
  await removeTemporaryFolders()
})

let users = 0

/** A user who may export the camera’s footage, and ways to take that. */
async function exporter() {
  const { owner, addUser } = arranged
  const token = await addUser(`token-${users++}`)
  const { user_id } = await owner.plain
    .selectFrom('auth.access_sessions')
    .select('user_id')
    .where('token_sha256', '=', tokenSha256(token))
    .executeTakeFirstOrThrow()
  const change = (to: object) => owner.plain.updateTable('users').set(to).where('user_id', '=', user_id).execute()
  await change({ rights: ['playback', 'export'] })
  return {
    token,
    revocations: {
      'the camera': () => change({ all_cameras: false }),
      'the right to play': () => change({ rights: ['export'] }),
      'the session': () =>
        owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256(token)).execute(),
    },
  }
}

const text = (seconds: number) => new Date(TEN_THIRTY + seconds * 1000).toISOString()
const cases = [CLIP_PATH, SUMMARY_PATH].flatMap((path) =>
  (['the camera', 'the right to play', 'the session'] as const).map((lost) => [path, lost] as const),
)

test.each(cases)('%s ends within two seconds after %s is taken, with bytes on their way', async (path, lost) => {
  const { token, revocations } = await exporter()
  sockets = []
  const { port } = server.address() as AddressInfo
  const span = `from=${text(0)}&till=${text(SECONDS)}`
  const reader = await readSlowly(
    `http://127.0.0.1:${port}${path}?camera_id=${arranged.cameraId}&access_token=${token}&${span}`,
  )
  expect(reader.status).toBe(200)
  expect(reader.length).toBeGreaterThan(15_000_000)
  await sleep(500)
  const [socket] = sockets
  expect([socket?.destroyed, sessions.size]).toEqual([false, 1])
  await revocations[lost]()
  const revokedAt = performance.now()
  await expect.poll(() => socket?.destroyed, { interval: 20 }).toBe(true)
  expect(performance.now() - revokedAt).toBeLessThan(2000)
  expect(sessions.size).toBe(0)
  const { bytes, isWhole } = await reader.rest()
  expect(isWhole).toBe(false)
  expect(bytes).toBeLessThan(reader.length)
})
