import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
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
  for (const file of files) for (let i = 0; i < 5; i++) group.wrote(file)
  await group.nextRound()
  expect(files.map((file) => file.syncs)).toEqual([1, 1, 1])
  await group.flush()
  expect(files.map((file) => file.syncs)).toEqual([1, 1, 1])
})

test('a flush waits for earlier writes, even during a round', async () => {
  const group = new SyncGroup()
  const [first, second] = [new File(), new File()]
  group.wrote(first)
  const round = group.flush()
  group.wrote(second)
  await group.flush()
  expect(second.syncs).toBe(1)
  await round
})

test('a failed sync is reported only to its file, and the others are synced', async () => {
  const group = new SyncGroup()
  const [bad, good] = [new File(), new File()]
  bad.refuses = true
  group.wrote(bad)
  group.wrote(good)
  await group.flush()
  expect(bad.failures).toHaveLength(1)
  expect([good.syncs, good.failures]).toEqual([1, []])
})

/** A disk that refuses the first sync of a segment, as fdatasync does once after a write-back error. */
class RefusingDisk extends SyncGroup {
  refusals = 0

  override wrote(file: Syncable): void {
    const refuses = file instanceof SegmentWriter && this.refusals === 0
    if (refuses) this.refusals++
    super.wrote(
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

test('at most two syncs are in flight, those outside of the rounds included', async () => {
  let inFlight = 0
  let most = 0
  const disk = async (sync: () => Promise<void>) => {
    most = Math.max(most, ++inFlight)
    await setTimeout(2)
    await sync()
    inFlight--
  }
  const group = new SyncGroup({ disk })
  const files = Array.from({ length: 9 }, () => new File())
  for (const file of files) group.wrote(file)
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
    override wrote(file: Syncable): void {
      const refuses = !(file instanceof SegmentWriter)
      super.wrote(
        refuses
          ? { sync: () => Promise.reject(new Error('EIO')), syncFailed: (cause) => file.syncFailed(cause) }
          : file,
      )
      if (refuses) refused.resolve()
    }
  }
  const set = await stage({ group: new RefusingFolder({ delayMs: 10 }) })
  set.show(...playTracks([footage('high.h264')], { seconds: 4, wallClock: TEN_THIRTY }))
  await refused.promise
  await expect.poll(() => set.health[0]?.kind).toBe('diskFault')
  await set.stop()
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
  for (const file of files) group.wrote(file)
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
  expect(await mostAtOnce(0.5)).toBe(2)
  expect(await mostAtOnce(1)).toBe(32)
  // A disk that is slow keeps no more threads because the loop is busy too.
  expect(await mostAtOnce(1, { comeBack: 'apart' })).toBe(2)
})
