import { rm, statfs } from 'node:fs/promises'
import { DiskReserve } from './disk-reserve.ts'
import { eraseKeysOfEmptyDays, type KeyErasure } from './erased-keys.ts'
import { deleteRange } from './range-deletion.ts'
import { type DoomedSegment, removeSegments } from './removal.ts'
import { RetentionClock, type RetentionClockState } from './retention-clock.ts'
import type { DeletionReason, RunLog, StreamKey } from './run-log.ts'
import type { SegmentFiles } from './segment-file.ts'
import { HOUR_MS, segmentPath, streamFolder, toHour } from './segment-name.ts'
import type { KeyFinder } from './segment-reader.ts'
import { listStreams, StreamUsage, type Victim } from './stream-usage.ts'
import type { SyncGroup } from './sync-group.ts'
import type { TimeRange } from './time-range.ts'

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
  /** Opens encrypted segments of which only a part is deleted. */
  readonly keys?: KeyFinder
  /** Where segments are; on the disk alone by default. */
  readonly files?: SegmentFiles
  /** Called after footage of a stream was deleted. */
  readonly deleted?: (stream: StreamKey) => void
  readonly now: () => number
  /** Milliseconds that never jump; to know when `now` does. */
  readonly monotonic?: () => number
  /** How far another clock is ahead of `now`, in milliseconds. */
  readonly otherClockAheadMs?: () => number
}

export interface RetentionReport {
  readonly deletedSegments: number
  readonly deletedBytes: number
  /** What is left, on the disk and in S3. */
  readonly bytes: number
  /** Removed from the disk because S3 has them. */
  readonly movedSegments: number
  /** Age decides nothing while the clock is not to be trusted. */
  readonly clock: RetentionClockState
}

/**
 * Keeps footage below what the disk and the rules allow. If the disk has too little room, what S3 has leaves the disk first;
 * footage is deleted for space only once nothing of that is left. One for each store; call `sweep`
 * every few seconds.
 */
export interface StoreKeeper {
  /** Deletes whole segments, oldest first, never one that is being written. Rejects if the disk fails. */
  sweep(): Promise<RetentionReport>
  /**
   * Deletes a range that a user wants deleted and `findDenyReason` allows. Not at the same time as {@link sweep}.
   * @param by number of the user.
   */
  deleteRange(stream: StreamKey, range: TimeRange, by: string): Promise<void>
}

const FREE_SHARE = 0.07
const MAX_FREE_BYTES = 4 * 1024 ** 3
/** A quota leaves this newest footage of an account, however small it is. */
const KEPT_BY_QUOTA_MS = 15 * 60_000

