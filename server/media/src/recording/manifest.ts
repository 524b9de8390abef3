import { createHash } from 'node:crypto'
import { constants, type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chainHeads } from './chain-heads.ts'
import { FILE_MODE, makeFolder, syncFolderLater } from './durable-folder.ts'
import type { DeletionReason, StreamKey } from './run-log.ts'
import { hoursBack, listHours } from './segment-files.ts'
import type { Id128, SegmentEnd, SegmentOrigin } from './segment-layout.ts'
import { type Hour, hourFolder, MANIFEST, streamFolder } from './segment-name.ts'
import type { Syncable, SyncGroup } from './sync-group.ts'

/** A segment that was closed. */
export interface SegmentEntry {
  readonly segmentId: Id128
  readonly start: number
  readonly end: number
  readonly fence: number
  readonly runId: Id128
  readonly segmentInRun: number
  readonly kind: 'continuous' | 'event'
  /** Missing for footage of the camera's stream. */
  readonly origin?: SegmentOrigin
  readonly parts: number
  readonly why: SegmentEnd
  /** Of the whole file. */
  readonly bytes: number
  /** Of the whole file, INDEX included; 64 hexadecimal digits. */
  readonly sha256: string
  /** Merkle root over the content of its parts; missing in version 1, and if it couldn't be read. */
  readonly contentRoot?: string
  /** Set if a sync of this file failed: the disk may have lost what this line promises. */
  readonly suspect?: string
}

/** A segment that was deleted; its own line stays. */
export interface Tombstone {
  readonly segmentId: Id128
  readonly reason: DeletionReason
  /** Who: `system`, or the number of a user. */
  readonly by: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Of the segment's own line, if it had one. */
  readonly sha256: string
  /** What was deleted of it: its whole time, or the range that its successors don't have; milliseconds since 1970. */
  readonly start?: number
  readonly end?: number
  /** By how much less there is. */
  readonly bytes?: number
  /** The segments that contain the rest, if only a part of it was deleted. */
  readonly successors?: readonly Id128[]
}

export type ManifestEntry = SegmentEntry | Tombstone

export const isTombstone = (entry: ManifestEntry): entry is Tombstone => 'reason' in entry
export const isSegmentEntry = (entry: ManifestEntry): entry is SegmentEntry => !isTombstone(entry)

/** `,"prev":"<64>","hash":"<64>"}` */
const CHAIN_CHARS = 2 * 64 + `,"prev":"","hash":""}`.length

/** The start of a stream's chain. It names the stream, so that one camera's chain can't be shown as another's. */
function genesis({ accountId, cameraId, stream }: StreamKey): string {
  return createHash('sha256').update(`sightline manifest 1 ${accountId}/${cameraId}/${stream}`).digest('hex')
}

const hashOf = (prev: string, body: string): string =>
  createHash('sha256').update(Buffer.from(prev, 'hex')).update(body).digest('hex')

function chain(entry: ManifestEntry, prev: string): { text: string; hash: string } {
  const body = JSON.stringify(entry).slice(0, -1)
  const hash = hashOf(prev, body)
  return { text: `${body},"prev":"${prev}","hash":"${hash}"}\n`, hash }
}

const MAX_LINE_BYTES = 2048

export interface ChainedEntry {
  readonly entry: ManifestEntry
  readonly prev: string
  readonly hash: string
}

/** Undefined if the line is incomplete or its hash doesn't match its content. */
export function parseEntry(line: string): ChainedEntry | undefined {
  try {
    const { prev, hash, ...entry } = JSON.parse(line)
    const sound = typeof prev === 'string' && hashOf(prev, line.slice(0, -CHAIN_CHARS)) === hash
    return sound && typeof entry.segmentId === 'string' ? { entry, prev, hash } : undefined
  } catch {
    return undefined
  }
}

const manifestPath = (stream: string, hour: Hour): string => join(hourFolder(stream, hour), MANIFEST)

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new Error(`could not read manifest ${path}`, { cause })
  }
}

/** The sound lines of an hour, in order. */
export async function readManifest(stream: string, hour: Hour): Promise<readonly ChainedEntry[]> {
  const lines = (await textOf(manifestPath(stream, hour))).split('\n')
  return lines.map(parseEntry).filter((line) => line !== undefined)
}

/** A line and its place. */
export interface PlacedLine {
  /** Undefined if it was changed or is incomplete. */
  readonly chained: ChainedEntry | undefined
  /** Without its line break. */
  readonly text: string
  /** Counted from 1. */
  readonly line: number
  /** Bytes of the file up to the end of the line, its line break included. */
  readonly end: number
}

