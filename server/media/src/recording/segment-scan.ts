/** Reads a segment from front to back, believing nothing but checksums: for recovery and for the search for damage. */
import { createHash, type Hash } from 'node:crypto'
import { mediaContent, PartCipher, PartDigests, UNKNOWN_DIGEST } from './segment-crypto.ts'
import { onDisk, type SegmentFile, type SegmentFiles } from './segment-file.ts'
import {
  decodeIndex,
  decodePart,
  type IndexedPart,
  NO_KEY,
  PART_BYTES,
  PART_MARK,
  PartChecksum,
  type SegmentIndex,
} from './segment-layout.ts'
import {
  DamagedPart,
  type KeyFinder,
  MAX_HEAD_BYTES,
  MAX_PART_BYTES,
  parseHead,
  type SegmentHead,
  SegmentReader,
  toIndexedPart,
} from './segment-reader.ts'

/** The verified content of a segment. */
export interface Scan {
  readonly head: SegmentHead
  /** Sound parts, from the first up to the first that is not. */
  readonly parts: readonly IndexedPart[]
  /** Of their content, in version 2; zeros if there is no key to read it. */
  readonly digests: readonly Uint8Array[]
  /** Where the last of them ends. */
  readonly soundBytes: number
  readonly fileBytes: number
  /** SHA-256 of the sound bytes, to be gone on with. */
  readonly hash: Hash
  /** Present if the rest of the file is a valid INDEX over exactly these parts. */
  readonly index: SegmentIndex | undefined
}

/** Larger than the INDEX of the most parts a segment may have. */
const MAX_INDEX_BYTES = 5 * 1024 * 1024

async function partAt(file: SegmentFile, at: number, seal: PartChecksum): Promise<Uint8Array | undefined> {
  const envelope = decodePart(await file.read(at, PART_BYTES))
  if (envelope === undefined || envelope.payloadBytes > MAX_PART_BYTES) return undefined
  const bytes = await file.read(at, PART_BYTES + envelope.payloadBytes)
  const payload = bytes.subarray(PART_BYTES)
  const isSound = payload.length === envelope.payloadBytes && seal.of(bytes, [payload]) === envelope.crc
  return isSound ? bytes : undefined
}

async function scanFile(file: SegmentFile, path: string, keys: KeyFinder | undefined): Promise<Scan> {
  const start = await file.read(0, MAX_HEAD_BYTES)
  const head = parseHead(start, path)
  const hash = createHash('sha256').update(start.subarray(0, head.bytes))
  const seal = new PartChecksum(head.header)
  const digestOf = await digester(head, path, keys)
  const parts: IndexedPart[] = []
  const digests: Uint8Array[] = []
  let at = head.bytes
  for (;;) {
    const bytes = await partAt(file, at, seal)
    const envelope = bytes && decodePart(bytes)
    if (bytes === undefined || envelope?.sequence !== parts.length) break
    if (head.header.version === 2) digests.push(digestOf(bytes, parts.length))
    parts.push(toIndexedPart(envelope, at))
    hash.update(bytes)
    at += bytes.length
  }
  const size = await file.size()
  const rest =
    size - at <= MAX_INDEX_BYTES ? decodeIndex(await file.read(at, size - at), head.header.version) : undefined
  const isWhole =
    rest !== undefined && rest.parts.length === parts.length && hash.copy().digest().equals(Buffer.from(rest.sha256))
  return { head, parts, digests, soundBytes: at, fileBytes: size, hash, index: isWhole ? rest : undefined }
}

/** Digests the content of a part, given as PART box and payload; an unknown one without the key. */
async function digester(
  head: SegmentHead,
  path: string,
  keys: KeyFinder | undefined,
): Promise<(part: Uint8Array, sequence: number) => Uint8Array> {
  const { keyId, segmentId } = head.header
  const dayKey = keyId === NO_KEY ? undefined : await keys?.find(head.header, path)
  if (keyId !== NO_KEY && dayKey === undefined) return () => UNKNOWN_DIGEST
  const cipher = dayKey && new PartCipher(dayKey, segmentId, head.headerBox)
  const digests = new PartDigests(dayKey, segmentId)
  return (part, sequence) => {
    const payload = part.subarray(PART_BYTES)
    const plain = cipher === undefined ? payload : cipher.open(payload, sequence, part)
    return plain === undefined ? UNKNOWN_DIGEST : digests.of(mediaContent(plain), sequence)
  }
}

/**
 * @param keys finds the keys of encrypted footage; without one, its parts are found all the same, but not their digests.
 * @throws {NotASegment}, or the error of the file system.
 */
export async function scanSegment(path: string, keys?: KeyFinder, files: SegmentFiles = onDisk): Promise<Scan> {
  await using file = await files.open(path)
  return await scanFile(file, path, keys)
}

/** Whether valid parts of this segment follow the point where {@link scanSegment} had to stop. */
export async function hasLaterParts(path: string, { head, soundBytes, fileBytes }: Scan): Promise<boolean> {
  await using file = await onDisk.open(path)
  const seal = new PartChecksum(head.header)
  const window = 4 * 1024 * 1024
  for (let at = soundBytes; at < fileBytes; at += window) {
    const bytes = Buffer.from(await file.read(at, window + PART_MARK.length))
    for (let found = bytes.indexOf(PART_MARK); found >= 0; found = bytes.indexOf(PART_MARK, found + 1)) {
      if ((await partAt(file, at + found - 4, seal)) !== undefined) return true
    }
  }
  return false
}

/** SHA-256 of a whole file, 64 hexadecimal digits. */
async function hashOfFile(path: string, files: SegmentFiles): Promise<string> {
  await using file = await files.open(path)
  const hash = createHash('sha256')
  for (let at = 0; ; ) {
    const bytes = await file.read(at, HASH_STEP_BYTES)
    if (bytes.length === 0) return hash.digest('hex')
    hash.update(bytes)
    at += bytes.length
  }
}

const HASH_STEP_BYTES = 1024 * 1024

/** What a check of one segment found. */
export type SegmentHealth =
  | { readonly kind: 'sound' }
  /** These parts are not what was written; the others are. */
  | { readonly kind: 'damagedParts'; readonly parts: readonly IndexedPart[] }
  /** Parts are valid, but other bytes changed, or the file isn't the manifest's. */
  | { readonly kind: 'changed' }
  /** Nothing of it can be read. */
  | { readonly kind: 'unreadable'; readonly cause: unknown }

/**
 * Checks every byte of a closed segment.
 * @param sha256 what the manifest says of the whole file.
 */
export async function checkSegment(path: string, sha256: string, files: SegmentFiles = onDisk): Promise<SegmentHealth> {
  if ((await hashOfFile(path, files)) === sha256) return { kind: 'sound' }
  try {
    await using reader = await SegmentReader.openWithoutKey(path, files)
    const damaged: IndexedPart[] = []
    for (const part of reader.parts) {
      try {
        await reader.checkPart(part)
      } catch (cause) {
        if (!(cause instanceof DamagedPart)) throw cause
        damaged.push(part)
      }
    }
    return damaged.length > 0 ? { kind: 'damagedParts', parts: damaged } : { kind: 'changed' }
  } catch (cause) {
    return { kind: 'unreadable', cause }
  }
}
