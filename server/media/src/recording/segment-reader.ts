import type { TrackConfig } from '../frame/index.ts'
import { readInitSegment } from '../mux/index.ts'
import type { OpenSegments } from './open-segments.ts'
import { contentPath, PartCipher, PartDigests } from './segment-crypto.ts'
import { onDisk, type SegmentFile, type SegmentFiles } from './segment-file.ts'
import {
  decodeHeader,
  decodeIndex,
  decodePart,
  getPartsEnd,
  HEADER_BYTES,
  INDEX_FOOT_BYTES,
  type IndexedPart,
  indexBytes,
  isEncrypted,
  NO_KEY,
  PART_BYTES,
  PartChecksum,
  type PartEnvelope,
  type SegmentEnd,
  type SegmentHeader,
} from './segment-layout.ts'

/** ftyp, moov and HEADER fit in it by far; parameter sets are what may be long. */
export const MAX_HEAD_BYTES = 65_536
/** Enough for the INDEX of 200 parts, so that one read finds it in nearly every segment. */
const TAIL_BYTES = 16_384
/** Encrypted parts up to this size are read into one buffer, which has a little more room than the first of them needs. */
const MAX_ROOM_BYTES = 4 * 1024 * 1024
const SPARE_ROOM = 1.25
/** 1 s at 500 Mbit/s; a larger length is damage. */
export const MAX_PART_BYTES = 64 * 1024 * 1024

/** The file isn't a segment of a known version, or its beginning is damaged or not written yet. */
export class NotASegment extends Error {
  override readonly name = 'NotASegment'
}

/** The footage is encrypted with a key that this program does not have. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey'
}

/** What was read is not what was written. */
export class DamagedPart extends Error {
  override readonly name = 'DamagedPart'
}

/** What a part's payload may be read with. */
export interface SegmentHead {
  readonly header: SegmentHeader
  readonly tracks: readonly TrackConfig[]
  /** The HEADER box itself, which encryption authenticates. */
  readonly headerBox: Uint8Array
  /** Bytes of ftyp, moov and HEADER: where the first part begins. */
  readonly bytes: number
}

function boxEnd(bytes: Uint8Array, at: number): number {
  if (at + 8 > bytes.length) return Number.POSITIVE_INFINITY
  return at + new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)
}

/** Parses what a segment begins with. `path` is for the message. */
export function parseHead(bytes: Uint8Array, path: string): SegmentHead {
  const initBytes = boxEnd(bytes, boxEnd(bytes, 0))
  const headBytes = initBytes + HEADER_BYTES
  if (headBytes > bytes.length)
    throw new NotASegment(`${path}: no ftyp, moov and HEADER in the first ${bytes.length} bytes`)
  const init = bytes.subarray(0, initBytes)
  const header = decodeHeader(bytes.subarray(initBytes, headBytes), init)
  if (header === undefined) throw new NotASegment(`${path}: HEADER damaged, or not of format version 1 or 2`)
  try {
    return { header, tracks: readInitSegment(init), headerBox: bytes.slice(initBytes, headBytes), bytes: headBytes }
  } catch (cause) {
    throw new NotASegment(`${path}: could not read the tracks`, { cause })
  }
}

/**
 * Finds the day key of a segment by its header; undefined if it doesn't exist (any more). `path` is where the segment is:
 * its day's folder has a copy of the key.
 */
export interface KeyFinder {
  find(header: SegmentHeader, path: string): Promise<Uint8Array | undefined>
}

/** Undefined for footage that is not encrypted. @throws {UnknownKey} */
async function findDayKey(
  { header }: SegmentHead,
  path: string,
  keys: KeyFinder | undefined,
): Promise<Uint8Array | undefined> {
  if (header.keyId === NO_KEY) return undefined
  const key = await keys?.find(header, path)
  if (key === undefined)
    throw new UnknownKey(`${path}: encrypted with key ${header.keyId}, which this program does not have`)
  return key
}

interface OpenedSegment {
  readonly path: string
  readonly file: SegmentFile
  readonly head: SegmentHead
  readonly unclosed: OpenSegments | undefined
}

/** One segment, open for reading by byte ranges, even while it is being written. The payload isn't kept in memory. */
export class SegmentReader implements AsyncDisposable {
  readonly path: string
  readonly head: SegmentHead
  readonly #file: SegmentFile
  readonly #seal: PartChecksum
  readonly #cipher: PartCipher | undefined
  readonly #salts: PartDigests
  readonly #unclosed: OpenSegments | undefined
  #parts: IndexedPart[] = []
  #digests: readonly Uint8Array[] = []
  #end: SegmentEnd | undefined
  /** Where the next part of an unclosed segment begins. */
  #next: number
  /** What encrypted parts are read into one after another: a new buffer for each makes V8 collect garbage half of the time. */
  #room: Buffer | undefined

