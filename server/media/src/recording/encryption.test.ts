import { createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { openPlayback } from '../playback/index.ts'
import { dayKeyFile, keysInFiles, MissingDayKey, readKeyFile } from './footage-keys.ts'
import { isSegmentEntry, readManifest, type SegmentEntry } from './manifest.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  newDayKeys,
  removeTemporaryFolders,
  type Stage,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from './recording-stage.ts'
import { recoverStream } from './recovery.ts'
import { contentRoot } from './segment-crypto.ts'
import { streamFolder, toHour } from './segment-name.ts'
import { DamagedPart, SegmentReader, UnknownKey } from './segment-reader.ts'
import { checkSegment, scanSegment } from './segment-scan.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

const KEK = new Uint8Array(32).map((_, index) => index)
const keys = keysInFiles(KEK)
const clips = () => [footage('high.h264'), footage('tone16.aac')]

async function recorded(seconds = 4): Promise<{ set: Stage; path: string; bytes: Buffer }> {
  const set = await stage({ dayKey: newDayKeys(KEK), segmentMs: 3_600_000 })
  set.show(...playTracks(clips(), { seconds, wallClock: TEN_THIRTY }))
  await set.stop()
  const [path = ''] = await filesBelow(set.store)
  return { set, path, bytes: await readFile(path) }
}

async function lineOf(store: string): Promise<SegmentEntry | undefined> {
  const lines = await readManifest(streamFolder(store, CAMERA), toHour(TEN_THIRTY))
  return lines.map(({ entry }) => entry).find(isSegmentEntry)
}

async function played(store: string, withKeys: boolean) {
  const messages = []
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0, keys: withKeys ? keys : undefined }))
    messages.push(message)
  return messages
}

/** Bytes of every picture and sound, by track. */
const contentOf = (messages: Awaited<ReturnType<typeof played>>) =>
  messages.flatMap((message) =>
    message.kind === 'part'
      ? message.samples.map(({ track, unit }) => [track, Buffer.concat(unit.units).toString('base64')])
      : [],
  )

