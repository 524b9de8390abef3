import { readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { smallDisk } from '../../../../tests/chaos/small-disk.ts'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { isTombstone, readManifest, verifyManifest } from './manifest.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  removeTemporaryFolders,
  type Stage,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from './recording-stage.ts'
import { type RetentionOptions, storeKeeper } from './retention.ts'
import type { StreamKey } from './run-log.ts'
import { parseFileName, streamFolder, toHour } from './segment-name.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

const OTHER: StreamKey = { ...CAMERA, cameraId: 2002 }

/** Half a minute of two cameras, the second a minute later, in segments of five seconds. */
async function twoCameras(): Promise<{ store: string; starts: () => Promise<number[]>; size: () => Promise<number> }> {
  let first: Stage | undefined
  for (const [index, stream] of [CAMERA, OTHER].entries()) {
    const set = await stage({ stream, segmentMs: 5000, ...(first && { store: first.store }) })
    set.show(...playTracks([footage('high.h264')], { seconds: 30, wallClock: TEN_THIRTY + index * 60_000 }))
    await set.stop()
    first ??= set
  }
  const store = first?.store ?? ''
  const files = () => filesBelow(store)
  return {
    store,
    starts: async () => (await files()).map((path) => parseFileName(path.split('/').at(-1) ?? '')?.start ?? 0),
    size: async () =>
      (await Promise.all((await files()).map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0),
  }
}

function keeper(store: string, more: Partial<RetentionOptions>) {
  const runs = new MemoryRunLog()
  const group = new SyncGroup()
  const kept = storeKeeper({ store, group, runs, now: () => TEN_THIRTY + 120_000, ...more })
  return { runs, sweep: () => kept.sweep() }
}

describe('footage beyond the limit', () => {
  test('is deleted oldest first, in whole segments, across cameras', async () => {
    const { store, starts, size } = await twoCameras()
    const before = await starts()
    const all = await size()
    const limitBytes = Math.round(all * 0.6)
    const { sweep } = keeper(store, { limitBytes })
    const report = await sweep()
    expect(await size()).toBeLessThanOrEqual(limitBytes)
    expect(report).toMatchObject({ bytes: await size(), deletedBytes: all - (await size()), clock: 'trusted' })
    const left = await starts()
    const gone = before.filter((start) => !left.includes(start))
    const ofFirst = before.filter((start) => start < TEN_THIRTY + 60_000)
    expect(gone).toEqual(before.filter((start) => gone.includes(start)))
    // The first camera keeps its newest two, although they are older than those of the second.
    expect(left.filter((start) => start < TEN_THIRTY + 60_000)).toEqual(ofFirst.slice(-2))
  })

  test('is logged as the deleted ranges', async () => {
    const { store, size } = await twoCameras()
    const { sweep, runs } = keeper(store, { limitBytes: Math.round((await size()) * 0.8) })
    const report = await sweep()
    expect(runs.deletions).toHaveLength(1)
    expect(runs.deletions[0]).toMatchObject({ start: TEN_THIRTY, bytes: report.deletedBytes })
  })

  test('leaves a tombstone with the hash of the deleted file, and an intact chain', async () => {
    const { store } = await twoCameras()
    const folder = streamFolder(store, CAMERA)
    const [oldest = ''] = await filesBelow(folder)
    const id = parseFileName(oldest.split('/').at(-1) ?? '')?.segmentId
    const bytes = await readFile(oldest)
    await keeper(store, { limitBytes: 1 }).sweep()
    const entries = (await readManifest(folder, toHour(TEN_THIRTY))).map(({ entry }) => entry)
    const line = entries.find((entry) => !isTombstone(entry) && entry.segmentId === id)
    expect(line).toMatchObject({ bytes: bytes.length })
    expect(entries.filter(isTombstone).find((entry) => entry.segmentId === id)).toMatchObject({
      reason: 'space',
      by: 'system',
      sha256: line?.sha256,
    })
    expect((await verifyManifest(folder, CAMERA)).broken).toEqual([])
  })

  test('stays if it is locked or still being written', async () => {
    const { store, starts } = await twoCameras()
    const before = await starts()
    const locked = { start: TEN_THIRTY + 6000, end: TEN_THIRTY + 7000 }
    await keeper(store, { limitBytes: 0, locks: ({ cameraId }) => (cameraId === 2001 ? [locked] : []) }).sweep()
    const ofFirst = (list: readonly number[]) => list.filter((start) => start < TEN_THIRTY + 60_000)
    const touching = ofFirst(before).filter(
      (start, index, all) => start < locked.end && (all[index + 1] ?? 0) > locked.start,
    )
    expect(ofFirst(await starts())).toEqual([...touching, ...ofFirst(before).slice(-2)])
  })

  test('is deleted when the disk has too little free space, whatever the limit', async () => {
    const { store, size } = await twoCameras()
    const all = await size()
    const { bavail, bsize } = await statfs(store)
    const { sweep } = keeper(store, { limitBytes: all * 10, keepFreeBytes: bavail * bsize * 2 })
    expect((await sweep()).deletedSegments).toBeGreaterThan(0)
    expect(await size()).toBeLessThan(all)
  })

  test('is counted again after footage was added', async () => {
    const { store, size } = await twoCameras()
    const { sweep } = keeper(store, { limitBytes: await size() })
    expect((await sweep()).deletedSegments).toBe(0)
    const more = await stage({ store, segmentMs: 5000, fence: 2 })
    more.show(...playTracks([footage('high.h264')], { seconds: 20, wallClock: TEN_THIRTY + 110_000 }))
    await more.stop()
    expect((await sweep()).deletedSegments).toBeGreaterThan(2)
  })
})

describe("footage beyond the account's quota", () => {
  const OTHERS: StreamKey = { accountId: 1001, cameraId: 2003, stream: 'main' }

  async function twoAccounts() {
    const set = await twoCameras()
    const other = await stage({ store: set.store, stream: OTHERS, segmentMs: 5000 })
    other.show(...playTracks([footage('high.h264')], { seconds: 30, wallClock: TEN_THIRTY - 600_000 }))
    await other.stop()
    return set
  }
  const sizeOf = async (store: string, accountId: number) =>
    (await Promise.all((await filesBelow(join(store, String(accountId)))).map((path) => stat(path)))).reduce(
      (sum, { size }) => sum + size,
      0,
    )

  test('is deleted oldest first, of that account alone, and the log and tombstones name the reason', async () => {
    const { store } = await twoAccounts()
    const [all, others] = [await sizeOf(store, CAMERA.accountId), await sizeOf(store, OTHERS.accountId)]
    const quota = Math.round(all * 0.7)
    const { sweep, runs } = keeper(store, {
      now: () => TEN_THIRTY + 3_600_000,
      quotaBytes: (accountId) => (accountId === CAMERA.accountId ? quota : undefined),
    })
    await sweep()
    expect(await sizeOf(store, CAMERA.accountId)).toBeLessThanOrEqual(quota)
    expect(await sizeOf(store, OTHERS.accountId)).toBe(others)
    expect(runs.deletions).toMatchObject([{ start: TEN_THIRTY, reason: 'quota' }])
    const entries = (await readManifest(streamFolder(store, CAMERA), toHour(TEN_THIRTY + 3_600_000))).map(
      ({ entry }) => entry,
    )
    expect(entries.every((entry) => isTombstone(entry) && entry.reason === 'quota')).toBe(true)
  })

  test('stays while it is one of the newest fifteen minutes, or locked', async () => {
    const { store, starts } = await twoCameras()
    const before = await starts()
    const quotaBytes = () => 1
    await keeper(store, { quotaBytes, now: () => TEN_THIRTY + 15 * 60_000 }).sweep()
    expect(await starts()).toEqual(before)
    const locks = () => [{ start: 0, end: Number.MAX_SAFE_INTEGER }]
    await keeper(store, { quotaBytes, locks, now: () => TEN_THIRTY + 86_400_000 }).sweep()
    expect(await starts()).toEqual(before)
    await keeper(store, { quotaBytes, now: () => TEN_THIRTY + 15 * 60_000 + 12_000 }).sweep()
    expect((await starts())[0]).toBeGreaterThan(TEN_THIRTY)
    expect((await starts()).length).toBeGreaterThan(before.length - 4)
  })
})

describe('footage that is too old', () => {
  test('is deleted even if there is space', async () => {
    const { store, starts } = await twoCameras()
    const { sweep } = keeper(store, { maxAgeMs: () => 100_000 })
    await sweep()
    for (const start of (await starts()).slice(0, -2)) expect(start).toBeGreaterThanOrEqual(TEN_THIRTY + 15_000)
  })

  test("stays while the clock can't be trusted", async () => {
    const { store, starts } = await twoCameras()
    const before = await starts()
    let now = TEN_THIRTY + 60_000
    let monotonic = 0
    const { sweep } = keeper(store, { maxAgeMs: () => 3_600_000, now: () => now, monotonic: () => monotonic })
    await sweep()
    now += 86_400_000
    expect((await sweep()).clock).toBe('jumped')
    expect(await starts()).toEqual(before)
    monotonic += 86_400_000
    expect((await sweep()).deletedSegments).toBeGreaterThan(0)
  })

  test('stays if the clock jumps in the middle of a sweep, once it was judged', async () => {
    const { store, starts } = await twoCameras()
    const all = await starts()
    let isAsked = false
    const { sweep } = keeper(store, {
      // Asked for each stream, right before its age counts.
      maxAgeMs: () => {
        isAsked = true
        return 3_600_000
      },
      quotaBytes: () => 1e12,
      now: () => TEN_THIRTY + 120_000 + (isAsked ? 86_400_000 : 0),
    })
    expect(await sweep()).toMatchObject({ deletedSegments: 0, clock: 'trusted' })
    expect(isAsked).toBe(true)
    expect(await sweep()).toMatchObject({ deletedSegments: 0, clock: 'jumped' })
    expect(await starts()).toEqual(all)
  })

  test('is deleted again once a clock that jumped has been steady for a day', async () => {
    const { store, starts } = await twoCameras()
    const before = await starts()
    let now = TEN_THIRTY + 60_000
    let monotonic = 0
    const { sweep } = keeper(store, { maxAgeMs: () => 3_600_000, now: () => now, monotonic: () => monotonic })
    const pass = (ms: number) => {
      now += ms
      monotonic += ms
    }
    now += 7_200_000
    expect((await sweep()).clock).toBe('jumped')
    pass(20 * 3_600_000)
    // Another jump: the day begins again.
    now += 7_200_000
    expect((await sweep()).clock).toBe('jumped')
    pass(20 * 3_600_000)
    expect((await sweep()).clock).toBe('jumped')
    expect(await starts()).toEqual(before)
    pass(5 * 3_600_000)
    expect(await sweep()).toMatchObject({ clock: 'trusted', deletedSegments: expect.any(Number) })
    expect((await starts()).length).toBeLessThan(before.length)
  })
})

test('a disk filled to the last byte by something else gets space again, because tombstones use a reserve', async ({
  skip,
}) => {
  const folder = await temporaryFolder()
  using disk = smallDisk(folder, 8)
  if (disk === undefined) return skip('this user may not mount a small disk')
  const set = await stage({ store: folder, segmentMs: 5000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 60, wallClock: TEN_THIRTY }))
  await set.stop()
  const before = await filesBelow(folder)
  // The second sweep is in a later hour, whose manifest doesn't exist yet.
  let now = TEN_THIRTY + 120_000
  const { sweep } = keeper(folder, { now: () => now, monotonic: () => now })
  expect((await sweep()).deletedSegments).toBe(0)
  await disk.fill()
  now += 3_600_000
  const { deletedSegments } = await sweep()
  const left = await filesBelow(folder)
  expect(left).toEqual(before.slice(deletedSegments))
  expect(deletedSegments).toBeGreaterThan(0)
  expect((await verifyManifest(streamFolder(folder, CAMERA), CAMERA)).broken).toEqual([])
  // The reserve is restored once there is space.
  await rm(disk.filler)
  await sweep()
  expect((await stat(join(folder, 'reserve'))).size).toBe(1024 * 1024)
})