/** All lines of an hour, in order. */
export async function readPlacedLines(stream: string, hour: Hour): Promise<readonly PlacedLine[]> {
  const texts = (await textOf(manifestPath(stream, hour))).split('\n')
  // A line without its line break is cut off before the next one is written.
  const rest = texts.pop() ?? ''
  let end = 0
  const lines = texts.map((text, index) => {
    end += Buffer.byteLength(text) + 1
    return { chained: parseEntry(text), text, line: index + 1, end }
  })
  return rest === ''
    ? lines
    : [...lines, { chained: undefined, text: rest, line: texts.length + 1, end: end + Buffer.byteLength(rest) }]
}

/** A place where the chain of a stream is broken. */
export interface BrokenChain {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly what: 'changed line' | 'does not follow the line before it'
}

/**
 * Checks every line of a stream's manifests against its hash and its predecessor. A tail that was cut off leaves no
 * trace here: compare `head` with a signed one.
 */
export async function verifyManifest(
  stream: string,
  key: StreamKey,
): Promise<{ head: string; broken: readonly BrokenChain[] }> {
  const broken: BrokenChain[] = []
  let head = genesis(key)
  for await (const hour of listHours(stream, 0)) {
    const file = manifestPath(stream, hour)
    for (const { chained, line } of await readPlacedLines(stream, hour)) {
      if (chained === undefined) broken.push({ file, line, what: 'changed line' })
      else if (chained.prev !== head) broken.push({ file, line, what: 'does not follow the line before it' })
      head = chained?.hash ?? head
    }
  }
  return { head, broken }
}

/** A line with the hour of the manifest that it is in. */
export interface PlacedEntry extends ChainedEntry {
  readonly hour: Hour
}

/** Lines of a stream that follow one of its chain, in the chain's order, from the manifest of an hour on at most. */
export async function readNewLines(
  stream: string,
  { hash, from }: { readonly hash: string | undefined; readonly from: Hour },
): Promise<readonly PlacedEntry[]> {
  const found: PlacedEntry[] = []
  for await (const hour of hoursBack(stream)) {
    if (hour < from) break
    for (const line of (await readManifest(stream, hour)).toReversed()) {
      if (line.hash === hash) return found.toReversed()
      found.push({ ...line, hour })
    }
  }
  return found.toReversed()
}

/** The same, only tombstones. */
export async function readNewTombstones(
  stream: string,
  after: { readonly hash: string | undefined; readonly from: Hour },
): Promise<readonly (Tombstone & { readonly hash: string })[]> {
  const lines = await readNewLines(stream, after)
  return lines.flatMap(({ entry, hash }) => (isTombstone(entry) ? [{ ...entry, hash }] : []))
}

interface Head {
  readonly hour: Hour
  readonly bytes: number
  readonly hash: string
}

/** The head of a stream's chain: its newest file and that file's last valid line. Undefined for an empty chain. */
async function findHead(stream: string): Promise<Head | undefined> {
  for await (const hour of hoursBack(stream)) {
    const last = (await readPlacedLines(stream, hour)).findLast(({ chained }) => chained !== undefined)
    if (last?.chained !== undefined) return { hour, bytes: last.end, hash: last.chained.hash }
  }
  return undefined
}

/**
 * A crash may leave an incomplete line. It is cut off: its segment has an INDEX, so recovery writes the line again.
 * Anything longer than a line can be stays and is closed with a line break.
 */
async function endLastLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(size, MAX_LINE_BYTES))
  await file.read(tail, 0, tail.length, size - tail.length)
  const sound = tail.lastIndexOf('\n') + 1
  if (sound === tail.length) return
  if (sound > 0 || size < MAX_LINE_BYTES) await file.truncate(size - tail.length + sound)
  else await file.write('\n', size)
}

/**
 * The chain of one stream, open for appending. Lines go to the manifest of their hour, but never to an older file than
 * the newest: so the order of files is the order of the chain, even if the clock was set back.
 */
class Chain implements Syncable {
  readonly #stream: string
  readonly #key: StreamKey
  readonly #group: SyncGroup
  readonly failed = new Set<(cause: unknown) => void>()
  #hour: Hour | undefined
  #head: string
  #file: FileHandle | undefined
  #fileHour: Hour | undefined
  /** Of earlier hours, to be synced and closed with the next round. */
  readonly #finished: FileHandle[] = []
  #queue: Promise<void> = Promise.resolve()

  constructor(stream: string, { key, at, group }: { key: StreamKey; at: Head | undefined; group: SyncGroup }) {
    this.#stream = stream
    this.#key = key
    this.#hour = at?.hour
    this.#head = at?.hash ?? genesis(key)
    this.#group = group
    if (at !== undefined) chainHeads(group).note({ ...key, ...at })
  }

  get head(): string {
    return this.#head
  }

  append(entry: ManifestEntry, hour: Hour): Promise<void> {
    const appended = this.#queue.then(() => this.#append(entry, hour))
    this.#queue = appended.catch(() => undefined)
    return appended
  }

