import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '@sightline/platform/limits'
import { type ObjectStore, ObjectStoreError } from '@sightline/platform/object-store'
import { readBucketList } from './bucket-list.ts'
import { ReadAhead, ReadAheadBudget } from './read-ahead.ts'
import type { SegmentFile, SegmentFiles } from './segment-file.ts'
import { parsePath } from './segment-name.ts'

/** S3 doesn't answer or isn't set up; later it may. */
export class FootageAway extends Error {
  override readonly name = 'FootageAway'
}

export interface BucketFilesOptions {
  /** Folder of all footage. */
  readonly store: string
  /** Undefined if S3 isn't set up here (any more): what only S3 has is away. */
  readonly objects: Pick<ObjectStore, 'read'> | undefined
  readonly disk: SegmentFiles
  /** Pauses before a range is requested again, milliseconds; then the footage counts as away. */
  readonly retryAfterMs?: readonly number[]
  /** No new attempt after so long, milliseconds: a server that accepts requests and doesn't answer costs ten seconds each. */
  readonly giveUpAfterMs?: number
  /** What all readers together may have read ahead. */
  readonly aheadBytes?: number
}

/** Ranges that are read at a time: viewers of S3 wait for each other, not for the disk, and memory stays bounded. */
const CONCURRENT_READS = 6
const RETRY_AFTER_MS = [500, 1000, 2000, 4000, 7500]
const GIVE_UP_AFTER_MS = 15_000
/** For heads and indexes, which are read again and again, and the parts that several viewers watch. */
const CACHE_BYTES = 16 * 2 ** 20
const MAX_CACHED_BYTES = 2 * 2 ** 20
const AHEAD_BYTES = 32 * 2 ** 20

/** Segments on the disk, and in S3 those that only S3 has any more. Reading rejects with {@link FootageAway}. */
export function bucketFiles(options: BucketFilesOptions): SegmentFiles {
  const ranges = new Ranges(options)
  const budget = new ReadAheadBudget(options.aheadBytes ?? AHEAD_BYTES)
  return {
    async open(path, signal) {
      try {
        return await options.disk.open(path)
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
        const bytes = await sizeInBucket(path)
        if (bytes === undefined) throw cause
        return objectFile(ranges, budget, { name: relative(options.store, path), bytes, signal })
      }
    },
  }
}

async function sizeInBucket(path: string): Promise<number | undefined> {
  const place = parsePath(path)
  return place && (await readBucketList(place.stream, place.hour)).get(place.name.segmentId)?.bytes
}

interface Segment {
  readonly name: string
  readonly bytes: number
  readonly signal: AbortSignal | undefined
}

function objectFile(ranges: Ranges, budget: ReadAheadBudget, segment: Segment): SegmentFile {
  const ahead = new ReadAhead(
    {
      bytes: segment.bytes,
      read: (start, end) => ranges.request(segment, start, end),
      tryRead: (start, end, signal) => ranges.tryRead(segment, { start, end, signal }),
    },
    budget,
  )
  return {
    size: async () => segment.bytes,
    async read(position, length) {
      const end = Math.min(position + length, segment.bytes)
      if (position >= end) return new Uint8Array()
      const range = `${segment.name} ${position}-${end}`
      const bytes = await ahead.read(position, end, ranges.cached(range))
      ranges.keep(range, bytes)
      return bytes
    },
    [Symbol.asyncDispose]: async () => ahead[Symbol.dispose](),
  }
}

class Ranges {
  readonly #options: BucketFilesOptions
  readonly #requests = createSemaphore<'bucket'>({
    overall: { concurrency: CONCURRENT_READS, queue: Number.POSITIVE_INFINITY },
  })
  /** The most recently used last. */
  readonly #cache = new Map<string, Uint8Array>()
  #cachedBytes = 0

  constructor(options: BucketFilesOptions) {
    this.#options = options
  }

  cached(range: string): Uint8Array | undefined {
    return this.#cache.get(range)
  }

  async request({ name, signal }: Segment, start: number, end: number): Promise<Uint8Array> {
    const { objects } = this.#options
    if (objects === undefined) throw new FootageAway(`${name} is only in S3, and no bucket is set`)
    return await this.#request(() => objects.read(name, { start, end }), signal)
  }

  /** One attempt; undefined if it fails. */
  async tryRead(
    { name }: Segment,
    { start, end, signal }: { readonly start: number; readonly end: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array | undefined> {
    const { objects } = this.#options
    if (objects === undefined) return undefined
    const read = () => (signal.aborted ? UNWANTED : attempt(() => objects.read(name, { start, end, signal })))
    const outcome = await this.#requests.run('bucket', read)
    return outcome.ok && outcome.value instanceof Uint8Array && outcome.value.length > 0 ? outcome.value : undefined
  }

  async #request(read: () => Promise<Uint8Array>, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { retryAfterMs: pauses = RETRY_AFTER_MS, giveUpAfterMs = GIVE_UP_AFTER_MS } = this.#options
    const deadline = performance.now() + giveUpAfterMs
    for (let tries = 0; ; tries++) {
      // The viewer may be gone by the time that it is their turn.
      const outcome = await this.#requests.run('bucket', () => (signal?.aborted === true ? UNWANTED : attempt(read)))
      if (!outcome.ok) throw new Error('a queue without a bound was full')
      if (outcome.value instanceof Uint8Array) return outcome.value
      const pause = pauses[tries]
      if (pause === undefined || signal?.aborted === true || performance.now() > deadline)
        throw new FootageAway(`footage in S3 can't be read: ${outcome.value.message}`, { cause: outcome.value })
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }

  keep(range: string, bytes: Uint8Array): void {
    if (bytes.length === 0 || bytes.length > MAX_CACHED_BYTES) return
    if (this.#cache.delete(range)) this.#cachedBytes -= bytes.length
    this.#cache.set(range, bytes)
    this.#cachedBytes += bytes.length
    for (const [oldest, { length }] of this.#cache) {
      if (this.#cachedBytes <= CACHE_BYTES) break
      this.#cache.delete(oldest)
      this.#cachedBytes -= length
    }
  }
}

const UNWANTED = Promise.resolve(new ObjectStoreError('no one waits for it any more'))

/** Nothing if S3 doesn't have the object, as if the file were cut off. */
async function attempt(read: () => Promise<Uint8Array>): Promise<Uint8Array | ObjectStoreError> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof ObjectStoreError)) throw cause
    return cause.isMissing ? new Uint8Array() : cause
  }
}
