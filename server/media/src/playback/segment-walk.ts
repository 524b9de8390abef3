import {
  diskFiles,
  type Hour,
  hoursBack,
  type KeyFinder,
  listHours,
  listSegments,
  NotASegment,
  type ReadQueue,
  type SegmentFiles,
  type SegmentName,
  SegmentReader,
  segmentPath,
  toHour,
  UnknownKey,
} from '../recording/index.ts'
import { readAtOnce } from './read-queue.ts'

/** A file that should contain footage but doesn't. */
export interface Unreadable {
  readonly path: string
  readonly start: number
  readonly cause: unknown
}

/** Segments whose starts are this far apart are not read as consecutive; a run has no such hole. */
const JOIN_MS = 2000
/**
 * At most this many segments that begin before a given time are opened to find one that contains it; more overlap only
 * after clock jumps.
 */
const LOOK_BACK = 4

const isAfter = (a: SegmentName, b: SegmentName): boolean =>
  a.start > b.start ||
  (a.start === b.start && (a.fence > b.fence || (a.fence === b.fence && a.segmentId > b.segmentId)))

/** With what a stream is read. */
export interface FootageAccess {
  /** Opens encrypted footage. */
  readonly keys?: KeyFinder | undefined
  /** Where segments are; by default on the disk alone, read by way of `reads`. */
  readonly files?: SegmentFiles | undefined
  /** The queue for what is listed on the disk; without one, reads start immediately. */
  readonly reads?: ReadQueue
  /** Ends waiting for footage that is elsewhere. */
  readonly signal?: AbortSignal
}

/** Finds the segments of one stream in playback order. It keeps no file open: callers close the readers they get. */
export class SegmentWalk {
  readonly #folder: string
  readonly #access: FootageAccess
  readonly #reads: ReadQueue
  readonly #files: SegmentFiles
  readonly #onUnreadable: (file: Unreadable) => void

  constructor(folder: string, access: FootageAccess, onUnreadable: (file: Unreadable) => void) {
    this.#folder = folder
    this.#access = access
    this.#reads = access.reads ?? readAtOnce
    this.#files = access.files ?? diskFiles(this.#reads)
    this.#onUnreadable = onUnreadable
  }

  /** The segment at that time, or the first that begins after it. */
  async at(time: number): Promise<SegmentReader | undefined> {
    let looked = 0
    for await (const name of this.#back(time)) {
      const segment = await this.#open(name)
      if (segment !== undefined && segment.endWallClock > time) return segment
      await segment?.[Symbol.asyncDispose]()
      if (++looked === LOOK_BACK) break
    }
    for await (const name of this.#from(time)) {
      const segment = name.start > time ? await this.#open(name) : undefined
      if (segment !== undefined) return segment
    }
    return undefined
  }

  /**
   * What comes after a segment: the next one of its run, or the first that continues beyond what was watched. If two
   * writers or a clock set back left two recordings of the same time, the other is not played again.
   */
  async after(segment: SegmentReader): Promise<SegmentReader | undefined> {
    const { header } = segment.head
    const until = segment.endWallClock
    let other: SegmentReader | undefined
    for await (const name of this.#from(header.start)) {
      if (!isAfter(name, header)) continue
      if (other !== undefined && name.start > until + JOIN_MS) break
      const next = await this.#open(name)
      if (next?.head.header.runId === header.runId) {
        await other?.[Symbol.asyncDispose]()
        return next
      }
      if (next !== undefined && other === undefined && next.endWallClock > until) other = next
      else await next?.[Symbol.asyncDispose]()
    }
    return other
  }

  /** The last one that begins before the given start. */
  async before(start: number): Promise<SegmentReader | undefined> {
    for await (const name of this.#back(start - 1)) {
      const segment = await this.#open(name)
      if (segment !== undefined && segment.parts.length > 0) return segment
      await segment?.[Symbol.asyncDispose]()
    }
    return undefined
  }

  async *#back(time: number): AsyncGenerator<SegmentName> {
    for await (const hour of this.#queued(hoursBack(this.#folder, toHour(time)))) {
      for (const name of (await this.#list(hour)).toReversed()) if (name.start <= time) yield name
    }
  }

  async *#from(time: number): AsyncGenerator<SegmentName> {
    for await (const hour of this.#queued(listHours(this.#folder, toHour(time)))) {
      for (const name of await this.#list(hour)) if (name.start >= time) yield name
    }
  }

  #list(hour: Hour): Promise<readonly SegmentName[]> {
    return this.#reads(() => listSegments(this.#folder, hour))
  }

  async *#queued(hours: AsyncGenerator<Hour>): AsyncGenerator<Hour> {
    for (let next = await this.#reads(() => hours.next()); next.done !== true; ) {
      yield next.value
      next = await this.#reads(() => hours.next())
    }
  }

  /** Undefined if the file was deleted meanwhile, or is damaged, which is reported. */
  async #open(name: SegmentName): Promise<SegmentReader | undefined> {
    const path = segmentPath(this.#folder, name)
    const { keys, signal } = this.#access
    try {
      return await SegmentReader.open(path, keys, this.#files, signal)
    } catch (cause) {
      if (cause instanceof NotASegment || cause instanceof UnknownKey)
        this.#onUnreadable({ path, start: name.start, cause })
      else if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      return undefined
    }
  }
}
