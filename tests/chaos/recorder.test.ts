/** A recorder's promises when it is killed, stopped or frozen, or its disk is full (R1, R6, R8, R18). */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPlayback } from '../../server/media/src/playback/index.ts'
import {
  claimFence,
  type LeaseState,
  readCatalogue,
  recoverStream,
  SyncGroup,
  streamFolder,
  verifyManifest,
} from '../../server/media/src/recording/index.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  removeTemporaryFolders,
  temporaryFolder,
} from '../../server/media/src/recording/recording-stage.ts'
import { isLongRun } from '../long-run.ts'

afterAll(removeTemporaryFolders)

const script = new URL('./recorder-process.ts', import.meta.url).pathname
/** Kills for each of three recorders. */
const KILLS = isLongRun ? 4 : 2
const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

interface Running {
  readonly child: ChildProcess
  /** The number of pictures received, by its last output. */
  arrived(): number
  said(): readonly string[]
}

interface RecorderOptions {
  readonly lease?: LeaseState
  /** How much longer each sync takes. */
  readonly syncMs?: number
  readonly segmentMs?: number
}

function startRecorder(
  store: string,
  fence: number,
  { lease = 'held', syncMs = 0, segmentMs = 5000 }: RecorderOptions = {},
): Running {
  const words = [store, fence, lease, syncMs, segmentMs].map(String)
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
  })
  const lines = () => output.split('\n').slice(0, -1)
  return {
    child,
    arrived: () => Number(lines().findLast((line) => /^\d+$/.test(line)) ?? 0),
    said: () => lines().filter((line) => !/^\d+$/.test(line)),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}

const recover = async (store: string, fence: number) => {
  await using group = new SyncGroup()
  return await recoverStream({ store, stream: CAMERA, fence, group, runs: new MemoryRunLog(), previousWriter: 'dead' })
}

async function recordedPictures(store: string): Promise<{ pictures: number; damaged: number }> {
  let pictures = 0
  let damaged = 0
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0 })) {
    if (message.kind === 'damaged') damaged++
    if (message.kind === 'part') pictures += message.samples.filter((sample) => sample.track === 0).length
  }
  return { pictures, damaged }
}

describe('a killed recorder (R1)', () => {
  test('loses at most one second of received footage, whenever it is killed', async () => {
    const stores = await Promise.all([1, 2, 3].map(temporaryFolder))
    const losses = await Promise.all(
      stores.map(async (store) => {
        const lost: number[] = []
        for (let fence = 1; fence <= KILLS; fence++) {
          const { pictures: before } = await recordedPictures(store)
          const running = startRecorder(store, fence)
          await expect.poll(running.arrived, { timeout: 20_000 }).toBeGreaterThan(10)
          await sleep(500 + Math.random() * 3000)
          await end(running.child, 'SIGKILL')
          await recover(store, fence + 1)
          const { pictures, damaged } = await recordedPictures(store)
          expect(damaged).toBe(0)
          lost.push(running.arrived() - (pictures - before))
        }
        return lost
      }),
    )
    for (const lost of losses.flat()) expect(lost).toBeLessThanOrEqual(25)
    for (const store of stores) {
      expect((await filesBelow(store, '.damaged')).length).toBe(0)
      expect(await verifyManifest(streamFolder(store, CAMERA), CAMERA)).toMatchObject({ broken: [] })
      const slices = await readCatalogue(store, CAMERA, 0)
      expect(new Set(slices.map(({ runId }) => runId)).size).toBe(KILLS)
      expect(slices.filter(({ why }) => why === 'restart')).toHaveLength(KILLS)
    }
  })

  // Every group of pictures gets its own segment, so that most kills are near the start of one.
  test.each(isLongRun ? [50, 300, 600] : [600])(
    'loses at most one second although the disk takes %d ms for each sync',
    async (syncMs) => {
      const lost = await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const store = await temporaryFolder()
          const running = startRecorder(store, 1, { syncMs, segmentMs: 1000 })
          await expect.poll(running.arrived, { timeout: 20_000 }).toBeGreaterThan(60)
          await sleep(Math.random() * 2000)
          await end(running.child, 'SIGKILL')
          await recover(store, 2)
          const { pictures, damaged } = await recordedPictures(store)
          expect(damaged).toBe(0)
          return running.arrived() - pictures
        }),
      )
      for (const pictures of lost) expect(pictures).toBeLessThanOrEqual(25)
    },
  )

  const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0
  test.skipIf(!hasFfmpeg)('leaves files that ffmpeg plays to the end, before and after recovery', async () => {
    const store = await temporaryFolder()
    const running = startRecorder(store, 1)
    await expect.poll(running.arrived, { timeout: 20_000 }).toBeGreaterThan(60)
    await end(running.child, 'SIGKILL')
    for (const stage of ['before', 'after']) {
      for (const path of await filesBelow(store)) {
        const run = spawnSync('ffmpeg', ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-'], { encoding: 'utf8' })
        expect([stage, run.stderr, run.status]).toEqual([stage, '', 0])
      }
      await recover(store, 2)
    }
  })
})

