import { cp, mkdir, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { readCatalogue } from './catalogue.ts'
import { verifyManifest } from './manifest.ts'
import { storeFault } from './recording-health.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from './recording-stage.ts'
import { planRecovery, type RecoveryOptions, type RecoveryReport, recoverStream } from './recovery.ts'
import { encodeHeader, encodePart, HEADER_BYTES, PART_BYTES, PartChecksum } from './segment-layout.ts'
import { streamFolder } from './segment-name.ts'
import { DamagedPart, SegmentReader, UnknownKey } from './segment-reader.ts'
import { checkSegment, scanSegment } from './segment-scan.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

const small = () => [footage('high.h264'), footage('tone16.aac')]

/** One closed segment of a few seconds. */
async function recorded(seconds = 4, clips = small()): Promise<{ store: string; path: string; bytes: Uint8Array }> {
  const set = await stage({ segmentMs: 3_600_000 })
  set.show(...playTracks(clips, { seconds, wallClock: TEN_THIRTY }))
  await set.stop()
  const [path = ''] = await filesBelow(set.store)
  return { store: set.store, path, bytes: await readFile(path) }
}

/** As if the writer had died: no manifest, and the given file. */
async function crashed(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes)
  await writeFile(join(dirname(path), 'manifest.jsonl'), '')
}

async function recover(store: string, more: Partial<RecoveryOptions> = {}): Promise<RecoveryReport> {
  await using group = new SyncGroup()
  const options = { store, stream: CAMERA, fence: 2, group, runs: new MemoryRunLog(), previousWriter: 'dead' } as const
  return await recoverStream({ ...options, ...more })
}

describe('a segment cut off at any point', () => {
  test('keeps every complete part, at every byte', { timeout: 90_000 }, async () => {
    const { path, bytes } = await recorded(2, [footage('high.h264')])
    const { parts, soundBytes, head } = await scanSegment(path)
    await writeFile(path, bytes.subarray(0, soundBytes))
    for (let length = soundBytes - 1; length >= head.bytes; length--) {
      await truncate(path, length)
      const scan = await scanSegment(path)
      const whole = parts.filter((part) => part.offset + part.bytes <= length)
      expect(scan.parts.length, `cut at ${length}`).toBe(whole.length)
    }
  })

  test('is indexed and listed after the next start, with its parts unchanged', async () => {
    const { store, path, bytes } = await recorded()
    const { parts } = await scanSegment(path)
    for (const [index, part] of parts.entries()) {
      for (const cut of [part.offset + 1, part.offset + PART_BYTES, part.offset + part.bytes - 1]) {
        if (index === 0) continue
        await crashed(path, bytes.subarray(0, cut))
        const report = await recover(store)
        expect(report).toMatchObject({ closed: [{ path, parts: index, cutBytes: cut - part.offset }], setAside: [] })
        await using reader = await SegmentReader.open(path)
        expect(reader.end).toBe('restart')
        expect(reader.parts).toEqual(parts.slice(0, index))
        for (const left of reader.parts) await reader.readPart(left)
        expect(await recover(store)).toEqual({ closed: [], listed: [], setAside: [], sealed: [] })
      }
    }
  })

  test.each([
    ['zeros', (size: number) => new Uint8Array(size)],
    ['another part of the same file', (_: number, bytes: Uint8Array) => bytes.subarray(bytes.length - 4000)],
  ])('with %s after the last complete part loses only those', async (_, tail) => {
    const { store, path, bytes } = await recorded()
    const { parts, soundBytes } = await scanSegment(path)
    await crashed(path, Buffer.concat([bytes.subarray(0, soundBytes), tail(5000, bytes.subarray(0, soundBytes))]))
    await recover(store)
    await using reader = await SegmentReader.open(path)
    expect(reader.parts).toEqual(parts)
  })

  test("doesn't accept a part of another segment, even in the right position", async () => {
    const one = await recorded()
    const other = await recorded()
    const { parts, head } = await scanSegment(one.path)
    const second = parts[1]!
    await crashed(one.path, Buffer.concat([one.bytes.subarray(0, second.offset), other.bytes.subarray(second.offset)]))
    expect(await scanSegment(one.path)).toMatchObject({ parts: [parts[0]], soundBytes: second.offset })
    expect(head.bytes).toBeGreaterThan(0)
  })
})

