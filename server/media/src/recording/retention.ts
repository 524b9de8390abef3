import { rm, statfs } from 'node:fs/promises'
import { DiskReserve } from './disk-reserve.ts'
import { eraseKeysOfEmptyDays, type KeyErasure } from './erased-keys.ts'
import { Manifest, type Tombstone } from './manifest.ts'
import type { DeletedRange, DeletionReason, RunLog, StreamKey } from './run-log.ts'
import { HOUR_MS, type Hour, segmentPath, streamFolder, toHour } from './segment-name.ts'
import { listStreams, StreamUsage, type Victim } from './stream-usage.ts'
import type { SyncGroup } from './sync-group.ts'

/** A span of time, milliseconds since 1970. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

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
  /** How much footage an account may have; undefined for no limit. */
  readonly quotaBytes?: (accountId: number) => number | undefined
  /** Ranges that must stay, however old, and however full the account or the disk. */
  readonly locks?: (stream: StreamKey) => readonly TimeRange[]
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
/** A quota leaves this newest footage of an account, however small it is. */
const KEPT_BY_QUOTA_MS = 15 * 60_000

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
      for (const [stream, doomed] of own) {
        await remove(stream, doomed, { ...options, reserve })
        if (doomed.length > 0) erased.delete(stream)
      }
      for (const [stream] of own) await eraseKeys(stream, erased, options)
      const deleted = own.flatMap(([, doomed]) => doomed)
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
  readonly #locked: readonly TimeRange[]
  #head: Victim | undefined

  constructor(stream: StreamUsage, options: RetentionOptions) {
    this.stream = stream
    this.#source = stream.victims()
    this.#locked = options.locks?.(stream.key) ?? []
  }

  async peek(): Promise<Victim | undefined> {
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

interface Doomed extends Victim {
  readonly reason: DeletionReason
}

type Chosen = ReadonlyMap<StreamUsage, readonly Doomed[]>

/**
 * Which segments go: all that are too old, then the oldest of each account that has more than its quota, then the oldest
 * of any stream until there is room enough.
 */
async function choose(streams: readonly StreamUsage[], { options, excess, age }: Choice): Promise<Chosen> {
  const chosen = new Map<StreamUsage, Doomed[]>(streams.map((stream) => [stream, []]))
  const queues = streams.map((stream) => new VictimQueue(stream, options))
  const take = (queue: VictimQueue, victim: Victim, reason: DeletionReason): number => {
    chosen.get(queue.stream)?.push({ ...victim, reason })
    queue.drop()
    return victim.bytes
  }
  let freed = 0
  for (const queue of age === 'trusted' ? queues : []) {
    const maxAge = options.maxAgeMs?.(queue.stream.key)
    if (maxAge === undefined) continue
    const before = options.now() - maxAge
    for (let next = await queue.peek(); next && next.end <= before; next = await queue.peek())
      freed += take(queue, next, 'retention')
  }
  const ofAccounts = Map.groupBy(queues, ({ stream }) => stream.key.accountId)
  for (const [accountId, own] of ofAccounts) {
    const quota = options.quotaBytes?.(accountId)
    if (quota === undefined) continue
    const held = own.reduce((sum, { stream }) => sum + stream.bytes - bytesOf(chosen.get(stream) ?? []), 0)
    const before = options.now() - KEPT_BY_QUOTA_MS
    freed += await takeOldest(own, held - quota, (queue, victim) =>
      victim.end <= before ? take(queue, victim, 'quota') : undefined,
    )
  }
  await takeOldest(queues, excess - freed, (queue, victim) => take(queue, victim, 'space'))
  return chosen
}

/** Takes the oldest of several streams until so many bytes are free, or `take` refuses. Returns the bytes. */
async function takeOldest(
  queues: readonly VictimQueue[],
  bytes: number,
  take: (queue: VictimQueue, victim: Victim) => number | undefined,
): Promise<number> {
  let freed = 0
  while (freed < bytes) {
    const heads = await Promise.all(queues.map(async (queue) => ({ queue, next: spare(await queue.peek()) })))
    const oldest = heads.reduce((a, b) => ((b.next?.name.start ?? NEVER) < (a.next?.name.start ?? NEVER) ? b : a))
    const taken = oldest.next && take(oldest.queue, oldest.next)
    if (taken === undefined) break
    freed += taken
  }
  return freed
}

const bytesOf = (victims: readonly Victim[]): number => victims.reduce((sum, { bytes }) => sum + bytes, 0)

/** A stream's last segments go only by age: one that is being written is never that old. */
const spare = (victim: Victim | undefined): Victim | undefined => (victim?.isAtEnd === true ? undefined : victim)

const NEVER = Number.POSITIVE_INFINITY

/** The tombstones are on the disk before a file is deleted, so that no deletion is without its line. */
async function remove(
  stream: StreamUsage,
  doomed: readonly Doomed[],
  options: RetentionOptions & { readonly reserve: DiskReserve },
): Promise<void> {
  if (doomed.length === 0) return
  const { store, group, runs, now, reserve } = options
  let failure: unknown
  await using manifest = await Manifest.open({ store, stream: stream.key, group, failed: (cause) => (failure = cause) })
  for (const { name, sha256, reason } of doomed) {
    const tombstone = { segmentId: name.segmentId, reason, by: 'system', at: now(), sha256 } as const
    await write(tombstone, { manifest, hour: toHour(now()), reserve })
  }
  await group.flush()
  if (failure !== undefined)
    throw new Error(`could not write tombstones of ${stream.folder} to disk`, { cause: failure })
  for (const victim of doomed) {
    await rm(segmentPath(stream.folder, victim.name), { force: true })
    stream.removed(victim)
  }
  runs.deleted(stream.key, rangesOf(doomed))
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
function rangesOf(doomed: readonly Doomed[]): readonly DeletedRange[] {
  const ranges: DeletedRange[] = []
  for (const { name, end, bytes, reason } of doomed) {
    const last = ranges.at(-1)
    if (last?.reason === reason && Math.abs(name.start - last.end) <= ADJOINING_MS) {
      ranges[ranges.length - 1] = { ...last, end, bytes: last.bytes + bytes }
    } else {
      ranges.push({ reason, start: name.start, end, bytes })
    }
  }
  return ranges
}

const ADJOINING_MS = 1000