describe('encrypted footage', () => {
  test('plays with the keys beside it and the KEK, byte for byte as the camera sent it, and shows nothing without', async () => {
    const { set, path, bytes } = await recorded()
    const [, units] = playTracks(clips(), { seconds: 4, wallClock: TEN_THIRTY })
    const sent = [...units]
    const content = contentOf(await played(set.store, true))
    for (const track of [0, 1]) {
      const ofTrack = sent.filter((one) => one.track === track)
      expect(content.filter(([of]) => of === track).map(([, text]) => text)).toEqual(
        ofTrack.map(({ unit }) => Buffer.concat(unit.units).toString('base64')),
      )
    }
    for (const { unit } of sent.filter(({ track }) => track === 0).slice(0, 50))
      expect(bytes.includes(Buffer.concat(unit.units.slice(-1)))).toBe(false)
    expect(await played(set.store, false)).toMatchObject([{ kind: 'damaged', cause: expect.any(UnknownKey) }])
    await expect(SegmentReader.open(path)).rejects.toThrow(UnknownKey)
    const otherKek = keysInFiles(new Uint8Array(32))
    await expect(SegmentReader.open(path, otherKek)).rejects.toThrow(UnknownKey)
  })

  test('parts of one segment that are read at the same time, and after one another, are each their own', async () => {
    const { path, bytes } = await recorded(10)
    await using segment = await SegmentReader.open(path, keys)
    const together = await Promise.all(segment.parts.map((part) => segment.readPart(part)))
    const kept = together.map((payload) => Buffer.from(payload))
    expect(new Set(kept.map((payload) => payload.toString('base64'))).size).toBe(segment.parts.length)
    // What was handed out stays as it is while others are read, and a part after a damaged one is read as before.
    const [first, ...more] = segment.parts
    if (first === undefined) throw new Error('no part')
    const changed = Buffer.from(bytes)
    changed[first.offset + 200] = (changed[first.offset + 200] ?? 0) ^ 1
    await writeFile(path, changed)
    await expect(segment.readPart(first)).rejects.toThrow(DamagedPart)
    for (const [index, part] of more.entries())
      expect(Buffer.from(await segment.readPart(part))).toEqual(kept[index + 1])
    expect(together.map((payload) => Buffer.from(payload))).toEqual(kept)
  })

  test('is refused if any byte of a part is changed, or a part is moved to another place or file', async () => {
    const { path, bytes } = await recorded()
    const { parts } = await scanSegment(path)
    const second = parts[1]!
    for (let at = second.offset; at < second.offset + second.bytes; at += at < second.offset + 110 ? 1 : 997) {
      // The checksum itself is not needed by a reader with the key.
      if (at >= second.offset + 68 && at < second.offset + 72) continue
      await writeFile(path, bytes.with(at, bytes[at]! ^ 1))
      await using reader = await SegmentReader.open(path, keys)
      await expect(reader.readPart(second), `byte ${at - second.offset}`).rejects.toThrow(DamagedPart)
    }
    const other = await recorded()
    const key = dayKeyFile(streamFolder(other.set.store, CAMERA), '2026-03-01')
    await cp(dayKeyFile(dirname(dirname(dirname(path))), '2026-03-01'), key)
    await writeFile(other.path, Buffer.concat([bytes.subarray(0, second.offset), other.bytes.subarray(second.offset)]))
    await using reader = await SegmentReader.openWithoutKey(other.path)
    await expect(reader.checkPart(reader.parts[1]!)).rejects.toThrow(DamagedPart)
  })

  test('is found and checked without its key, part by part', async () => {
    const { set, path, bytes } = await recorded()
    const line = await lineOf(set.store)
    expect(await checkSegment(path, line?.sha256 ?? '')).toEqual({ kind: 'sound' })
    const { parts } = await scanSegment(path)
    await writeFile(path, bytes.with(parts[2]!.offset + 500, bytes[parts[2]!.offset + 500]! ^ 1))
    expect(await checkSegment(path, line?.sha256 ?? '')).toEqual({ kind: 'damagedParts', parts: [parts[2]] })
  })

  test.each([
    ['with its key gets the digests that its writer would have given it', true],
    ['without its key ends at the same part, and has no digests', false],
  ])('that was cut off by a crash, %s', async (_, hasKey) => {
    const { set, path, bytes } = await recorded()
    const { parts, digests } = await scanSegment(path, keys)
    await writeFile(path, bytes.subarray(0, parts[3]!.offset + 100))
    await writeFile(join(dirname(path), 'manifest.jsonl'), '')
    await using group = new SyncGroup()
    const options = { store: set.store, stream: CAMERA, fence: 2, group, runs: new MemoryRunLog() }
    const report = await recoverStream({ ...options, ...(hasKey ? { keys } : {}) })
    expect(report).toMatchObject({ closed: [{ path, parts: 3 }], sealed: hasKey ? [] : [path] })
    await using reader = await SegmentReader.open(path, keys)
    expect(reader.parts).toEqual(parts.slice(0, 3))
    for (const part of reader.parts) await reader.readPart(part)
    const root = hasKey ? contentRoot(parts.slice(0, 3), digests.slice(0, 3)) : undefined
    expect((await lineOf(set.store))?.contentRoot).toBe(root)
  })

  test('is never stored unencrypted for want of a key: recording stops and says so', async () => {
    const dayKey = (time: number) => {
      if (time < TEN_THIRTY + 4000) throw new MissingDayKey('no key for 2026-03-01')
      return newDayKeys(KEK)(time)
    }
    const set = await stage({ dayKey })
    set.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY }))
    await expect.poll(() => set.health.at(-1)?.kind).toBe('diskFault')
    await set.stop()
    expect(await filesBelow(set.store)).toEqual([])
  })
})

describe('the digests of the content', () => {
  test('have a root in the manifest, which binds the number, times and bytes of each part', async () => {
    const { set, path } = await recorded()
    await using reader = await SegmentReader.open(path, keys)
    const { parts, digests } = reader
    const root = (await lineOf(set.store))?.contentRoot
    expect(contentRoot(parts, digests)).toBe(root)
    const [first, ...rest] = parts
    for (const change of [{ time: 1 }, { duration: 1 }, { wallClock: TEN_THIRTY + 1 }])
      expect(contentRoot([{ ...first!, ...change }, ...rest], digests)).not.toBe(root)
    expect(contentRoot(parts.toReversed(), digests.toReversed())).not.toBe(root)
    expect(contentRoot(parts.slice(1), digests.slice(1))).not.toBe(root)
  })

  test('differ for the same pictures in another segment, so that they tell nothing about parts that are not shown', async () => {
    const [one, other] = [await recorded(), await recorded()]
    const of = async (path: string) => (await scanSegment(path, keys)).digests.map((digest) => digest.join())
    const both = [...(await of(one.path)), ...(await of(other.path))]
    expect(new Set(both).size).toBe(both.length)
  })
})