describe("a file that can't be read", () => {
  test.each([
    ['is empty', () => new Uint8Array(0)],
    ['is all zeros', () => new Uint8Array(10_000)],
    ['is something else', () => Buffer.from('not a segment '.repeat(1000))],
    ['ends within its header', (bytes: Uint8Array) => bytes.subarray(0, 400)],
    ['contains no complete part', (bytes: Uint8Array) => bytes.subarray(0, 1500)],
    ['has a changed header', (bytes: Uint8Array) => bytes.with(300, (bytes[300] ?? 0) ^ 1)],
  ])('because it %s is renamed with all its bytes, and reported', async (_, damage) => {
    const { store, path, bytes } = await recorded()
    const left = damage(bytes)
    await crashed(path, left)
    const report = await recover(store)
    expect(report.setAside).toMatchObject([{ path: `${path}.damaged` }])
    expect(Buffer.from(left).equals(await readFile(`${path}.damaged`))).toBe(true)
    expect(await filesBelow(store)).toEqual([])
  })

  test("doesn't replace one that was renamed before", async () => {
    const { store, path } = await recorded()
    await writeFile(`${path}.damaged`, 'first')
    await crashed(path, new Uint8Array(3))
    expect((await recover(store)).setAside).toMatchObject([{ path: `${path}.1.damaged` }])
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe('first')
  })

  test('in the middle is kept whole beside what could be saved', async () => {
    const { store, path, bytes } = await recorded()
    const { parts } = await scanSegment(path)
    const at = parts[1]!.offset + 500
    const damaged = bytes.with(at, (bytes[at] ?? 0) ^ 0xff)
    await crashed(path, damaged)
    const report = await recover(store)
    expect(report).toMatchObject({ closed: [{ parts: 1 }], setAside: [{ path: `${path}.damaged` }] })
    expect(Buffer.from(damaged).equals(await readFile(`${path}.damaged`))).toBe(true)
  })
})

describe('damage', () => {
  test('to any byte of any part is found when reading, and by a check of the file', async () => {
    const { path, bytes } = await recorded(2, [footage('high.h264')])
    const { parts, soundBytes } = await scanSegment(path)
    const [part] = [parts[1]!]
    for (let at = part.offset; at < part.offset + part.bytes; at++) {
      await writeFile(path, bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))))
      await using reader = await SegmentReader.open(path)
      await expect(reader.readPart(part), `byte ${at}`).rejects.toThrow(DamagedPart)
    }
    const sha256 = 'f'.repeat(64)
    expect(await checkSegment(path, sha256)).toEqual({ kind: 'damagedParts', parts: [part] })
    await writeFile(path, bytes.with(soundBytes + 40, 1))
    expect((await checkSegment(path, sha256)).kind).toBe('changed')
  })

  test('to the index loses no footage: the parts are found by scanning', async () => {
    const { path, bytes } = await recorded()
    const { parts, soundBytes } = await scanSegment(path)
    await writeFile(path, bytes.with(soundBytes + 50, (bytes[soundBytes + 50] ?? 0) ^ 1))
    await using reader = await SegmentReader.open(path)
    expect(reader.end).toBeUndefined()
    expect(reader.parts).toEqual(parts)
  })

  test('is not assumed for a segment with an unknown key, which is refused by name and closed without digests', async () => {
    const { store, path, bytes } = await recorded()
    const { head } = await scanSegment(path)
    const init = bytes.subarray(0, head.bytes - HEADER_BYTES)
    const keyId = 'ab'.repeat(16)
    const sealed = Buffer.concat([init, encodeHeader({ ...head.header, keyId }, init), bytes.subarray(head.bytes)])
    await crashed(path, sealed)
    await expect(SegmentReader.open(path)).rejects.toThrow(`encrypted with key ${keyId}`)
    expect(await recover(store)).toMatchObject({ sealed: [path], closed: [{ path }], setAside: [] })
    expect((await scanSegment(path)).index?.end).toBe('restart')
  })
})

test('an encrypted part without a key in the header is refused, not shown', async () => {
  const { path, bytes } = await recorded()
  const { head, parts } = await scanSegment(path)
  const sealed = Buffer.from('0000002075756964' + '53696768746c800380007265636f7264' + '0102030405060708', 'hex')
  const envelope = encodePart({ ...parts[0]!, sequence: 0, cameraClock: undefined, payloadBytes: sealed.length })
  envelope.seal(new PartChecksum(head.header).of(envelope.bytes, [sealed]))
  await writeFile(path, Buffer.concat([bytes.subarray(0, head.bytes), envelope.bytes, sealed]))
  await using reader = await SegmentReader.open(path)
  await expect(reader.readPart(reader.parts[0]!)).rejects.toThrow(UnknownKey)
})

