import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TrackConfig } from '../frame/index.ts'
import { initSegment, joinedFragment } from '../mux/index.ts'
import { FILE_MODE, makeFolder, syncFolderLater } from './durable-folder.ts'
import { FencedError } from './fence.ts'
import { type DayKey, storeKeys } from './footage-keys.ts'
import type { SegmentEntry } from './manifest.ts'
import type { Part } from './part-assembler.ts'
import { contentRoot, PartCipher, PartDigests } from './segment-crypto.ts'
import {
  encodeHeader,
  encodeIndex,
  encodePart,
  getPartsEnd,
  type IndexedPart,
  MAX_PARTS,
  PART_BYTES,
  PartChecksum,
  type SegmentEnd,
  type SegmentHeader,
} from './segment-layout.ts'
import { parseFileName, segmentPath } from './segment-name.ts'
import type { Syncable, SyncGroup } from './sync-group.ts'

export interface NewSegment {
  /** Folder of the stream. */
  readonly folder: string
  readonly header: SegmentHeader
  readonly tracks: readonly TrackConfig[]
  readonly group: SyncGroup
  /** Encrypts it; undefined for footage that is not encrypted. */
  readonly dayKey: DayKey | undefined
  /** Behind the file's name, until it is given its own. */
  readonly suffix?: string
  /** Called immediately when a sync fails. */
  readonly failed: (cause: unknown) => void
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<number> {
  let bytes = 0
  for (const chunk of chunks) bytes += chunk.length
  const { bytesWritten } = await file.writev(chunks, position)
  // libuv continues after a short write until the system returns an error; anything still missing then means a full
  // disk.
  if (bytesWritten !== bytes) throw new Error(`only ${bytesWritten} of ${bytes} bytes were written: disk full?`)
  return bytes
}

/** Parts are put together here to be encrypted by one call, which is done with them when it returns. */
let scratch = Buffer.allocUnsafeSlow(1024 * 1024)

function scratchOf(bytes: number): Uint8Array {
  if (scratch.length < bytes) scratch = Buffer.allocUnsafeSlow(bytes * 2)
  return scratch.subarray(0, bytes)
}

/** For a part that is written as it is. */
const ownRoom = (bytes: number): Uint8Array => Buffer.allocUnsafeSlow(bytes)

/** The file of one segment while it is written. One call at a time. */
export class SegmentWriter implements Syncable {
  readonly path: string
  readonly header: SegmentHeader
  readonly #file: FileHandle
  readonly #tracks: readonly TrackConfig[]
  readonly #group: SyncGroup
  readonly #failed: (cause: unknown) => void
  readonly #hash: Hash = createHash('sha256')
  readonly #seal: PartChecksum
  readonly #digests: PartDigests
  readonly #headerBox: Uint8Array
  readonly #init: Uint8Array
  readonly #cipher: PartCipher | undefined
  readonly #parts: IndexedPart[] = []
  readonly #partDigests: Uint8Array[] = []
  /** When the names that lead to the file are on the disk, and what was last written. */
  readonly #named: Promise<unknown>
  #synced: Promise<void> = Promise.resolve()
  /** The size up to which the file has complete parts. */
  #size = 0
  #suspect: Error | undefined
  #closed = false

  private constructor(
    path: string,
    { file, named }: { file: FileHandle; named: Promise<unknown> },
    segment: NewSegment,
  ) {
    this.path = path
    this.header = segment.header
    this.#file = file
    this.#named = named
    this.#tracks = segment.tracks
    this.#group = segment.group
    this.#failed = segment.failed
    const { header, dayKey } = segment
    this.#seal = new PartChecksum(header)
    this.#init = initSegment(segment.tracks)
    this.#headerBox = encodeHeader(header, this.#init)
    this.#digests = new PartDigests(dayKey?.key, header.segmentId)
    this.#cipher = dayKey && new PartCipher(dayKey.key, header.segmentId, this.#headerBox)
  }

  /**
   * Creates the file; an existing file of that name is never touched (`wx`). Its name is synced with the group, like its
   * parts: the first part doesn't wait for it.
   *
   * @throws {Fenced} if the folder has a segment of a newer lease; otherwise the error of the file system.
   */
  static async create(segment: NewSegment): Promise<SegmentWriter> {
    const path = `${segmentPath(segment.folder, segment.header)}${segment.suffix ?? ''}`
    const folder = dirname(path)
    let writer: SegmentWriter | undefined
    const kept: Promise<void>[] = []
    const names = { group: segment.group, failed: (cause: unknown) => writer?.syncFailed(cause), kept }
    await makeFolder(folder, names)
    for (const name of await readdir(folder)) {
      const other = parseFileName(name)
      if (other !== undefined && other.fence > segment.header.fence) {
        throw new FencedError(`${folder}: writer ${other.fence} has taken over from writer ${segment.header.fence}`)
      }
    }
    // Before the file, so that no footage is without its key.
    if (segment.dayKey !== undefined) await storeKeys(segment.dayKey, folder, names)
    const file = await open(path, 'wx', FILE_MODE)
    syncFolderLater(folder, names)
    writer = new SegmentWriter(path, { file, named: Promise.all(kept) }, segment)
    return writer
  }

