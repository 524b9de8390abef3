import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DiskReserve } from './disk-reserve.ts'
import { eraseKeysOfEmptyDays, type KeyErasure } from './erased-keys.ts'
import { isSegmentEntry, Manifest, readManifest, type SegmentEntry, type Tombstone } from './manifest.ts'
import type { DeletedRange, RunLog, StreamKey, StreamName } from './run-log.ts'
import { listEntries, listHours, listSegments } from './segment-files.ts'
import { HOUR_MS, type Hour, hourFolder, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'
import type { SyncGroup } from './sync-group.ts'

export interface RetentionOptions {
  readonly store: string
  /** All footage on this disk together; undefined for no limit. */
  readonly limitBytes?: number | undefined
  /**
   * Disk space kept free for other uses. By default 7 %, so that usage stays below 95 % (R6), but at most 4 GiB: a
   * large disk filled by other data shouldn't cost footage.
   */
  readonly keepFreeBytes?: number
  /** How old footage of a stream may grow; undefined for any age. */
  readonly maxAgeMs?: (stream: StreamKey) => number | undefined
  /** Ranges that must stay, however old and however full the disk. */
  readonly locks?: (stream: StreamKey) => Promise<readonly { start: number; end: number }[]>
  /** Whether this keeper may delete from a stream; all of them count for the limit. */
  readonly isOwn?: (stream: StreamKey) => boolean
  readonly group: SyncGroup
  readonly runs: RunLog
  /** Erases the copy of a camera's key that isn't beside the footage; undefined if nothing is encrypted. */
  readonly eraseKey?: KeyErasure['eraseKey']
  readonly now: () => number
  /** Milliseconds that never jump; to know when `now` does. */
  readonly monotonic?: () => number
}

export interface RetentionReport {
  readonly deletedSegments: number
  readonly deletedBytes: number
  /** What is left. */
  readonly bytes: number
  /** Age decides nothing while the clock is not to be trusted. */
  readonly clock: 'trusted' | 'jumped'
}

/** Keeps footage below what the disk and the rules allow. One for each store; call `sweep` every few seconds. */
export interface StoreKeeper {
  /** Deletes whole segments, oldest first, never one that is being written. Rejects if the disk fails. */
  sweep(): Promise<RetentionReport>
}

const FREE_SHARE = 0.07
const MAX_FREE_BYTES = 4 * 1024 ** 3
const CLOCK_JUMP_MS = HOUR_MS
/** Hours in which footage may still be added; older ones change by our own deletions only. */
const FRESH_HOURS = 2
/** Segments at the end of a stream that make no room: the one being written, and the one before it, which may be closing. */
const KEPT_AT_END = 2

interface Victim {
  readonly name: SegmentName
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly end: number
  /** Of its line in the manifest; empty if it has none. */
  readonly sha256: string
  /** Whether it is one of the newest of its stream. */
  readonly isAtEnd: boolean
}

/** Assumed for a segment that no manifest knows. */
const USUAL_SEGMENT_MS = 60_000

/** The size of one stream, hour by hour. */
class StreamUsage {
  readonly key: StreamKey
  readonly folder: string
  readonly #hours = new Map<Hour, number>()

  constructor(store: string, key: StreamKey) {
    this.key = key
    this.folder = streamFolder(store, key)
  }

  get bytes(): number {
    return [...this.#hours.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Reads the hours that may have changed again; all of them the first time. */
  async refresh(): Promise<void> {
    const newest = Math.max(...this.#hours.keys(), 0)
    for await (const hour of listHours(this.folder, newest - FRESH_HOURS)) {
      const files = await sizesIn(hourFolder(this.folder, hour))
      this.#hours.set(
        hour,
        files.reduce((sum, bytes) => sum + bytes, 0),
      )
    }
  }

  /** Its segments, oldest first. */
  async *victims(): AsyncGenerator<Victim> {
    let ahead: SegmentName[] = []
    const lines = new Map<string, SegmentEntry>()
    for (const hour of [...this.#hours.keys()].sort((a, b) => a - b)) {
      if (this.#hours.get(hour) === 0) continue
      for (const line of await linesOf(this.folder, hour)) lines.set(line.segmentId, line)
      ahead = [...ahead, ...(await listSegments(this.folder, hour))]
      while (ahead.length > KEPT_AT_END) yield* this.#victim(ahead, lines)
    }
    while (ahead.length > 0) yield* this.#victim(ahead, lines)
  }

  /** The first of the segments ahead, unless it is gone. */
  async *#victim(ahead: SegmentName[], lines: ReadonlyMap<string, SegmentEntry>): AsyncGenerator<Victim> {
    const isAtEnd = ahead.length <= KEPT_AT_END
    const name = ahead.shift()
    if (name === undefined) return
    const bytes = await sizeOf(segmentPath(this.folder, name))
    const line = lines.get(name.segmentId)
    const end = line?.end ?? Math.min(name.start + USUAL_SEGMENT_MS, ahead[0]?.start ?? Number.POSITIVE_INFINITY)
    if (bytes !== undefined) yield { name, bytes, end, sha256: line?.sha256 ?? '', isAtEnd }
  }

  removed({ name, bytes }: Victim): void {
    const hour = toHour(name.start)
    this.#hours.set(hour, Math.max((this.#hours.get(hour) ?? 0) - bytes, 0))
  }
}

async function linesOf(folder: string, hour: Hour): Promise<readonly SegmentEntry[]> {
  return (await readManifest(folder, hour)).map(({ entry }) => entry).filter(isSegmentEntry)
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`could not read ${path}`, { cause })
  }
}

async function sizesIn(folder: string): Promise<readonly number[]> {
  const names = (await listEntries(folder)).filter((name) => name.endsWith('.seg'))
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  return sizes.filter((size) => size !== undefined)
}

const isStream = (name: string): name is StreamName => name === 'main' || name === 'sub'
const isId = (name: string): boolean => /^\d{1,16}$/.test(name)

/** Every stream that has a folder. */
export async function listStreams(store: string): Promise<readonly StreamKey[]> {
  const found: StreamKey[] = []
  for (const account of (await listEntries(store)).filter(isId)) {
    for (const camera of (await listEntries(join(store, account))).filter(isId)) {
      const streams = (await readdir(join(store, account, camera))).filter(isStream)
      found.push(...streams.map((stream) => ({ accountId: Number(account), cameraId: Number(camera), stream })))
    }
  }
  return found
}

export function storeKeeper(options: RetentionOptions): StoreKeeper {
  const usage = new Map<string, StreamUsage>()
  const clock = clockGuard(options.now, options.monotonic ?? (() => performance.now()))
  const reserve = new DiskReserve(options.store)
  /** Streams without keys of days that have no footage; none at first, because a crash may have left some. */
  const erased = new WeakSet<StreamUsage>()
  return {
    async sweep() {
      await look(usage, options.store)
      const streams = [...usage.values()]
      const state = clock()
      if (streams.length === 0) return { deletedSegments: 0, deletedBytes: 0, bytes: 0, clock: state }
      for (const stream of streams) await stream.refresh()
      const total = streams.reduce((sum, stream) => sum + stream.bytes, 0)
      const excess = total - (await allowedBytes(options, total))
      if (excess <= 0) await reserve.refill()
      const chosen = await choose(streams, { options, excess, age: state })
      const own = [...chosen].filter(([stream]) => options.isOwn?.(stream.key) ?? true)
      for (const [stream, victims] of own) {
        await remove(stream, victims, { ...options, reserve })
        if (victims.length > 0) erased.delete(stream)
      }
      for (const [stream] of own) await eraseKeys(stream, erased, options)
      const deleted = own.flatMap(([, victims]) => victims)
      const deletedBytes = deleted.reduce((sum, { bytes }) => sum + bytes, 0)
      return { deletedSegments: deleted.length, deletedBytes, bytes: total - deletedBytes, clock: state }
    },
  }
}

async function eraseKeys(stream: StreamUsage, erased: WeakSet<StreamUsage>, options: RetentionOptions): Promise<void> {
  const { eraseKey } = options
  if (eraseKey === undefined || erased.has(stream)) return
  if (await eraseKeysOfEmptyDays(stream.key, { ...options, eraseKey })) erased.add(stream)
}

/** Streams that were added, and those that were removed completely, of an erased account. */
async function look(usage: Map<string, StreamUsage>, store: string): Promise<void> {
  const present = new Set<string>()
  for (const key of await listStreams(store)) {
    const folder = streamFolder(store, key)
    present.add(folder)
    if (!usage.has(folder)) usage.set(folder, new StreamUsage(store, key))
  }
  for (const folder of [...usage.keys()]) if (!present.has(folder)) usage.delete(folder)
}

/** Whether the wall clock still agrees with the monotonic one. It is trusted again after it was corrected. */
function clockGuard(now: () => number, monotonic: () => number): () => RetentionReport['clock'] {
  const offset = now() - monotonic()
  return () => (Math.abs(now() - monotonic() - offset) > CLOCK_JUMP_MS ? 'jumped' : 'trusted')
}

/** How much footage the limit and the disk leave room for. */
async function allowedBytes({ store, limitBytes, keepFreeBytes }: RetentionOptions, total: number): Promise<number> {
  const disk = await statfs(store)
  const keepFree = keepFreeBytes ?? Math.min(disk.blocks * disk.bsize * FREE_SHARE, MAX_FREE_BYTES)
  const room = total + disk.bavail * disk.bsize - keepFree
  return Math.min(limitBytes ?? Number.POSITIVE_INFINITY, room)
}

/** The segments of one stream that may go, oldest first, one at a time. */
class VictimQueue {
  readonly stream: StreamUsage
  readonly #source: AsyncGenerator<Victim>
  readonly #locks: () => Promise<readonly { start: number; end: number }[]>
  #locked: readonly { start: number; end: number }[] | undefined
  #head: Victim | undefined

  constructor(stream: StreamUsage, options: RetentionOptions) {
    this.stream = stream
    this.#source = stream.victims()
    this.#locks = async () => (await options.locks?.(stream.key)) ?? []
  }

  async peek(): Promise<Victim | undefined> {
    this.#locked ??= await this.#locks()
    while (this.#head === undefined) {
      const { value, done } = await this.#source.next()
      if (done === true) return undefined
      if (!this.#locked.some((lock) => lock.start < value.end && value.name.start < lock.end)) this.#head = value
    }
    return this.#head
  }

  /** The one that {@link peek} showed. */
  drop(): void {
    this.#head = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return(undefined)
  }
}

interface Choice {
  readonly options: RetentionOptions
  readonly excess: number
  readonly age: RetentionReport['clock']
}

type Chosen = ReadonlyMap<StreamUsage, readonly Victim[]>

/** Which segments go: all that are too old, then the oldest of any stream until there is room enough. */
async function choose(streams: readonly StreamUsage[], { options, excess, age }: Choice): Promise<Chosen> {
  const chosen = new Map<StreamUsage, Victim[]>(streams.map((stream) => [stream, []]))
  const queues = streams.map((stream) => new VictimQueue(stream, options))
  let toFree = excess
  const take = (queue: VictimQueue, victim: Victim) => {
    chosen.get(queue.stream)?.push(victim)
    toFree -= victim.bytes
    queue.drop()
  }
  for (const queue of age === 'trusted' ? queues : []) {
    const maxAge = options.maxAgeMs?.(queue.stream.key)
    if (maxAge === undefined) continue
    const before = options.now() - maxAge
    for (let next = await queue.peek(); next && next.end <= before; next = await queue.peek()) take(queue, next)
  }
  while (toFree > 0) {
    const heads = await Promise.all(queues.map(async (queue) => ({ queue, next: spare(await queue.peek()) })))
    const oldest = heads.reduce((a, b) => ((b.next?.name.start ?? NEVER) < (a.next?.name.start ?? NEVER) ? b : a))
    if (oldest.next === undefined) break
    take(oldest.queue, oldest.next)
  }
  return chosen
}

/** A stream's last segments go only by age: one that is being written is never that old. */
const spare = (victim: Victim | undefined): Victim | undefined => (victim?.isAtEnd === true ? undefined : victim)

const NEVER = Number.POSITIVE_INFINITY

/** The tombstones are on the disk before a file is deleted, so that no deletion is without its line. */
async function remove(
  stream: StreamUsage,
  victims: readonly Victim[],
  options: RetentionOptions & { readonly reserve: DiskReserve },
): Promise<void> {
  if (victims.length === 0) return
  const { store, group, runs, now, reserve } = options
  let failure: unknown
  await using manifest = await Manifest.open({ store, stream: stream.key, group, failed: (cause) => (failure = cause) })
  for (const { name, sha256 } of victims) {
    const tombstone = { segmentId: name.segmentId, reason: 'retention', by: 'system', at: now(), sha256 } as const
    await write(tombstone, { manifest, hour: toHour(now()), reserve })
  }
  await group.flush()
  if (failure !== undefined)
    throw new Error(`could not write tombstones of ${stream.folder} to disk`, { cause: failure })
  for (const victim of victims) {
    await rm(segmentPath(stream.folder, victim.name), { force: true })
    stream.removed(victim)
  }
  runs.deleted(stream.key, rangesOf(victims))
}

/** If the disk has no space even for this line, the reserve frees some. */
async function write(
  tombstone: Tombstone,
  { manifest, hour, reserve }: { manifest: Manifest; hour: Hour; reserve: DiskReserve },
): Promise<void> {
  for (;;) {
    try {
      return await manifest.append(tombstone, hour)
    } catch (cause) {
      if (!(await reserve.release())) throw cause
    }
  }
}

/** Segments that follow each other make one range. */
function rangesOf(victims: readonly Victim[]): readonly DeletedRange[] {
  const ranges: DeletedRange[] = []
  for (const { name, end, bytes } of victims) {
    const last = ranges.at(-1)
    if (last !== undefined && Math.abs(name.start - last.end) <= ADJOINING_MS) {
      ranges[ranges.length - 1] = { start: last.start, end, bytes: last.bytes + bytes }
    } else {
      ranges.push({ start: name.start, end, bytes })
    }
  }
  return ranges
}

const ADJOINING_MS = 1000