describe('recovery', () => {
  test('lists a closed segment whose line was lost, and cuts off half a line', async () => {
    const { store, path } = await recorded()
    const manifest = join(dirname(path), 'manifest.jsonl')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.slice(0, 100))
    expect(await recover(store)).toMatchObject({ listed: [path], closed: [] })
    expect(await readFile(manifest, 'utf8')).toBe(text)
    expect(await verifyManifest(streamFolder(store, CAMERA), CAMERA)).toMatchObject({ broken: [] })
  })

  test('leaves segments of a newer writer alone', async () => {
    const { store, path, bytes } = await recorded()
    const newer = join(dirname(path), basename(path).replace('-1-', '-5-'))
    await rename(path, newer)
    await crashed(newer, bytes.subarray(0, 5000))
    expect(await recover(store)).toEqual({ closed: [], listed: [], setAside: [], sealed: [] })
    expect((await readFile(newer)).length).toBe(5000)
  })

  test('replaces the file of a writer that may still wake up', async () => {
    const { store, path, bytes } = await recorded()
    const { soundBytes } = await scanSegment(path)
    await crashed(path, bytes.subarray(0, soundBytes - 10))
    const { open } = await import('node:fs/promises')
    await using zombie = await open(path, 'r+')
    await recover(store, { previousWriter: 'unknown' })
    const closed = await readFile(path)
    await zombie.write('written by a zombie', soundBytes - 10)
    expect(closed.equals(await readFile(path))).toBe(true)
  })
})

describe('the catalogue', () => {
  test('rebuilt from the files matches what the log got while recording', async () => {
    const eleven = Date.parse('2026-03-01T11:00:00Z')
    const set = await stage({ segmentMs: 5000 })
    set.show(...playTracks(small(), { seconds: 40, wallClock: eleven - 20_000 }))
    set.lose('silent')
    set.show(...playTracks(small(), { seconds: 10, wallClock: eleven + 60_000 }))
    await set.stop('schedule')
    const rebuilt = await readCatalogue(set.store, CAMERA, 0)
    expect(rebuilt.map(({ start, end, why }) => [start, end, why])).toEqual([
      [eleven - 20_000, eleven, undefined],
      [eleven, eleven + 20_000, 'cameraOffline'],
      [eleven + 60_000, eleven + 70_000, 'schedule'],
    ])
    const told = set.runs.calls.filter(({ call }) => call === 'ended').map(({ slice }) => slice)
    expect(rebuilt.map(({ runId }) => runId)).toEqual(told.map(({ runId }) => runId))
    const sum = (slices: readonly { parts: number }[]) => slices.reduce((all, slice) => all + slice.parts, 0)
    expect(sum(rebuilt)).toBe(sum(told))
  })

  test('contains what is on disk after a crash, ended by a restart, whatever the log had', async () => {
    const { store, path, bytes } = await recorded(10)
    const { parts } = await scanSegment(path)
    await crashed(path, bytes.subarray(0, parts[8]!.offset + 10))
    const runs = new MemoryRunLog()
    runs.known = TEN_THIRTY + 9000
    await recover(store, { runs })
    const eighth = parts[7]!
    expect(runs.replaced).toMatchObject([
      { start: TEN_THIRTY, end: Math.round(eighth.wallClock + eighth.duration / 90), why: 'restart', parts: 8 },
    ])
  })

  test('omits a segment whose file is missing, and ends the run before it', async () => {
    const set = await stage({ segmentMs: 5000 })
    set.show(...playTracks(small(), { seconds: 20, wallClock: TEN_THIRTY }))
    await set.stop()
    const paths = await filesBelow(set.store)
    await rename(paths[1]!, join(await temporaryFolder(), 'gone'))
    const rebuilt = await readCatalogue(set.store, CAMERA, 0)
    expect(rebuilt.map(({ why }) => why)).toEqual(['disk', 'stopped'])
  })

  test('of every hour can be rebuilt without any manifest', async () => {
    const set = await stage({ segmentMs: 5000 })
    set.show(...playTracks(small(), { seconds: 20, wallClock: TEN_THIRTY }))
    set.lose('silent')
    set.show(...playTracks(small(), { seconds: 5, wallClock: TEN_THIRTY + 5 * 3_600_000 }))
    await set.stop()
    const before = await readCatalogue(set.store, CAMERA, 0)
    const bare = await temporaryFolder()
    await mkdir(bare, { recursive: true })
    await cp(set.store, bare, { recursive: true, filter: (source) => !source.endsWith('.jsonl') })
    await recover(bare, { reach: 'all' })
    expect(await readCatalogue(bare, CAMERA, 0)).toEqual(before)
  })
})