export function storeKeeper(options: RetentionOptions): StoreKeeper {
  const usage = new Map<string, StreamUsage>()
  const clock = new RetentionClock({ monotonic: () => performance.now(), ...options })
  const reserve = new DiskReserve(options.store)
  /** Streams without keys of days that have no footage; none at first, because a crash may have left some. */
  const erased = new WeakSet<StreamUsage>()
  /** Folders of streams in which any day may have lost its footage; of the others the oldest do. */
  const unchecked = new Set<string>()
  let sweeps = 0
  const removeOldest = async (stream: StreamUsage, doomed: readonly Doomed[]) => {
    if (doomed.length === 0) return
    await removeSegments(doomed, { ...options, stream: stream.key, reserve, by: 'system' })
    for (const victim of doomed) stream.removed(victim, 'everywhere')
    options.deleted?.(stream.key)
    erased.delete(stream)
  }
  return {
    async sweep() {
      await look(usage, options.store)
      const streams = [...usage.values()]
      for (const stream of streams) await stream.refresh()
      const state = await clock.check(() => newestBefore(clock.startedAt, streams))
      if (streams.length === 0) return { deletedSegments: 0, deletedBytes: 0, movedSegments: 0, bytes: 0, clock: state }
      const total = streams.reduce((sum, stream) => sum + stream.bytes, 0)
      const onDisk = streams.reduce((sum, stream) => sum + stream.diskBytes, 0)
      const excess = onDisk - (await allowedBytes(options, onDisk))
      if (excess <= 0) await reserve.refill()
      const { chosen, moved } = await choose(streams, { options, excess, age: state, now: clock.judgedAt })
      const movedSegments = await removeFromDisk(moved, options)
      const own = [...chosen].filter(([stream]) => options.isOwn?.(stream.key) ?? true)
      for (const [stream, doomed] of own) await removeOldest(stream, doomed)
      const [checked] = own[sweeps++ % Math.max(own.length, 1)] ?? []
      if (checked !== undefined) unchecked.add(checked.folder)
      for (const [stream] of own) await eraseKeys(stream, { erased, unchecked }, options)
      const deleted = own.flatMap(([, doomed]) => doomed)
      const deletedBytes = deleted.reduce((sum, { bytes }) => sum + bytes, 0)
      return {
        deletedSegments: deleted.length,
        deletedBytes,
        movedSegments,
        bytes: total - deletedBytes,
        clock: state,
      }
    },

    async deleteRange(stream, range, by) {
      const folder = streamFolder(options.store, stream)
      const locks = options.locks?.(stream) ?? []
      await deleteRange(range, { ...options, stream, reserve, by, locks, keys: options.keys, files: options.files })
      // Its sizes are measured again.
      usage.delete(folder)
      unchecked.add(folder)
      options.deleted?.(stream)
    },
  }
}

interface KeyChecks {
  readonly erased: WeakSet<StreamUsage>
  readonly unchecked: Set<string>
}

