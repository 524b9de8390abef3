import { randomBytes } from 'node:crypto'
import { copyFile, cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { openPlayback } from '../playback/index.ts'
import { finishDeletions, unrecordedDeletions } from './deletion-record.ts'
import { dayKeyFile, keysInFiles, toDay } from './footage-keys.ts'
import { isTombstone, readManifest } from './manifest.ts'
import { findDenyReason } from './range-deletion.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  newDayKeys,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from './recording-stage.ts'
import { recoverStream } from './recovery.ts'
import { storeKeeper } from './retention.ts'
import { scrubStream } from './scrub.ts'
import { streamFolder, toHour } from './segment-name.ts'
import { SyncGroup } from './sync-group.ts'
import type { TimeRange } from './time-range.ts'

afterAll(removeTemporaryFolders)

const KEK = randomBytes(32)
const keys = keysInFiles(KEK)
const NOW = TEN_THIRTY + 3_600_000
const SECONDS = 40

/** Forty seconds in segments of ten, encrypted unless the test says otherwise. */
async function recorded(options: { plain?: boolean; start?: number } = {}): Promise<string> {
  const set = await stage({ segmentMs: 10_000, ...(options.plain === true ? {} : { dayKey: newDayKeys(KEK) }) })
  set.show(...playTracks([footage('high.h264')], { seconds: SECONDS, wallClock: options.start ?? TEN_THIRTY }))
  await set.stop()
  return set.store
}

const span = (start: number, end: number): TimeRange => ({ start: TEN_THIRTY + start, end: TEN_THIRTY + end })

function keeperOf(store: string, locks: readonly TimeRange[] = [], now = NOW) {
  const runs = new MemoryRunLog()
  const erased: string[] = []
  const keeper = storeKeeper({
    store,
    group: new SyncGroup({ delayMs: 1 }),
    runs,
    keys,
    locks: () => locks,
    eraseKey: async (_, day) => void erased.push(day),
    now: () => now,
    monotonic: () => now,
  })
  return { keeper, runs, erased, delete: (range: TimeRange) => keeper.deleteRange(CAMERA, range, '77') }
}

/** Times of the pictures that can be played, milliseconds since the first. */
async function played(store: string): Promise<readonly number[]> {
  const times: number[] = []
  for await (const message of openPlayback({ store, stream: CAMERA, keys, at: 0 })) {
    if (message.kind === 'damaged') throw message.cause
    if (message.kind !== 'part') continue
    for (const { unit } of message.samples) if (unit.kind === 'video') times.push(unit.wallClock - TEN_THIRTY)
  }
  return times
}

async function problems(store: string): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const finding of scrubStream(store, CAMERA, keys)) found.push(finding)
  return found
}

const tombstones = async (store: string) =>
  (await readManifest(streamFolder(store, CAMERA), toHour(NOW))).map(({ entry }) => entry).filter(isTombstone)

describe.each([{ plain: false }, { plain: true }])('a range across segments (not encrypted: $plain)', ({ plain }) => {
  test('is gone to the part, and what is beside it plays and is proved as before', async () => {
    const store = await recorded({ plain })
    const before = await played(store)
    const range = span(6500, 27_300)
    const { delete: deleteRange, runs } = keeperOf(store)
    await deleteRange(range)
    const after = await played(store)
    const isIn = (time: number) => time >= 6500 && time < 27_300
    expect(after.filter(isIn)).toEqual([])
    expect(before.filter((time) => !after.includes(time)).length).toBeGreaterThan(400)
    // At most a part before the range, and a group of pictures after it.
    const gone = before.filter((time) => !after.includes(time))
    expect(Math.min(...gone)).toBeGreaterThan(6500 - 1100)
    expect(Math.max(...gone)).toBeLessThan(27_300 + 2100)
    expect(await problems(store)).toEqual([])
    const [first] = runs.deletions
    expect(runs.deletions).toHaveLength(1)
    expect(first).toMatchObject({ reason: 'user' })
    expect(first?.start).toBeLessThanOrEqual(range.start)
    expect(first?.end).toBeGreaterThanOrEqual(range.end)
    const lines = await tombstones(store)
    expect(lines.every(({ reason, by }) => reason === 'user' && by === '77')).toBe(true)
    expect(lines.flatMap(({ successors = [] }) => successors)).toHaveLength(2)
  })

  test('inside one segment leaves what is before and after it', async () => {
    const store = await recorded({ plain })
    const before = await played(store)
    await keeperOf(store).delete(span(13_000, 14_000))
    const after = await played(store)
    const gone = before.filter((time) => !after.includes(time))
    expect(gone.length).toBeGreaterThan(20)
    expect(gone.length).toBeLessThan(110)
    expect(await problems(store)).toEqual([])
    const [only] = await tombstones(store)
    expect(only?.successors).toHaveLength(2)
    // Deleting it again deletes nothing.
    const lines = (await tombstones(store)).length
    await keeperOf(store).delete(span(13_000, 14_000))
    expect(await played(store)).toEqual(after)
    expect((await tombstones(store)).length).toBe(lines)
  })
})

test('the newest fifteen minutes and what is locked is refused', () => {
  const at = { locks: [span(0, 1000)], now: () => NOW }
  expect(findDenyReason(span(999, 2000), at)).toBe('locked')
  expect(findDenyReason(span(1000, 2000), at)).toBeUndefined()
  expect(findDenyReason({ start: NOW - 3_600_000, end: NOW - 15 * 60_000 + 1 }, at)).toBe('tooNew')
})