describe("a run log that doesn't answer", () => {
  const away = () => Promise.reject(Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' }))
  const faulty = [
    ['is not asked', new MemoryRunLog(), { isLogAway: true }],
    ['can not be read', Object.assign(new MemoryRunLog(), { knownUntil: away }), {}],
    ['can not be written', Object.assign(new MemoryRunLog(), { replace: away }), {}],
  ] as const

  test.each(faulty)(
    'that %s delays no recording: it reads the files later, once they are in order',
    async (_, runs, given) => {
      const { store, path, bytes } = await recorded()
      const { parts } = await scanSegment(path)
      await crashed(path, bytes.subarray(0, parts[3]!.offset + 10))
      await using group = new SyncGroup({ delayMs: 1 })
      const interrupted = await planRecovery({ store, stream: CAMERA, fence: 2, group, runs, ...given })
      const [inOrder] = runs.later
      expect(runs.replaced).toEqual([])
      expect(await Promise.race([inOrder, Promise.resolve('not yet')])).toBe('not yet')
      await interrupted.settle()
      await inOrder
      expect((await readCatalogue(store, CAMERA, 0)).map(({ why }) => why)).toEqual(['restart'])
    },
  )
})

test('a damaged store is said to be one', async () => {
  const { store } = await recorded()
  await writeFile(`${store}/not-a-folder`, '')
  const broken = await recover(`${store}/not-a-folder`).catch((error: unknown) => error)
  expect(storeFault(broken)).toBe('the footage folder is missing')
})

describe('a disk that syncs slowly', () => {
  test('delays neither the log nor the next recording: what was interrupted is put in order beside it', async () => {
    const { store, path, bytes } = await recorded()
    const { parts } = await scanSegment(path)
    await crashed(path, bytes.subarray(0, parts[3]!.offset + 10))
    const stuck = Promise.withResolvers<void>()
    const group = new SyncGroup({ delayMs: 10, disk: (sync) => stuck.promise.then(sync) })
    const runs = new MemoryRunLog()
    const interrupted = await planRecovery({ store, stream: CAMERA, fence: 2, group, runs })
    expect(runs.replaced).toMatchObject([{ start: TEN_THIRTY, parts: 3, why: 'restart' }])
    const next = await stage({ store, fence: 2, group })
    const settled = interrupted.settle()
    next.show(...playTracks(small(), { seconds: 3, wallClock: TEN_THIRTY + 10_000 }))
    await expect.poll(() => next.runs.calls.length).toBeGreaterThan(0)
    // Not before its copy is on the disk.
    expect((await scanSegment(path)).index).toBeUndefined()
    stuck.resolve()
    await settled
    expect((await scanSegment(path)).index?.end).toBe('restart')
    await next.stop()
    expect(await verifyManifest(streamFolder(store, CAMERA), CAMERA)).toMatchObject({ broken: [] })
    expect((await readCatalogue(store, CAMERA, 0)).map(({ why }) => why)).toEqual(['restart', 'stopped'])
    expect(await recover(store, { fence: 3 })).toEqual({ closed: [], listed: [], setAside: [], sealed: [] })
  })

  test('and fails is asked again: nothing is lost, and the chain stays whole', async () => {
    const { store, path, bytes } = await recorded()
    const { parts } = await scanSegment(path)
    await crashed(path, bytes.subarray(0, parts[3]!.offset + 10))
    let fails = true
    const disk = (sync: () => Promise<void>) => (fails ? Promise.reject(new Error('EIO')) : sync())
    await using group = new SyncGroup({ delayMs: 10, disk })
    const interrupted = await planRecovery({ store, stream: CAMERA, fence: 2, group, runs: new MemoryRunLog() })
    await expect(interrupted.settle()).rejects.toThrow('EIO')
    fails = false
    await interrupted.settle()
    expect((await scanSegment(path)).parts).toEqual(parts.slice(0, 3))
    expect(await verifyManifest(streamFolder(store, CAMERA), CAMERA)).toMatchObject({ broken: [] })
  })
})