  private constructor({ path, file, head, unclosed }: OpenedSegment, dayKey: Uint8Array | undefined) {
    this.path = path
    this.head = head
    this.#file = file
    this.#unclosed = unclosed
    this.#seal = new PartChecksum(head.header)
    this.#cipher = dayKey && new PartCipher(dayKey, head.header.segmentId, head.headerBox)
    this.#salts = new PartDigests(dayKey, head.header.segmentId)
    this.#next = head.bytes
  }

  /**
   * @param files where segments are; the disk by default.
   * @throws {NotASegment}, {UnknownKey}, or the error of the store.
   */
  static async open(path: string, keys?: KeyFinder, files = onDisk, signal?: AbortSignal): Promise<SegmentReader> {
    const file = await files.open(path, signal)
    return SegmentReader.#open({ path, file, unclosed: files.unclosed }, (head) => findDayKey(head, path, keys))
  }

  /** Opens a segment whose key isn't needed or not there: encrypted parts can be checked, but not read. */
  static async openWithoutKey(path: string, files: SegmentFiles = onDisk): Promise<SegmentReader> {
    return SegmentReader.#open({ path, file: await files.open(path), unclosed: undefined }, async () => undefined)
  }

  static async #open(
    opened: Omit<OpenedSegment, 'head'>,
    keyOf: (head: SegmentHead) => Promise<Uint8Array | undefined>,
  ): Promise<SegmentReader> {
    const { path, file } = opened
    try {
      const head = parseHead(await file.read(0, MAX_HEAD_BYTES), path)
      const reader = new SegmentReader({ ...opened, head }, await keyOf(head))
      await reader.refresh()
      return reader
    } catch (cause) {
      await file[Symbol.asyncDispose]()
      throw cause
    }
  }

  /**
   * Every part with a complete envelope, in order. Whether a payload is intact is known only after {@link readPart}.
   */
  get parts(): readonly IndexedPart[] {
    return this.#parts
  }

  /** Of each part in a closed segment of version 2; zeros where a digest isn't known. */
  get digests(): readonly Uint8Array[] {
    return this.#digests
  }

  /** The salt of a part's digest, 16 bytes: who has it can compare the part's content with the digest. */
  saltOf(sequence: number): Uint8Array {
    return this.#salts.saltOf(sequence)
  }

  /** What leads from these parts, by their numbers, to the content root. Closed segments only. */
  pathOf(included: ReadonlySet<number>): readonly string[] {
    return contentPath(this.#parts, this.#digests, included)
  }

  /** Why it was closed; undefined while it is being written, after a crash, and if the INDEX is damaged. */
  get end(): SegmentEnd | undefined {
    return this.#end
  }

  get endWallClock(): number {
    return getPartsEnd(this.#parts) ?? this.head.header.start
  }

  /** Reads parts written since. Returns whether there are any. */
  async refresh(): Promise<boolean> {
    if (this.#end !== undefined) return false
    const size = await this.#file.size()
    const index = await this.#readIndex(size)
    if (index !== undefined) {
      this.#parts = [...index.parts]
      this.#digests = index.digests
      this.#end = index.end
      this.#unclosed?.forget(this.head.header.segmentId)
      return true
    }
    return this.#walk(size)
  }

  /** Bytes of moof and mdat of a part. */
  payloadBytes({ bytes }: IndexedPart): number {
    const payload = bytes - PART_BYTES
    return this.head.header.keyId === NO_KEY ? payload : payload - PartCipher.sealedBytes(0)
  }

  /** moof and mdat of a part, decrypted. @throws {DamagedPart} if a byte of envelope or payload changed. */
  async readPart(part: IndexedPart): Promise<Uint8Array> {
    if (this.#cipher === undefined) return await this.#readPlain(part)
    const room = this.#roomFor(part)
    // The tag of an encrypted part proves more than its checksum does.
    const { bytes, payload, envelope } = await this.#readBox(part, room)
    const plain = this.#cipher.open(payload, envelope.sequence, bytes)
    this.#room = room
    if (plain === undefined) throw this.#damage(part)
    return plain
  }

  /** Nobody else reads into it until it is given back: parts can be read at the same time. None for a part that is very large. */
  #roomFor({ bytes }: IndexedPart): Buffer | undefined {
    const room = this.#room
    this.#room = undefined
    if (bytes > MAX_ROOM_BYTES || (room !== undefined && room.length >= bytes)) return room
    return Buffer.allocUnsafeSlow(Math.ceil(bytes * SPARE_ROOM))
  }

  /** The same with the camera's own clock, milliseconds since 1970, if it gave one. */
  async readPartWithClock(
    part: IndexedPart,
  ): Promise<{ readonly payload: Uint8Array; readonly cameraClock: number | undefined }> {
    const envelope = decodePart(await this.#file.read(part.offset, PART_BYTES))
    return { payload: await this.readPart(part), cameraClock: envelope?.cameraClock }
  }

  /** ftyp and moov. */
  async readInit(): Promise<Uint8Array> {
    return await this.#file.read(0, this.head.bytes - HEADER_BYTES)
  }

  async #readPlain(part: IndexedPart): Promise<Uint8Array> {
    const { bytes, payload, envelope } = await this.#readBox(part)
    if (envelope.crc !== this.#seal.of(bytes, [payload])) throw this.#damage(part)
    if (isEncrypted(payload)) throw new UnknownKey(`${this.path}: a part is encrypted, and there is no key for it`)
    return payload
  }

  /** Checks a part by its checksum, which needs no key. @throws {DamagedPart} */
  async checkPart(part: IndexedPart): Promise<void> {
    const { bytes, payload, envelope } = await this.#readBox(part)
    if (envelope.crc !== this.#seal.of(bytes, [payload])) throw this.#damage(part)
  }

  async #readBox(
    part: IndexedPart,
    into?: Buffer,
  ): Promise<{ bytes: Uint8Array; payload: Uint8Array; envelope: PartEnvelope }> {
    if (part.bytes > MAX_PART_BYTES)
      throw new DamagedPart(`${this.path}: a part of ${part.bytes} bytes at ${part.offset}`)
    const bytes = await this.#file.read(part.offset, part.bytes, into)
    const envelope = decodePart(bytes)
    const payload = bytes.subarray(PART_BYTES)
    if (envelope === undefined || bytes.length !== part.bytes || envelope.payloadBytes !== payload.length)
      throw this.#damage(part)
    return { bytes, payload, envelope }
  }

  #damage(part: IndexedPart): DamagedPart {
    return new DamagedPart(`${this.path}: part at byte ${part.offset} is not what was written`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }

  async #readIndex(size: number) {
    const tailBytes = Math.min(TAIL_BYTES, size)
    const tail = await this.#file.read(size - tailBytes, tailBytes)
    if (tail.length < INDEX_FOOT_BYTES) return undefined
    const { version } = this.head.header
    const bytes = indexBytes(tail.subarray(tail.length - INDEX_FOOT_BYTES), version)
    if (bytes === undefined || bytes > size - this.head.bytes) return undefined
    const index = decodeIndex(
      bytes <= tail.length ? tail.subarray(tail.length - bytes) : await this.#file.read(size - bytes, bytes),
      version,
    )
    const isInside = index?.parts.every((part) => part.offset + part.bytes <= size - bytes)
    return isInside ? index : undefined
  }

  /** Reads envelope after envelope, without payloads. */
  async #walk(size: number): Promise<boolean> {
    const before = this.#parts.length
    const { segmentId } = this.head.header
    const known = this.#unclosed?.find(segmentId)
    if (known !== undefined && known.next > this.#next && known.next <= size) {
      this.#parts = [...known.parts]
      this.#next = known.next
    }
    for (;;) {
      const bytes = await this.#file.read(this.#next, PART_BYTES)
      const envelope = decodePart(bytes)
      if (envelope === undefined || envelope.sequence !== this.#parts.length) break
      const part = toIndexedPart(envelope, this.#next)
      if (part.offset + part.bytes > size || part.bytes > MAX_PART_BYTES) break
      this.#parts.push(part)
      this.#next += part.bytes
    }
    this.#unclosed?.note(segmentId, { parts: [...this.#parts], next: this.#next })
    return this.#parts.length > before
  }
}

/** A part at its place in the file. */
export function toIndexedPart(envelope: PartEnvelope, offset: number): IndexedPart {
  const { time, duration, wallClock, isKey, recovery, pictures, payloadBytes } = envelope
  return { time, duration, wallClock, isKey, recovery, pictures, offset, bytes: PART_BYTES + payloadBytes }
}
