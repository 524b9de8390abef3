import { randomBytes } from 'node:crypto'
import { relative } from 'node:path'
import { type ObjectStore, ObjectStoreError, s3ObjectStore } from '@sightline/platform/object-store'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type S3Server, startS3Server } from '../../../../tests/fixtures/s3-server.ts'
import { openPlayback } from '../playback/index.ts'
import { bucketFiles, FootageAway } from './bucket-files.ts'
import { readBucketList } from './bucket-list.ts'
import { FootageCopy } from './footage-copy.ts'
import { keysInFiles } from './footage-keys.ts'
import { headPath, writeHeadFile } from './head-file.ts'
import { readManifest } from './manifest.ts'
import { CAMERA, MemoryRunLog, newDayKeys, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { recoverStream } from './recovery.ts'
import { type RetentionOptions, storeKeeper } from './retention.ts'
import { scrubStream } from './scrub.ts'
import { diskFiles, type SegmentFile, type SegmentFiles } from './segment-file.ts'
import { listOnDisk, listSegments } from './segment-files.ts'
import { MANIFEST, segmentPath, streamFolder, toHour } from './segment-name.ts'
import { SyncGroup } from './sync-group.ts'

const KEK = randomBytes(32)
const keys = keysInFiles(KEK)
const HOUR = toHour(TEN_THIRTY)
const NOW = TEN_THIRTY + 3_600_000
const SECONDS = 40
const SEGMENTS = 5

let server: S3Server
let objects: ObjectStore
beforeAll(async () => {
  server = await startS3Server()
  objects = s3ObjectStore(server.settings)
})
beforeEach(() => {
  server.objects.clear()
  server.behavior = {}
})
afterAll(async () => {
  objects[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  await removeTemporaryFolders()
})

/** Segments of about 10 s; the last two make no room, because one could still be open. */
async function recorded(): Promise<string> {
  const set = await stage({ segmentMs: 10_000, dayKey: newDayKeys(KEK) })
  set.show(...playTracks([footage('high.h264')], { seconds: SECONDS, wallClock: TEN_THIRTY }))
  await set.stop()
  return set.store
}

const copy = (store: string, now = NOW) =>
  new FootageCopy({ store, objects, now: () => now, isStore: true }).update([CAMERA])

const sweep = (store: string, more: Partial<RetentionOptions>) =>
  storeKeeper({
    store,
    group: new SyncGroup(),
    runs: new MemoryRunLog(),
    keys,
    keepFreeBytes: 0,
    now: () => NOW,
    ...more,
  }).sweep()

const filesOf = (store: string, retryAfterMs: readonly number[] = []): SegmentFiles =>
  bucketFiles({ store, objects, disk: diskFiles(), retryAfterMs })

/** Copied, and off the disk as far as it may be. */
async function moved(): Promise<string> {
  const store = await recorded()
  await copy(store)
  expect(await sweep(store, { limitBytes: 1 })).toMatchObject({ movedSegments: SEGMENTS - 2 })
  return store
}

const onDisk = async (store: string) => (await listOnDisk(streamFolder(store, CAMERA), HOUR)).length
const known = async (store: string) => (await listSegments(streamFolder(store, CAMERA), HOUR)).length

/** Seconds that play from the start, and what was damaged or unreadable. */
async function played(store: string, files: SegmentFiles) {
  let ticks = 0
  let faults = 0
  for await (const message of openPlayback({ store, stream: CAMERA, keys, files, at: TEN_THIRTY })) {
    if (message.kind === 'part') ticks += message.duration
    if (message.kind === 'damaged') faults++
  }
  return { seconds: Math.round(ticks / 90_000), faults }
}

async function findings(store: string, files?: SegmentFiles) {
  const found: string[] = []
  for await (const { kind } of scrubStream(store, CAMERA, keys, files)) found.push(kind)
  return found
}

describe('footage that S3 has', () => {
  test('leaves the disk when there is no room, and plays from S3 without a hole', async () => {
    const store = await moved()
    expect([await onDisk(store), await known(store)]).toEqual([2, SEGMENTS])
    expect(await played(store, filesOf(store))).toEqual({ seconds: SECONDS, faults: 0 })
    expect(await findings(store, filesOf(store))).toEqual([])
    expect(await findings(store)).toEqual(Array.from({ length: SEGMENTS - 2 }, () => 'inBucket'))
  })

  test('stays on the disk while there is room, and while S3 has not confirmed it', async () => {
    const store = await recorded()
    server.behavior = { fails: 503 }
    await expect(copy(store)).rejects.toThrow('503')
    expect(await sweep(store, {})).toMatchObject({ movedSegments: 0, deletedSegments: 0 })
    server.behavior = {}
    await copy(store)
    expect(await sweep(store, {})).toMatchObject({ movedSegments: 0, deletedSegments: 0 })
    expect(await onDisk(store)).toBe(SEGMENTS)
  })

  test('counts for the quota and for the age, wherever it is, and is deleted in S3 too', async () => {
    const store = await moved()
    const ends = (await readManifest(streamFolder(store, CAMERA), HOUR)).map(({ entry }) => entry.end ?? NOW)
    const report = await sweep(store, { maxAgeMs: () => NOW - Math.min(...ends) })
    expect(report).toMatchObject({ deletedSegments: 1, movedSegments: 0 })
    expect(await known(store)).toBe(SEGMENTS - 1)
    expect([...server.objects.keys()].filter((name) => name.endsWith('.seg'))).toHaveLength(SEGMENTS)
    await copy(store)
    expect([...server.objects.keys()].filter((name) => name.endsWith('.seg'))).toHaveLength(SEGMENTS - 1)
    const held = (await sweep(store, {})).bytes
    expect(await sweep(store, { quotaBytes: () => held - 1 })).toMatchObject({ deletedSegments: 1 })
    await copy(store)
    expect([await known(store), await onDisk(store)]).toEqual([SEGMENTS - 2, 2])
    expect([...server.objects.keys()].filter((name) => name.endsWith('.seg'))).toHaveLength(SEGMENTS - 2)
  })

  test('is deleted for space only if it is nowhere else, and nothing of S3 then', async () => {
    const store = await recorded()
    server.behavior = { fails: 503 }
    await expect(copy(store)).rejects.toThrow('503')
    expect(await sweep(store, { limitBytes: 1 })).toMatchObject({ deletedSegments: SEGMENTS - 2, movedSegments: 0 })
  })

  test('leaves the disk although it is locked: a lock keeps footage, not its place', async () => {
    const store = await recorded()
    await copy(store)
    const locks = () => [{ start: TEN_THIRTY, end: TEN_THIRTY + 60_000 }]
    expect(await sweep(store, { limitBytes: 1, locks })).toMatchObject({
      movedSegments: SEGMENTS - 2,
      deletedSegments: 0,
    })
    expect(await played(store, filesOf(store))).toEqual({ seconds: SECONDS, faults: 0 })
  })

  test('of which a range is deleted keeps the rest, written to the disk again', async () => {
    const store = await moved()
    const keeper = storeKeeper({
      store,
      group: new SyncGroup(),
      runs: new MemoryRunLog(),
      keys,
      files: filesOf(store),
      keepFreeBytes: 0,
      now: () => NOW,
    })
    await keeper.deleteRange(CAMERA, { start: TEN_THIRTY + 4000, end: TEN_THIRTY + 6000 }, '1')
    const left = await played(store, filesOf(store))
    expect(left.faults).toBe(0)
    expect(left.seconds).toBeLessThanOrEqual(SECONDS - 2)
    expect(left.seconds).toBeGreaterThanOrEqual(SECONDS - 5)
    await copy(store)
    expect(await findings(store, filesOf(store))).toEqual([])
  })

  test('is not missed by recovery, and none of it is lost by a sweep that was killed halfway', async () => {
    const store = await moved()
    const log = new MemoryRunLog()
    const report = await recoverStream({ store, stream: CAMERA, fence: 9, group: new SyncGroup(), runs: log, keys })
    expect(report).toMatchObject({ closed: [], listed: [], setAside: [] })
    const list = await readBucketList(streamFolder(store, CAMERA), HOUR)
    const lines = (await readManifest(streamFolder(store, CAMERA), HOUR)).map(({ entry }) => entry.segmentId)
    expect([...list.keys()].sort()).toEqual(lines.sort())
  })

  test('says that it is away while S3 does not answer, and plays once it does', async () => {
    const store = await moved()
    server.behavior = { fails: 503 }
    await expect(played(store, filesOf(store))).rejects.toThrow(FootageAway)
    const again = played(store, filesOf(store, [20, 20, 2000, 2000]))
    await expect.poll(() => server.requests.length).toBeGreaterThan(0)
    server.behavior = {}
    expect(await again).toEqual({ seconds: SECONDS, faults: 0 })
  })

  test('is not requested any more for a viewer who left', async () => {
    const store = await moved()
    const [name] = await listSegments(streamFolder(store, CAMERA), HOUR)
    if (name === undefined) throw new Error('no segment')
    const file = await filesOf(store, [20]).open(segmentPath(streamFolder(store, CAMERA), name), AbortSignal.abort())
    server.requests.length = 0
    await expect(file.read(0, 100)).rejects.toThrow(FootageAway)
    expect(server.requests).toEqual([])
  })

  test('is given up after a while, however many attempts are left', async () => {
    const store = await moved()
    server.behavior = { fails: 503 }
    const retryAfterMs = Array.from({ length: 1000 }, () => 10)
    const files = bucketFiles({ store, objects, disk: diskFiles(), retryAfterMs, giveUpAfterMs: 100 })
    await expect(played(store, files)).rejects.toThrow(FootageAway)
  })

  test('is away if no bucket is set any more', async () => {
    const store = await moved()
    const files = bucketFiles({ store, objects: undefined, disk: diskFiles() })
    await expect(played(store, files)).rejects.toThrow('is only in S3, and no bucket is set')
  })

  test('has its lists, its keys and its signed head in S3', async () => {
    const store = await recorded()
    await writeHeadFile(streamFolder(store, CAMERA), 'a signed line')
    await copy(store)
    const names = [...server.objects.keys()]
    expect(names.some((name) => name.endsWith(MANIFEST))).toBe(true)
    expect(names.some((name) => name.endsWith('key'))).toBe(true)
    const head = relative(store, headPath(streamFolder(store, CAMERA)))
    expect(server.objects.get(head)?.toString()).toBe('a signed line\n')
  })
})

interface Asked {
  readonly start: number
  readonly end: number
  readonly signal: AbortSignal | undefined
}

/** S3 whose answers to ranges from `HELD` on wait, or fail while it is away. */
const HELD = 2000

async function openSlow(aheadBytes?: number) {
  const store = await moved()
  const asked: Asked[] = []
  const slow = { isAway: false, answer: Promise.resolve() }
  const read: ObjectStore['read'] = async (name, range) => {
    asked.push({ start: range.start, end: range.end, signal: range.signal })
    if (range.start >= HELD && slow.isAway) throw new ObjectStoreError('away')
    if (range.start >= HELD) await slow.answer
    return await objects.read(name, range)
  }
  const more = aheadBytes === undefined ? {} : { aheadBytes }
  const files = bucketFiles({ store, objects: { read }, disk: diskFiles(), retryAfterMs: [1, 1], ...more })
  const names = await listSegments(streamFolder(store, CAMERA), HOUR)
  const open = async (index: number): Promise<SegmentFile> => {
    const name = names[index]
    if (name === undefined) throw new Error('no segment')
    return await files.open(segmentPath(streamFolder(store, CAMERA), name))
  }
  return { asked, slow, open, ahead: () => asked.filter(({ start }) => start >= HELD) }
}

async function readInARow(file: SegmentFile): Promise<void> {
  await file.read(0, HELD / 2)
  await file.read(HELD / 2, HELD / 2)
}

describe('reading ahead', () => {
  test('makes a dozen requests of the sixty parts of a minute, and changes no byte', async () => {
    const { asked, open } = await openSlow()
    await using file = await open(0)
    const size = await file.size()
    const length = Math.ceil(size / 60)
    const parts: Uint8Array[] = []
    for (let at = 0; at < size; at += length) parts.push(await file.read(at, length))
    expect(parts).toHaveLength(Math.ceil(size / length))
    expect(asked.length).toBeLessThanOrEqual(15)
    const [first] = [...server.objects].filter(([name]) => name.endsWith('.seg')).sort()
    expect(Buffer.concat(parts).equals(first?.[1] ?? Buffer.alloc(0))).toBe(true)
  })

  test('follows a reader whose first parts were in memory', async () => {
    const { open, ahead } = await openSlow()
    await using first = await open(0)
    await readInARow(first)
    const before = ahead().length
    await using second = await open(0)
    await readInARow(second)
    expect(ahead()).toHaveLength(before)
    await second.read(HELD, 100)
    await expect.poll(() => ahead().length).toBeGreaterThan(before)
  })

  test.each([
    ['a seek', (file: SegmentFile): Promise<unknown> => file.read(10, 10)],
    ['closing', async (file: SegmentFile): Promise<unknown> => file[Symbol.asyncDispose]()],
  ])('is cancelled by %s', async (_, leave) => {
    const { slow, open, ahead } = await openSlow()
    slow.answer = new Promise(() => undefined)
    const file = await open(0)
    await readInARow(file)
    await expect.poll(() => ahead().length).toBe(1)
    expect(ahead()[0]?.signal?.aborted).toBe(false)
    await leave(file)
    expect(ahead()[0]?.signal?.aborted).toBe(true)
  })

  test('that fails is no error until the reader comes to that range, which is requested again', async () => {
    const { slow, open, ahead } = await openSlow()
    await using file = await open(0)
    slow.isAway = true
    await readInARow(file)
    await expect.poll(() => ahead().length).toBe(1)
    await expect(file.read(HELD, 100)).rejects.toThrow(FootageAway)
    slow.isAway = false
    expect(await file.read(HELD, 100)).toHaveLength(100)
  })

  test('has a bound over all readers, and gives back what a closed one had', async () => {
    const { open, ahead } = await openSlow(300_000)
    const first = await open(0)
    const second = await open(1)
    await readInARow(first)
    await readInARow(second)
    const bytes = ahead().reduce((sum, { start, end }) => sum + end - start, 0)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(300_000)
    const before = ahead().length
    await first.read(HELD, 100)
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()
    await using third = await open(2)
    await readInARow(third)
    expect(ahead().length).toBe(before + 1)
  })
})