test('locked pictures right behind the range stay, with the key picture that they need', async () => {
  const store = await recorded()
  const before = await played(store)
  await keeperOf(store, [span(14_100, 20_000)]).delete(span(11_000, 14_100))
  const after = await played(store)
  expect(after.filter((time) => time >= 14_100)).toEqual(before.filter((time) => time >= 14_100))
  expect(after.length).toBeLessThan(before.length)
  expect(await problems(store)).toEqual([])
})

test('what remains of a segment over midnight is encrypted with the key of the day that it is filed under', async () => {
  const midnight = Date.parse('2026-03-02T00:00:00Z')
  const store = await recorded({ start: midnight - 25_000 })
  const { keeper } = keeperOf(store, [], midnight + 3_600_000)
  const count = (await played(store)).length
  // Ends in the segment that began before midnight.
  await keeper.deleteRange(CAMERA, { start: midnight - 6000, end: midnight + 500 }, '77')
  const left = await played(store)
  expect(left.length).toBeGreaterThan(count * 0.6)
  expect(left.length).toBeLessThan(count)
  expect(await problems(store)).toEqual([])
})

test('a day of which nothing remains loses its key, also between days with footage', async () => {
  const day = 86_400_000
  const store = await temporaryFolder()
  const dayKey = newDayKeys(KEK)
  for (const [index, fence] of [1, 2, 3].entries()) {
    const set = await stage({ store, fence, segmentMs: 10_000, dayKey })
    set.show(...playTracks([footage('high.h264')], { seconds: 20, wallClock: TEN_THIRTY + index * day }))
    await set.stop()
  }
  const { delete: deleteRange, keeper, erased } = keeperOf(store, [], TEN_THIRTY + 10 * day)
  await deleteRange(span(day - 1000, day + 60_000))
  await keeper.sweep()
  const middle = toDay(TEN_THIRTY + day)
  expect(erased).toEqual([middle])
  await expect(readFile(dayKeyFile(streamFolder(store, CAMERA), middle))).rejects.toThrow('ENOENT')
  expect(await problems(store)).toEqual([])
})

describe('the record of deletions', () => {
  test('has one row for adjoining segments, and continues after the last one', async () => {
    const store = await recorded()
    await keeperOf(store).delete(span(6500, 27_300))
    const [row, ...others] = await unrecordedDeletions({ store, stream: CAMERA, end: undefined, now: NOW })
    expect(others).toEqual([])
    expect(row).toMatchObject({ reason: 'user', by: '77', segments: 3, at: NOW })
    const end = { chainHash: row?.chainHash ?? '', at: NOW }
    expect(await unrecordedDeletions({ store, stream: CAMERA, end, now: NOW })).toEqual([])
    await keeperOf(store).delete(span(30_000, 36_000))
    const next = await unrecordedDeletions({ store, stream: CAMERA, end, now: NOW })
    expect(next).toMatchObject([{ reason: 'user', by: '77' }])
  })

  test('is finished after a crash: files with a tombstone are deleted, and the runs are told', async () => {
    const store = await recorded()
    const copy = join(await temporaryFolder(), 'copy')
    await cp(store, copy, { recursive: true })
    await keeperOf(store).delete(span(0, 12_000))
    // As if the process had been killed before it deleted the files.
    for (const path of await filesBelow(copy)) {
      const back = path.replace(copy, store)
      await mkdir(dirname(back), { recursive: true })
      await copyFile(path, back)
    }
    const runs = new MemoryRunLog()
    await finishDeletions({ store, stream: CAMERA }, { end: undefined, now: NOW }, runs)
    expect(runs.deletions).toHaveLength(1)
    expect((await played(store)).filter((time) => time < 12_000)).toEqual([])
    expect(await problems(store)).toEqual([])
  })
})

test('after a crash at any step, recovery and a second try leave the same as one that was not interrupted', async () => {
  const store = await recorded()
  const whole = join(await temporaryFolder(), 'whole')
  await cp(store, whole, { recursive: true })
  const range = span(6500, 27_300)
  await keeperOf(whole).delete(range)
  const expected = await played(whole)
  let failed = 0
  for (let step = 0; ; step++) {
    const copy = join(await temporaryFolder(), 'copy')
    await cp(store, copy, { recursive: true })
    let syncs = 0
    const group = new SyncGroup({
      delayMs: 1,
      disk: async (sync) => {
        if (syncs++ >= step) throw new Error('killed')
        await sync()
      },
    })
    const options = { store: copy, runs: new MemoryRunLog(), keys, now: () => NOW }
    const died = await storeKeeper({ ...options, group })
      .deleteRange(CAMERA, range, '77')
      .then(
        () => false,
        () => true,
      )
    if (died) failed++
    await recoverStream({ ...options, stream: CAMERA, fence: 9, group: new SyncGroup({ delayMs: 1 }), reach: 'all' })
    await keeperOf(copy).delete(range)
    expect(await played(copy), `step ${step}`).toEqual(expected)
    expect(await problems(copy), `step ${step}`).toEqual([])
    expect((await filesBelow(copy)).length).toBe((await filesBelow(whole)).length)
    if (!died) break
  }
  expect(failed).toBeGreaterThan(3)
  expect(await readdir(streamFolder(whole, CAMERA))).not.toEqual([])
})
