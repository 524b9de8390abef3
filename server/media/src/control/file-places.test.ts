import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLIP_PATH, SUMMARY_PATH } from '@sightline/contract/streams'
import { afterAll, expect, test } from 'vitest'
import { removeTemporaryFolders, stage } from '../recording/recording-stage.ts'
import { type ClipDownloadDeps, clipDownloads } from './clip-downloads.ts'
import type { StreamSession } from './stream-sessions.ts'
import { planningTurns, type SummaryDeps, summaries } from './summaries.ts'

afterAll(removeTemporaryFolders)

/** A server whose files last until `end`. The token of a request says its account; 0 is that of nobody. */
async function lastingFiles(path: typeof CLIP_PATH | typeof SUMMARY_PATH) {
  const set = await stage({ segmentMs: 10_000 })
  await set.stop()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let running = 0
  let closed = 0
  const session = (accountId: number) =>
    ({
      accountId,
      cameraId: 1,
      stream: 'main',
      caller: { rights: new Set() },
      from: 0,
      till: 1000,
      isAgain: true,
      signal: new AbortController().signal,
      close: () => {
        closed += 1
      },
    }) as unknown as StreamSession
  const base: Partial<ClipDownloadDeps & SummaryDeps> = {
    sessions: {
      async open({ credential }) {
        const accountId = Number('accessToken' in credential ? credential.accessToken : 0)
        return accountId === 0 ? { ok: false, code: 9 } : { ok: true, session: session(accountId) }
      },
    },
    store: set.store,
    findEnd: async ({ till }) => till,
    onOverload: () => undefined,
    now: Date.now,
  }
  const last = async () => {
    running += 1
    await ended
  }
  const { handle } =
    path === CLIP_PATH
      ? clipDownloads({ ...base, counted: (_, download) => last().then(download) } as ClipDownloadDeps)
      : summaries({ ...base, counted: (_, sending) => last().then(() => sending) } as SummaryDeps)
  const server = createServer((req, res) => void handle(req, res, '192.0.2.1'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const span = 'from=2026-11-21T09:00:00Z&till=2026-11-21T10:00:00Z'
  return {
    end,
    running: () => running,
    closed: () => closed,
    ask: async (accountId: number) =>
      (await fetch(`http://127.0.0.1:${port}${path}?camera_id=1&access_token=${accountId}&${span}`)).status,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test.each([
  [CLIP_PATH, 8],
  [SUMMARY_PATH, 16],
] as const)(
  'of %s, half of the %i places are for one account at most, and others than viewers take none',
  async (path, places) => {
    await using server = await lastingFiles(path)
    const half = places / 2
    const own = Array.from({ length: half }, () => server.ask(1))
    await expect.poll(() => server.running()).toBe(half)
    expect(await server.ask(1)).toBe(503)
    const others = Array.from({ length: half }, () => server.ask(2))
    await expect.poll(() => server.running()).toBe(places)
    expect(await server.ask(3)).toBe(503)
    // Permission is checked before there is a place.
    expect(await server.ask(0)).toBe(403)
    server.end()
    // Nothing was recorded.
    expect(await Promise.all([...own, ...others])).toEqual(Array.from({ length: places }, () => 404))
    await expect.poll(() => server.closed()).toBe(places + 2)
  },
)

test('an account whose cameras all want a summary leaves half of the turns to others', async () => {
  const turns = planningTurns()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const began: number[] = []
  const plan = (accountId: number) =>
    turns.run(accountId, () => {
      began.push(accountId)
      return ended
    })
  const own = Array.from({ length: 11 }, () => plan(1))
  expect(await plan(1)).toMatchObject({ ok: false })
  const others = Array.from({ length: 11 }, () => plan(2))
  expect(began).toEqual([1, 2])
  end()
  for (const turn of await Promise.all([...own, ...others])) expect(turn.ok).toBe(true)
})