async function eraseKeys(
  stream: StreamUsage,
  { erased, unchecked }: KeyChecks,
  options: RetentionOptions,
): Promise<void> {
  const { eraseKey } = options
  const reach = unchecked.has(stream.folder) ? 'all' : 'oldest'
  if (eraseKey === undefined || (reach === 'oldest' && erased.has(stream))) return
  if (!(await eraseKeysOfEmptyDays(stream.key, { ...options, eraseKey }, reach))) return
  erased.add(stream)
  unchecked.delete(stream.folder)
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

/** The end of the newest hour with footage that had ended by then. */
function newestBefore(time: number, streams: readonly StreamUsage[]): number | undefined {
  const hours = streams.map((stream) => stream.newestHourBefore(toHour(time))).filter((hour) => hour !== undefined)
  return hours.length === 0 ? undefined : (Math.max(...hours) + 1) * HOUR_MS
}

/** How much footage the limit and the disk leave room for. */
async function allowedBytes({ store, limitBytes, keepFreeBytes }: RetentionOptions, total: number): Promise<number> {
  const disk = await statfs(store)
  const keepFree = keepFreeBytes ?? Math.min(disk.blocks * disk.bsize * FREE_SHARE, MAX_FREE_BYTES)
  const room = total + disk.bavail * disk.bsize - keepFree
  return Math.min(limitBytes ?? Number.POSITIVE_INFINITY, room)
}

const meets = (lock: TimeRange, { name, end }: Victim): boolean => lock.start < end && name.start < lock.end

interface VictimChoice {
  readonly where: 'disk' | 'all'
  readonly isWanted: (victim: Victim) => boolean
  /** Ranges that must stay. */
  readonly locked: readonly TimeRange[]
}

/** The segments of one stream that may go, oldest first, one at a time. */
class VictimQueue {
  readonly stream: StreamUsage
  readonly #source: AsyncGenerator<Victim>
  readonly #isWanted: (victim: Victim) => boolean
  #head: Victim | undefined

  constructor(stream: StreamUsage, { where, isWanted, locked }: VictimChoice) {
    this.stream = stream
    this.#source = stream.victims(where)
    this.#isWanted = (victim) => isWanted(victim) && !locked.some((lock) => meets(lock, victim))
  }

  async peek(): Promise<Victim | undefined> {
    while (this.#head === undefined) {
      const { value, done } = await this.#source.next()
      if (done === true) return undefined
      if (this.#isWanted(value)) this.#head = value
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
  /** When that was judged. */
  readonly now: number
}

interface Doomed extends Victim, DoomedSegment {}

interface Chosen {
  readonly chosen: ReadonlyMap<StreamUsage, readonly Doomed[]>
  /** Leave the disk and stay in S3. */
  readonly moved: ReadonlyMap<StreamUsage, readonly Victim[]>
}

/**
 * Which segments go: all that are too old, then the oldest of each account that has more than its quota. Then, until the
 * disk has room enough, what S3 has leaves the disk, and last the oldest of any stream are deleted.
 */
async function choose(streams: readonly StreamUsage[], { options, excess, age, now }: Choice): Promise<Chosen> {
  const chosen = new Map<StreamUsage, Doomed[]>(streams.map((stream) => [stream, []]))
  const moved = new Map<StreamUsage, Victim[]>(streams.map((stream) => [stream, []]))
  const taken = new Set<string>()
  const locksOf = (stream: StreamUsage) => options.locks?.(stream.key) ?? []
  const all = streams.map((stream) => new VictimQueue(stream, { ...EVERY_SEGMENT, locked: locksOf(stream) }))
  let freed = 0
  const take = (queue: VictimQueue, victim: Victim, reason: DeletionReason): number => {
    chosen.get(queue.stream)?.push({ ...victim, start: victim.name.start, reason })
    return drop(queue, victim)
  }
  const drop = (queue: VictimQueue, victim: Victim): number => {
    taken.add(victim.name.segmentId)
    if (victim.isOnDisk) freed += victim.bytes
    queue.drop()
    return victim.bytes
  }
  for (const queue of age === 'trusted' ? all : []) {
    const maxAge = options.maxAgeMs?.(queue.stream.key)
    if (maxAge === undefined) continue
    const before = now - maxAge
    for (let next = await queue.peek(); next && next.end <= before; next = await queue.peek())
      take(queue, next, 'retention')
  }
  for (const [accountId, own] of Map.groupBy(all, ({ stream }) => stream.key.accountId)) {
    const quota = options.quotaBytes?.(accountId)
    if (quota === undefined) continue
    const held = own.reduce((sum, { stream }) => sum + stream.bytes - bytesOf(chosen.get(stream) ?? []), 0)
    const before = now - KEPT_BY_QUOTA_MS
    await takeOldest(own, held - quota, (queue, victim) =>
      victim.end <= before ? take(queue, victim, 'quota') : undefined,
    )
  }
  if (excess <= freed) return { chosen, moved }
  const isLeft = ({ name }: Victim) => !taken.has(name.segmentId)
  // A lock keeps footage, not its place.
  const copied = streams.map(
    (stream) => new VictimQueue(stream, { where: 'disk', isWanted: (v) => v.isInBucket && isLeft(v), locked: [] }),
  )
  await takeOldest(copied, excess - freed, (queue, victim) => {
    moved.get(queue.stream)?.push(victim)
    return drop(queue, victim)
  })
  const rest = streams.map(
    (stream) => new VictimQueue(stream, { where: 'disk', isWanted: isLeft, locked: locksOf(stream) }),
  )
  await takeOldest(rest, excess - freed, (queue, victim) => take(queue, victim, 'space'))
  return { chosen, moved }
}

const EVERY_SEGMENT = { where: 'all', isWanted: () => true } as const

/** Returns how many were removed; other keepers remove those of their own streams. */
async function removeFromDisk(moved: Chosen['moved'], { isOwn }: RetentionOptions): Promise<number> {
  let count = 0
  for (const [stream, segments] of moved) {
    if (isOwn?.(stream.key) === false) continue
    for (const segment of segments) {
      await rm(segmentPath(stream.folder, segment.name), { force: true })
      stream.removed(segment, 'disk')
      count++
    }
  }
  return count
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