test('a recorder stopped by SIGTERM loses nothing (R18)', async () => {
  const store = await temporaryFolder()
  const running = startRecorder(store, 1)
  await expect.poll(running.arrived, { timeout: 20_000 }).toBeGreaterThan(40)
  await end(running.child, 'SIGTERM')
  expect(running.child.exitCode).toBe(0)
  expect((await recordedPictures(store)).pictures).toBe(running.arrived())
  expect(await recover(store, 2)).toEqual({ closed: [], listed: [], setAside: [], sealed: [] })
})

test.each<LeaseState>(['held', 'lapsed'])(
  'a recorder frozen while another takes over writes nothing that playback shows: its lease seems %s (R8)',
  async (lease) => {
    const store = await temporaryFolder()
    const zombie = startRecorder(store, 1, { lease })
    await expect.poll(zombie.arrived, { timeout: 20_000 }).toBeGreaterThan(40)
    zombie.child.kill('SIGSTOP')
    const folder = streamFolder(store, CAMERA)
    const group = new SyncGroup()
    expect(await claimFence(folder, 2, { group, failed: () => undefined })).toBe(2)
    await recoverStream({ store, stream: CAMERA, fence: 2, group, runs: new MemoryRunLog() })
    const before = await filesBelow(store)
    const successor = startRecorder(store, 2)
    await expect.poll(successor.arrived, { timeout: 20_000 }).toBeGreaterThan(40)
    zombie.child.kill('SIGCONT')
    const woken = zombie.arrived()
    await expect.poll(() => zombie.said(), { timeout: 20_000 }).toContain('fenced')
    expect(zombie.arrived()).toBeGreaterThan(woken)
    await end(successor.child, 'SIGTERM')
    // Not even a file: it looks for a newer fence before it begins one.
    const added = (await filesBelow(store)).filter((path) => !before.includes(path))
    for (const path of added) expect(path).toMatch(/-2-[0-9a-f]{32}\.seg$/)
    expect(await verifyManifest(folder, CAMERA)).toMatchObject({ broken: [] })
    const times: number[] = []
    for await (const message of openPlayback({ store, stream: CAMERA, at: 0 })) {
      expect(message.kind).not.toBe('damaged')
      if (message.kind === 'part') times.push(message.wallClock)
    }
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    for (const path of await filesBelow(store)) expect(path).toMatch(/-[12]-[0-9a-f]{32}\.seg$/)
  },
)

/** A two-megabyte file system; undefined if this user cannot mount one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-small-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0) return folder
  rmSync(folder, { recursive: true })
  return undefined
}

const disk = smallDisk()
afterAll(() => {
  if (disk === undefined) return
  execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true })
})

test.skipIf(disk === undefined)(
  'a full disk is reported; recording continues when there is space again (R6)',
  async () => {
    const folder = disk ?? ''
    try {
      const running = startRecorder(folder, 1)
      await expect.poll(running.arrived, { timeout: 20_000 }).toBeGreaterThan(60)
      const filler = join(folder, 'filler')
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k', 'count=64'])
      await expect.poll(() => running.said(), { timeout: 20_000 }).toContain('diskFault')
      expect(running.child.exitCode).toBeNull()
      const { pictures } = await recordedPictures(folder)
      expect(pictures).toBeGreaterThan(20)
      await rm(filler)
      await expect.poll(() => running.said().at(-1), { timeout: 20_000 }).toBe('ok')
      await expect
        .poll(async () => (await recordedPictures(folder)).pictures, { timeout: 20_000 })
        .toBeGreaterThan(pictures + 25)
      await end(running.child, 'SIGTERM')
      expect((await recordedPictures(folder)).damaged).toBe(0)
      const ends = (await readCatalogue(folder, CAMERA, 0)).map(({ why }) => why)
      expect(ends.at(-1)).toBe('stopped')
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
  },
)