  get bytes(): number {
    return this.#size
  }

  get parts(): readonly IndexedPart[] {
    return this.#parts
  }

  get isFull(): boolean {
    return this.#parts.length >= MAX_PARTS
  }

  /** Set once a sync failed; nothing may be appended after that. */
  get suspect(): Error | undefined {
    return this.#suspect
  }

  /** Resolves once all that was appended, and the way to it, is on the disk, or the file became suspect. */
  async synced(): Promise<void> {
    await Promise.all([this.#named, this.#synced])
  }

  /**
   * Writes a part with one call; the first one includes ftyp, moov and HEADER. Returns the bytes by which the file
   * grew.
   */
  async append(part: Part): Promise<number> {
    const head = this.#size === 0 ? [this.#init, this.#headerBox] : []
    const sequence = this.#parts.length
    const content = {
      sequence: sequence + 1,
      tracks: this.#tracks,
      samples: part.samples,
      origin: this.header.baseTime,
    }
    const plain = joinedFragment(content, this.#cipher === undefined ? ownRoom : scratchOf)
    const plainBytes = plain.bytes.length
    const payloadBytes = this.#cipher === undefined ? plainBytes : PartCipher.sealedBytes(plainBytes)
    const { time, duration, wallClock, cameraClock, isKey, recovery, pictures } = part
    const info = { time: time - this.header.baseTime, duration, wallClock, isKey, recovery, pictures }
    const envelope = encodePart({ ...info, sequence, cameraClock, payloadBytes })
    const payload = this.#cipher?.seal(plain.bytes, sequence, envelope.bytes) ?? [plain.bytes]
    envelope.seal(this.#seal.of(envelope.bytes, payload))
    const digest = this.#digests.of(plain.payload, sequence)

    const pieces = [...head, envelope.bytes, ...payload]
    const written = await writeAll(this.#file, pieces, this.#size)
    for (const piece of pieces) this.#hash.update(piece)
    this.#partDigests.push(digest)
    const bytes = PART_BYTES + payloadBytes
    this.#parts.push({ ...info, offset: this.#size + written - bytes, bytes })
    this.#size += written
    this.#synced = this.#group.wrote(this)
    return written
  }

  /**
   * Writes the INDEX, syncs everything and returns the manifest's content. A suspect file gets no INDEX: it can't be
   * trusted, and the next start reads it part by part.
   */
  async close(end: SegmentEnd, when: 'now' | 'withGroup'): Promise<SegmentEntry> {
    let sha256 = this.#hash.copy().digest()
    try {
      if (this.#suspect === undefined) {
        const { version } = this.header
        const index = encodeIndex({ version, parts: this.#parts, digests: this.#partDigests, end, sha256 })
        this.#size += await writeAll(this.#file, [index], this.#size)
        sha256 = this.#hash.update(index).digest()
        this.#synced = this.#group.wrote(this)
        await (when === 'now' ? this.#group.flush() : this.synced())
      }
    } finally {
      this.#closed = true
      await this.#file.close()
    }
    return this.#line(end, sha256)
  }

  /**
   * Abandons the file after a failed write: everything after the last complete part is cut off if the disk allows it.
   */
  async abandon(): Promise<void> {
    this.#closed = true
    try {
      if (this.#size === 0) await rm(this.path)
      else await this.#file.truncate(this.#size)
    } finally {
      await this.#file.close()
    }
  }

  /** Lets the file go without touching it: it belongs to another writer now. */
  async leave(): Promise<void> {
    this.#closed = true
    await this.#file.close()
  }

  async sync(): Promise<void> {
    if (!this.#closed) await this.#file.datasync()
  }

  syncFailed(cause: unknown): void {
    this.#suspect = new Error(`could not write ${this.path} to disk`, { cause })
    this.#failed(this.#suspect)
  }

  #line(why: SegmentEnd, sha256: Uint8Array): SegmentEntry {
    const { segmentId, start, fence, runId, segmentInRun, kind, origin } = this.header
    const line: SegmentEntry = {
      segmentId,
      start,
      end: getPartsEnd(this.#parts) ?? start,
      fence,
      runId,
      segmentInRun,
      kind,
      ...(origin && { origin }),
      parts: this.#parts.length,
      why,
      bytes: this.#size,
      sha256: Buffer.from(sha256).toString('hex'),
    }
    const root = contentRoot(this.#parts, this.#partDigests)
    return { ...line, ...(root && { contentRoot: root }), ...(this.#suspect && { suspect: this.#suspect.message }) }
  }
}
