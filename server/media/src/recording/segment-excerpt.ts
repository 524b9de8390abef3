/** A new segment from some parts of an old one, for what remains beside a range that is deleted. */
import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FILE_MODE, makeFolder, syncFolder } from './durable-folder.ts'
import { dayKeyFile, readKeyFile, toDay } from './footage-keys.ts'
import type { SegmentEntry } from './manifest.ts'
import { contentRoot, mediaContent, PartCipher, PartDigests } from './segment-crypto.ts'
import {
  encodeHeader,
  encodeIndex,
  encodePart,
  getPartsEnd,
  type Id128,
  type IndexedPart,
  NO_KEY,
  PART_BYTES,
  PartChecksum,
  type SegmentEnd,
  type SegmentHeader,
} from './segment-layout.ts'
import { segmentPath } from './segment-name.ts'
import { type KeyFinder, type SegmentReader, UnknownKey } from './segment-reader.ts'
import type { SyncGroup } from './sync-group.ts'

export interface Excerpt {
  /** Folder of the stream. */
  readonly folder: string
  readonly source: SegmentReader
  /** Parts of the source, by their numbers; `till` is not included. */
  readonly from: number
  readonly till: number
  readonly end: SegmentEnd
  readonly keys: KeyFinder | undefined
  readonly group: SyncGroup
}

/**
 * The same parts of the same segment always make the same file, so a second try after a crash replaces that of the first.
 * A nonce is used with one content only: the id stands for the source and the parts.
 */
function excerptId({ source, from, till }: Excerpt): Id128 {
  const text = `sightline excerpt 1 ${source.head.header.segmentId} ${from} ${till}`
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Where the time of a segment begins stays, so that the parts are copied as they are. */
async function headerOf(excerpt: Excerpt, start: number): Promise<SegmentHeader> {
  const { header } = excerpt.source.head
  const segmentId = excerptId(excerpt)
  return { ...header, segmentId, start, keyId: await keyIdFor(excerpt, start) }
}

/** Footage is encrypted with the key of the day that it is filed under. */
async function keyIdFor({ folder, source, keys }: Excerpt, start: number): Promise<Id128> {
  const { header } = source.head
  if (header.keyId === NO_KEY || toDay(start) === toDay(header.start)) return header.keyId
  for (const { keyId } of await readKeyFile(dayKeyFile(folder, toDay(start)))) {
    if ((await keys?.find({ ...header, keyId }, segmentPath(folder, { ...header, start }))) !== undefined) return keyId
  }
  throw new UnknownKey(`${source.path}: there is no key of ${toDay(start)} for what remains of it`)
}

async function dayKeyOf({ folder, keys }: Excerpt, header: SegmentHeader): Promise<Uint8Array | undefined> {
  if (header.keyId === NO_KEY) return undefined
  const key = await keys?.find(header, segmentPath(folder, header))
  if (key === undefined) throw new UnknownKey(`there is no key ${header.keyId} for what remains of a segment`)
  return key
}

/** Writes the segment; it is on the disk under its name when this resolves. Returns its line for the manifest. */
export async function writeExcerpt(excerpt: Excerpt): Promise<SegmentEntry> {
  const { source, folder, group, end } = excerpt
  const kept = source.parts.slice(excerpt.from, excerpt.till)
  const header = await headerOf(excerpt, kept[0]?.wallClock ?? source.head.header.start)
  const dayKey = await dayKeyOf(excerpt, header)
  const path = segmentPath(folder, header)
  const failures: unknown[] = []
  await makeFolder(dirname(path), { group, failed: (cause) => failures.push(cause) })
  const init = await source.readInit()
  const headerBox = encodeHeader(header, init)
  const seal = new PartChecksum(header)
  const cipher = dayKey && new PartCipher(dayKey, header.segmentId, headerBox)
  const digests = new PartDigests(dayKey, header.segmentId)
  const hash = createHash('sha256')
  const parts: IndexedPart[] = []
  const partDigests: Uint8Array[] = []
  const temporary = `${path}.new`
  let bytes = 0
  {
    await using file = await open(temporary, 'w', FILE_MODE)
    const write = async (chunks: readonly Uint8Array[]) => {
      for (const chunk of chunks) {
        await file.appendFile(chunk)
        hash.update(chunk)
        bytes += chunk.length
      }
    }
    await write([init, headerBox])
    for (const [sequence, { offset: _offset, bytes: _bytes, ...info }] of kept.entries()) {
      const { payload: plain, cameraClock } = await source.readPartWithClock(
        source.parts[excerpt.from + sequence] as IndexedPart,
      )
      const payloadBytes = cipher === undefined ? plain.length : PartCipher.sealedBytes(plain.length)
      const envelope = encodePart({ ...info, sequence, cameraClock, payloadBytes })
      const payload = cipher?.seal(plain, sequence, envelope.bytes) ?? [plain]
      envelope.seal(seal.of(envelope.bytes, payload))
      parts.push({ ...info, offset: bytes, bytes: PART_BYTES + payloadBytes })
      partDigests.push(digests.of(mediaContent(plain), sequence))
      await write([envelope.bytes, ...payload])
    }
    const { version } = header
    const index = encodeIndex({ version, parts, digests: partDigests, end, sha256: hash.copy().digest() })
    await write([index])
    await group.run(() => file.datasync())
  }
  await rename(temporary, path)
  await group.run(() => syncFolder(dirname(path)))
  await group.flush()
  if (failures.length > 0) throw new Error(`could not write ${path} to disk`, { cause: failures[0] })
  const { segmentId, start, fence, runId, segmentInRun, kind, origin } = header
  const root = header.version === 1 ? undefined : contentRoot(parts, partDigests)
  return {
    segmentId,
    start,
    end: getPartsEnd(parts) ?? start,
    fence,
    runId,
    segmentInRun,
    kind,
    ...(origin && { origin }),
    parts: parts.length,
    why: end,
    bytes,
    sha256: hash.digest('hex'),
    ...(root && { contentRoot: root }),
  }
}
