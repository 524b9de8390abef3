import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { syncFolderLater } from './durable-folder.ts'
import { isSegmentEntry, readManifest } from './manifest.ts'
import { CAMERA, filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { streamFolder, toHour } from './segment-name.ts'
import { scanSegment } from './segment-scan.ts'
import { SegmentWriter } from './segment-writer.ts'
import { type Syncable, SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

/** Remembers its syncs; refuses while told to. */
class File implements Syncable {
  syncs = 0
  failures: unknown[] = []
  refuses = false

  async sync(): Promise<void> {
    this.syncs++
    if (this.refuses) throw new Error('EIO')
  }

  syncFailed(cause: unknown): void {
    this.failures.push(cause)
  }
}

test('files written since the last round are synced together, each once', async () => {
  const group = new SyncGroup({ delayMs: 20 })
  const files = [new File(), new File(), new File()]
  const written = files.flatMap((file) => Array.from({ length: 5 }, () => group.wrote(file)))
  await Promise.all(written)
  expect(files.map((file) => file.syncs)).toEqual([1, 1, 1])
  await group.flush()
  expect(files.map((file) => file.syncs)).toEqual([1, 1, 1])
})

test('a flush waits for earlier writes, even during a round', async () => {
  const group = new SyncGroup()
  const [first, second] = [new File(), new File()]
  void group.wrote(first)
  const round = group.flush()
  void group.wrote(second)
  await group.flush()
  expect(second.syncs).toBe(1)
  await round
})

/** A disk whose syncs are begun and ended by hand. */
function manualDisk() {
  const begun: PromiseWithResolvers<void>[] = []
  const disk = async (sync: () => Promise<void>) => {
    const turn = Promise.withResolvers<void>()
    begun.push(turn)
    await sync()
    await turn.promise
  }
  return { begun, disk }
}

test('a file is confirmed while the disk is still busy with others', async () => {
  const { begun, disk } = manualDisk()
  const group = new SyncGroup({ delayMs: 1, disk })
  void group.wrote(new File())
  const quick = group.wrote(new File())
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve()
  await quick
  begun[0]?.resolve()
  await group.flush()
})

test('what is written while its file is being synced is confirmed by the next sync, which waits for the one before', async () => {
  const { begun, disk } = manualDisk()
  const group = new SyncGroup({ delayMs: 1, disk })
  const file = new File()
  void group.wrote(file)
  await expect.poll(() => begun.length).toBe(1)
  let isConfirmed = false
  const later = group.wrote(file).then(() => (isConfirmed = true))
  const flushed = group.flush()
  await setTimeout(20)
  expect([begun.length, isConfirmed]).toEqual([1, false])
  begun[0]?.resolve()
  await expect.poll(() => begun.length).toBe(2)
  expect(isConfirmed).toBe(false)
  begun[1]?.resolve()
  await later
  await flushed
  expect(file.syncs).toBe(2)
})

test('names that are created in a folder at the same time share one sync of it, and all hear of its failure', async () => {
  const { begun, disk } = manualDisk()
  const group = new SyncGroup({ delayMs: 1, disk })
  const failures: unknown[] = []
  const kept: Promise<void>[] = []
  const names = { group, failed: (cause: unknown) => failures.push(cause), kept }
  for (let i = 0; i < 3; i++) syncFolderLater('/nowhere', names)
  await Promise.all(kept)
  expect([begun.length, failures.length]).toEqual([1, 3])
  syncFolderLater('/nowhere', names)
  await group.flush()
  expect([begun.length, failures.length]).toEqual([2, 4])
})

test('a failed sync is reported only to its file, and the others are synced', async () => {
  const group = new SyncGroup()
  const [bad, good] = [new File(), new File()]
  bad.refuses = true
  void group.wrote(bad)
  void group.wrote(good)
  await group.flush()
  expect(bad.failures).toHaveLength(1)
  expect([good.syncs, good.failures]).toEqual([1, []])
})

/** A disk that refuses the first sync of a segment, as fdatasync does once after a write-back error. */
class RefusingDisk extends SyncGroup {
  refusals = 0

  override wrote(file: Syncable): Promise<void> {
    const refuses = file instanceof SegmentWriter && this.refusals === 0
    if (refuses) this.refusals++
    return super.wrote(
      refuses ? { sync: () => Promise.reject(new Error('EIO')), syncFailed: (cause) => file.syncFailed(cause) } : file,
    )
  }
}

test('after a failed sync the segment is closed and marked, a new one is opened, and health recovers only after a successful sync (R3)', async () => {
  const group = new RefusingDisk({ delayMs: 30 })
  const set = await stage({ group })
  const [tracks, units] = playTracks([footage('high.h264')], { seconds: 8, wallClock: TEN_THIRTY })
  const all = [...units]
  const publish = (from: number, till: number) => {
    for (const { track, unit } of all) {
      if (unit.time >= from * 90_000 && unit.time < till * 90_000) set.hub.publish({ kind: 'unit', track, unit })
    }
  }
  set.hub.publish({ kind: 'tracks', tracks })
  publish(0, 2)
  await expect.poll(() => set.health.map(({ kind }) => kind)).toEqual(['diskFault'])
  publish(2, 4)
  // The recorder tries again a second after a fault.
  await setTimeout(1100)
  publish(4, 8)
  await expect.poll(() => set.health.at(-1)?.kind).toBe('ok')
  await set.stop()
  const [bad = '', good = ''] = await filesBelow(set.store)
  expect((await scanSegment(bad)).index).toBeUndefined()
  expect((await scanSegment(good)).index?.end).toBe('stopped')
  const lines = (await readManifest(streamFolder(set.store, CAMERA), toHour(TEN_THIRTY))).map(({ entry }) => entry)
  const suspects = lines.filter(isSegmentEntry).map(({ start, suspect }) => [start - TEN_THIRTY, suspect !== undefined])
  expect(suspects).toEqual([
    [0, true],
    [4000, false],
  ])
  expect(set.runs.ended.map(([, , why]) => why)).toEqual(['disk', 'stopped'])
})

/** On a busy machine every disk would count as one that falls behind. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('at most two syncs are in flight, those outside of the rounds included', async () => {
  stopClock()
  let inFlight = 0
  let most = 0
  const disk = async (sync: () => Promise<void>) => {
    most = Math.max(most, ++inFlight)
    await setTimeout(2)
    await sync()
    inFlight--
  }
  const group = new SyncGroup({ disk, busyShare: () => 0 })
  const files = Array.from({ length: 9 }, () => new File())
  for (const file of files) void group.wrote(file)
  await Promise.all([group.flush(), ...files.map((file) => group.run(() => file.sync()))])
  expect([most, ...files.map((file) => file.syncs)]).toEqual([2, ...files.map(() => 2)])
})

test('parts are in their files, also in new ones, while the disk answers no sync', async () => {
  const stuck = Promise.withResolvers<void>()
  const group = new SyncGroup({ delayMs: 10, disk: (sync) => stuck.promise.then(sync) })
  const set = await stage({ group, segmentMs: 2000 })
  set.show(...playTracks([footage('main.h264')], { seconds: 10, wallClock: TEN_THIRTY }))
  const pictures = async () => {
    const scans = await Promise.all((await filesBelow(set.store)).map((path) => scanSegment(path)))
    return scans.flatMap(({ parts }) => parts.map((part) => part.pictures)).reduce((a, b) => a + b, 0)
  }
  await expect.poll(pictures).toBe(250)
  expect(set.health).toEqual([])
  stuck.resolve()
  await set.stop()
  expect(set.health.map(({ kind }) => kind)).toEqual(['ok'])
})

test('a folder that refuses to keep a new name makes its segment suspect', async () => {
  const refused = Promise.withResolvers<void>()
  class RefusingFolder extends SyncGroup {
    override wrote(file: Syncable): Promise<void> {
      const refuses = !(file instanceof SegmentWriter)
      const written = super.wrote(
        refuses
          ? { sync: () => Promise.reject(new Error('EIO')), syncFailed: (cause) => file.syncFailed(cause) }
          : file,
      )
      if (refuses) refused.resolve()
      return written
    }
  }
  const set = await stage({ group: new RefusingFolder({ delayMs: 10 }) })
  set.show(...playTracks([footage('high.h264')], { seconds: 4, wallClock: TEN_THIRTY }))
  await refused.promise
  await expect.poll(() => set.health[0]?.kind).toBe('diskFault')
  await set.stop()
})

describe('100 cameras with two streams on a disk that takes 50 ms for each sync', () => {
  beforeAll(() => void vi.useFakeTimers())
  afterAll(() => void vi.useRealTimers())

  test('every part is confirmed within two seconds, with eight syncs at once while they wait and two afterwards', async () => {
    let [inFlight, most] = [0, 0]
    const disk = async (sync: () => Promise<void>) => {
      most = Math.max(most, ++inFlight)
      await new Promise((done) => globalThis.setTimeout(done, 50))
      await sync()
      inFlight--
    }
    const group = new SyncGroup({ disk, busyShare: () => 0 })
    const files = Array.from({ length: 200 }, () => new File())
    const delays: number[] = []
    const write = (file: File) => {
      const at = performance.now()
      void group.wrote(file).then(() => delays.push(performance.now() - at))
    }
    for (let ms = 0; ms < 20_000; ms += 4) {
      // Each stream writes a part every 800 ms, one after the other.
      const file = files[(ms / 4) % 200]
      if (file !== undefined) write(file)
      await vi.advanceTimersByTimeAsync(4)
    }
    for (let ms = 0; ms < 5000; ms += 50) await vi.advanceTimersByTimeAsync(50)
    expect(delays).toHaveLength(5000)
    expect(Math.max(...delays)).toBeLessThan(2000)
    expect([most, inFlight]).toEqual([8, 0])
    most = 0
    for (const file of files.slice(0, 9)) write(file)
    await vi.advanceTimersByTimeAsync(2000)
    expect(most).toBe(2)
  })

  test('what was left open by a crash is repaired beside it, and no part waits longer than two seconds for it', async () => {
    const disk = async (sync: () => Promise<void>) => {
      await new Promise((done) => globalThis.setTimeout(done, 50))
      await sync()
    }
    const group = new SyncGroup({ disk, busyShare: () => 0 })
    const files = Array.from({ length: 200 }, () => new File())
    const delays: number[] = []
    let repaired = 0
    const repair = async () => {
      for (let step = 0; step < 3; step++) await group.runLater(async () => undefined)
      repaired++
    }
    for (const _ of files) void repair()
    for (let ms = 0; ms < 40_000; ms += 4) {
      const at = performance.now()
      const file = files[(ms / 4) % 200]
      if (file !== undefined) void group.wrote(file).then(() => delays.push(performance.now() - at))
      await vi.advanceTimersByTimeAsync(4)
    }
    expect(Math.max(...delays)).toBeLessThan(2000)
    expect(repaired).toBe(200)
  })
})

/** Syncs of 128 files on a disk that is done with all of them in each turn of the event loop; the most that it had at once. */
async function mostAtOnce(busyShare: number, { comeBack = 'together' }: { comeBack?: 'together' | 'apart' } = {}) {
  let waiting: (() => void)[] = []
  let most = 0
  const group = new SyncGroup({
    busyShare: () => busyShare,
    disk: async (sync) => {
      most = Math.max(most, waiting.length + 1)
      await new Promise<void>((resolve) => waiting.push(resolve))
      await sync()
    },
  })
  const files = Array.from({ length: 128 }, () => new File())
  for (const file of files) void group.wrote(file)
  const round = group.flush()
  let isOver = false
  void round.then(() => {
    isOver = true
  })
  while (!isOver) {
    await setTimeout(1)
    const done = comeBack === 'together' ? waiting : waiting.slice(0, 1)
    waiting = waiting.slice(done.length)
    for (const resolve of done) resolve()
  }
  expect(files.map(({ syncs }) => syncs)).toEqual(files.map(() => 1))
  return most
}

test('a disk has two syncs at once, and 32 while it waits for an event loop that is never idle', async () => {
  stopClock()
  expect(await mostAtOnce(0.5)).toBe(2)
  expect(await mostAtOnce(1)).toBe(32)
  // A disk that is slow keeps no more threads because the loop is busy too.
  expect(await mostAtOnce(1, { comeBack: 'apart' })).toBe(2)
})