  async sync(): Promise<void> {
    for (let file = this.#finished.shift(); file !== undefined; file = this.#finished.shift()) {
      await using finished = file
      await finished.datasync()
    }
    await this.#file?.datasync()
  }

  syncFailed(cause: unknown): void {
    chainHeads(this.#group).forget(this.#key)
    const error = new Error(`could not write the manifest of ${this.#stream} to disk`, { cause })
    for (const failed of this.failed) failed(error)
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#group.flush()
    for (const finished of this.#finished.splice(0)) await finished.close()
    await this.#file?.close()
    this.#file = undefined
  }

  async #append(entry: ManifestEntry, hour: Hour): Promise<void> {
    const file = await this.#open(Math.max(hour, this.#hour ?? hour))
    const { text, hash } = chain(entry, this.#head)
    const bytes = Buffer.from(text)
    const { size } = await file.stat()
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, size)
    if (bytesWritten !== bytes.length) {
      await file.truncate(size)
      throw new Error(`manifest of ${this.#stream}: disk full, ${bytesWritten} of ${bytes.length} bytes written`)
    }
    this.#head = hash
    chainHeads(this.#group).note({ ...this.#key, hour: this.#hour ?? hour, bytes: size + bytes.length, hash })
    void this.#group.wrote(this)
  }

  async #open(hour: Hour): Promise<FileHandle> {
    if (this.#file !== undefined && this.#fileHour === hour) return this.#file
    if (this.#file !== undefined) {
      this.#finished.push(this.#file)
      this.#file = undefined
      void this.#group.wrote(this)
    }
    const names = { group: this.#group, failed: (cause: unknown) => this.syncFailed(cause) }
    const folder = hourFolder(this.#stream, hour)
    await makeFolder(folder, names)
    const file = await open(join(folder, MANIFEST), constants.O_RDWR | constants.O_CREAT, FILE_MODE)
    await endLastLine(file)
    syncFolderLater(folder, names)
    this.#file = file
    this.#fileHour = hour
    this.#hour = hour
    return file
  }
}

interface SharedChain {
  readonly opening: Promise<Chain>
  /** Those who wait for it are among them: it must not be closed between. */
  users: number
}

/** A chain has one head, so all who append to it on one disk share it: recorder, recovery, retention. */
const chains = new WeakMap<SyncGroup, Map<string, SharedChain>>()

function shareChain(group: SyncGroup, folder: string, stream: StreamKey): SharedChain {
  const known = chains.get(group) ?? new Map<string, SharedChain>()
  chains.set(group, known)
  const opening = () => findHead(folder).then((at) => new Chain(folder, { key: stream, at, group }))
  const shared = known.get(folder) ?? { opening: opening(), users: 0 }
  known.set(folder, shared)
  shared.users++
  return shared
}

/** The next one who needs it reads the files again. */
function forgetChain(group: SyncGroup, folder: string, shared: SharedChain): void {
  if (chains.get(group)?.get(folder) === shared) chains.get(group)?.delete(folder)
}

export interface ManifestOptions {
  readonly store: string
  readonly stream: StreamKey
  /** Syncs the disk's files together; all writers of this stream in this process must pass the same. */
  readonly group: SyncGroup
  /** Called for a failed sync: the last lines may not survive a power failure. */
  readonly failed: (cause: unknown) => void
}

/** The manifests of one stream, open for appending until disposed of. */
export class Manifest implements AsyncDisposable {
  readonly #chain: Chain
  readonly #shared: SharedChain
  readonly #options: ManifestOptions

  private constructor(chain: Chain, shared: SharedChain, options: ManifestOptions) {
    this.#chain = chain
    this.#shared = shared
    this.#options = options
    chain.failed.add(options.failed)
  }

  /** Rejects if the folder can't be read. */
  static async open(options: ManifestOptions): Promise<Manifest> {
    const { store, stream, group } = options
    const folder = streamFolder(store, stream)
    const shared = shareChain(group, folder, stream)
    try {
      return new Manifest(await shared.opening, shared, options)
    } catch (cause) {
      forgetChain(group, folder, shared)
      throw cause
    }
  }

  /** Hash of the last line: what is signed. */
  get head(): string {
    return this.#chain.head
  }

  /** Appends one line; it is on the disk about a second later. Rejects if the disk refuses the write. */
  append(entry: ManifestEntry, hour: Hour): Promise<void> {
    return this.#chain.append(entry, hour)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { store, stream, group, failed } = this.#options
    this.#chain.failed.delete(failed)
    this.#shared.users--
    if (this.#shared.users > 0) return
    forgetChain(group, streamFolder(store, stream), this.#shared)
    await this.#chain.close()
  }
}