/** The example of docs/design/recording-format.md, read by the words of that page and none of the code beside this file. */
describe('the example in the format’s specification', () => {
  const FOLDER = new URL('../../../../tests/fixtures/recording/version-2/', import.meta.url).pathname
  const hkdf = (secret: Uint8Array, salt: Uint8Array | string, info: string) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, 32))

  /** `sealed` ends with the tag. */
  function decrypt(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Buffer {
    const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad).setAuthTag(sealed.subarray(-16))
    return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  }

  async function unwrapped(file: string, wrapping: Uint8Array, name: string): Promise<Buffer> {
    const { keyId, wrapped } = JSON.parse((await readFile(file, 'utf8')).split('\n')[0] ?? '')
    const bytes = Buffer.from(wrapped, 'base64')
    const aad = Buffer.from(`sightline ${name} ${keyId}`)
    return decrypt(wrapping, bytes.subarray(0, 12), aad, Buffer.concat([bytes.subarray(28), bytes.subarray(12, 28)]))
  }

  const boxesOf = (bytes: Buffer) => {
    const boxes: Buffer[] = []
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
      boxes.push(bytes.subarray(at, at + bytes.readUInt32BE(at)))
    return boxes
  }

  test('opens with the KEK and the key files alone, and its root follows from its content', async () => {
    const [path = ''] = await filesBelow(FOLDER)
    const [, moov, header, ...rest] = boxesOf(await readFile(path)) as [Buffer, Buffer, Buffer, ...Buffer[]]
    expect([moov.toString('latin1', 4, 8), header.length, header.readUInt16BE(24)]).toEqual(['moov', 144, 2])
    const segmentId = header.subarray(64, 80)
    const account = await unwrapped(join(FOLDER, '1000/key'), KEK, 'account key 1 1000')
    const day = await unwrapped(
      join(FOLDER, '1000/2001/main/2026-03-01/key'),
      account,
      'day key 1 1000/2001/2026-03-01',
    )
    const key = hkdf(day, segmentId, 'sightline segment 1')
    const salts = hkdf(day, segmentId, 'sightline salt 1')

    const index = rest.pop() as Buffer
    const leaves: Buffer[] = []
    const video: Buffer[] = []
    for (let number = 0; number < rest.length / 2; number++) {
      const [part, sealed] = [rest[2 * number]!, rest[2 * number + 1]!]
      const nonce = Buffer.alloc(12)
      nonce.writeUInt32BE(number, 8)
      const aad = Buffer.concat([header, part.subarray(0, 68)])
      const plain = decrypt(key, nonce, aad, sealed.subarray(24))
      const [, mdat] = boxesOf(plain) as [Buffer, Buffer]
      video.push(mdat.subarray(8))
      const counter = Buffer.alloc(4)
      counter.writeUInt32BE(number)
      const salt = createHmac('sha256', salts).update(counter).digest().subarray(0, 16)
      const digest = createHash('sha256').update(salt).update(mdat.subarray(8)).digest()
      const entry = index.subarray(32 + 72 * number)
      expect(entry.subarray(40, 72).equals(digest)).toBe(true)
      // 0x00, number, time, duration, wall clock, digest
      const bound = [part.subarray(24, 28), part.subarray(32, 40), part.subarray(40, 44), part.subarray(48, 56)]
      leaves.push(
        createHash('sha256')
          .update(Buffer.concat([Buffer.of(0), ...bound, digest]))
          .digest(),
      )
    }
    const node = (left: Buffer, right: Buffer) =>
      createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
    expect(leaves).toHaveLength(5)
    const [one, two, three, four, five] = leaves as [Buffer, Buffer, Buffer, Buffer, Buffer]
    const root = node(node(node(one, two), node(three, four)), five)
    const manifest = JSON.parse(await readFile(join(dirname(path), 'manifest.jsonl'), 'utf8'))
    expect(manifest.contentRoot).toBe(root.toString('hex'))
    const [, units] = playTracks(clips(), { seconds: 2, wallClock: TEN_THIRTY })
    const first = [...units].find(({ track }) => track === 0)
    expect(video[0]?.includes(Buffer.from(first!.unit.units.at(-1)!))).toBe(true)
  })

  test('and the one of version 1 still play', async () => {
    for (const [version, pictures] of [
      ['version-1', 50],
      ['version-2', 63],
    ] as const) {
      const store = await temporaryFolder()
      await cp(join(FOLDER, '..', version), store, { recursive: true })
      const content = contentOf(await played(store, true))
      expect(content.filter(([track]) => track === 0)).toHaveLength(pictures)
      const [path = ''] = await filesBelow(store)
      expect(await checkSegment(path, (await lineOf(store))?.sha256 ?? '')).toEqual({ kind: 'sound' })
      // A crash before the last part was closed; the segment keeps its version.
      const { parts, head } = await scanSegment(path)
      await writeFile(path, (await readFile(path)).subarray(0, parts.at(-1)!.offset + 90))
      await rm(join(dirname(path), 'manifest.jsonl'))
      await using group = new SyncGroup()
      await recoverStream({ store, stream: CAMERA, fence: 2, group, runs: new MemoryRunLog(), keys })
      await using reader = await SegmentReader.open(path, keys)
      expect([reader.end, reader.parts.length]).toEqual(['restart', parts.length - 1])
      expect(reader.head.header.version).toBe(head.header.version)
      expect(basename(path)).toContain(head.header.segmentId)
    }
  })

  test('has one line for each key', async () => {
    expect(await readKeyFile(join(FOLDER, '1000/key'))).toHaveLength(1)
  })
})
