import { setTimeout as sleep } from 'node:timers/promises'
import type { TrackConfig } from '../frame/index.ts'
import { readFragment, type Sample } from '../mux/index.ts'
import {
  DamagedPart,
  type IndexedPart,
  type SegmentHeader,
  type SegmentReader,
  type StreamKey,
  streamFolder,
  UnknownKey,
} from '../recording/index.ts'
import { type FootageAccess, SegmentWalk, type Unreadable } from './segment-walk.ts'

export interface PlaybackQuery extends FootageAccess {
  readonly store: string
  readonly stream: StreamKey
  /**
   * Milliseconds since 1970. Playback starts with the key picture at or before this time; in a gap, with what follows.
   * Where there are only recovery points, with the last one from which the picture at this time is whole.
   */
  readonly at: number
  /** Footage from then on isn't played, milliseconds since 1970. */
  readonly till?: number | undefined
  /** `keys`: only key pictures, each lasting until the next, for watching at high speed. `all` by default. */
  readonly pictures?: 'all' | 'keys'
  /**
   * For how long to wait at the end of the footage for more, milliseconds; 0 by default. A segment that is being written is
   * read up to its last whole part.
   */
  readonly waitMs?: number
}

/** A stretch of at most about a second, or one key picture. */
export interface PlayedPart {
  readonly kind: 'part'
  readonly runId: string
  /**
   * Decode time of the first picture, in ticks since the start of the run; continues across segments of the same run.
   */
  readonly time: number
  readonly duration: number
  /** Of the first picture, milliseconds since 1970. */
  readonly wallClock: number
  readonly isKey: boolean
  /**
   * Ticks from decoding to showing of the key picture before, 0 without B pictures: what is shown `delay` after `time` is
   * what was seen at `wallClock`.
   */
  readonly delay: number
  /** In decoding order, track by track; payload byte for byte as the camera sent it. */
  readonly samples: readonly Sample[]
}

export type PlaybackMessage =
  /** Before the first part, and when the tracks change. */
  | { readonly kind: 'tracks'; readonly tracks: readonly TrackConfig[] }
  | PlayedPart
  /** Nothing was recorded in between; milliseconds since 1970. */
  | { readonly kind: 'gap'; readonly from: number; readonly till: number }
  /** Footage that has changed since it was written or is encrypted, and what depends on it; it is left out. */
  | { readonly kind: 'damaged'; readonly from: number; readonly till: number; readonly cause: unknown }

const POLL_MS = 250
/** A smaller break between two parts is normal jitter of the camera, not missing footage. */
const GAP_MS = 1500
/** The same picture reaches two workers at times that differ by less. */
const SAME_MS = 100
/** Even a camera with a low frame rate sends one this often in a continuing run. */
const LONGEST_PICTURE_MS = 10_000
const TICKS_PER_MS = 90

/**
 * Plays one stream from a given time, as fast as the caller reads. Ends where the footage ends. Every part is checked
 * before it is returned. Rejects if the disk can't be read, and with {@link FootageAway} if S3 can't.
 */
export async function* openPlayback(query: PlaybackQuery): AsyncGenerator<PlaybackMessage, void, undefined> {
  await using playback = new Playback(query)
  const { till = Number.POSITIVE_INFINITY } = query
  for await (const message of playback.run()) {
    if (message.kind === 'part' && message.wallClock >= till) return
    if (message.kind !== 'gap') yield message
    else if (message.from < till) yield { ...message, till: Math.min(message.till, till) }
  }
}

/** A part that was found and not read yet. */
export interface FoundPart {
  readonly segment: SegmentReader
  readonly part: IndexedPart
  /** Until the next part of the segment begins, or as long as it says; ticks since time 0 of the segment. */
  readonly until: number
}

/**
 * The parts that {@link openPlayback} would play, without reading them. A segment is open until the next part is asked for.
 * Whether a part is intact isn't known.
 */
export async function* findParts(query: PlaybackQuery): AsyncGenerator<FoundPart, void, undefined> {
  await using playback = new Playback(query)
  yield* playback.find()
}

/** How far playback has come. */
interface Watched {
  readonly runId: string
  readonly segmentInRun: number
  readonly ticks: number
  readonly wallClock: number
}

class Playback implements AsyncDisposable {
  readonly #query: PlaybackQuery
  readonly #walk: SegmentWalk
  readonly #unreadable: Unreadable[] = []
  #segment: SegmentReader | undefined
  #index = 0
  #watched: Watched | undefined
  #tracks: string | undefined
  #delay = 0

  constructor(query: PlaybackQuery) {
    this.#query = query
    const folder = streamFolder(query.store, query.stream)
    this.#walk = new SegmentWalk(folder, query, (file) => this.#unreadable.push(file))
  }

  async *run(): AsyncGenerator<PlaybackMessage, void, undefined> {
    for (let found = await this.#findNext(); found; found = await this.#findNext()) {
      yield* this.#tellUnreadable()
      for (let part = await this.#nextPart(); part; part = await this.#nextPart()) yield* this.#play(part)
    }
    yield* this.#tellUnreadable()
  }

  async *find(): AsyncGenerator<FoundPart, void, undefined> {
    for (let found = await this.#findNext(); found; found = await this.#findNext()) {
      for (let at = await this.#nextPart(); at; at = await this.#nextPart()) {
        const segment = this.#segment as SegmentReader
        const { part } = at
        const until = untilWhen(part, at.next, segment.parts)
        yield { segment, part, until }
        this.#note(segment, until, part.wallClock + Math.round((until - part.time) / TICKS_PER_MS))
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#segment?.[Symbol.asyncDispose]()
  }

  *#tellUnreadable(): Generator<PlaybackMessage> {
    for (const { start, cause } of this.#unreadable.splice(0))
      yield { kind: 'damaged', from: start, till: start, cause }
  }

  /** Moves to the next footage, and waits for it if the query says so. False at the end. */
  async #findNext(): Promise<boolean> {
    const { signal, waitMs = 0 } = this.#query
    const waitUntil = performance.now() + waitMs
    while (signal?.aborted !== true) {
      if (await this.#advance()) return true
      if (performance.now() >= waitUntil) return false
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
    }
    return false
  }

  async #advance(): Promise<boolean> {
    const segment = this.#segment
    if (segment === undefined) {
      const first = await this.#walk.at(this.#query.at)
      if (first !== undefined) await this.#enterAt(first, this.#query.at)
      return first !== undefined
    }
    if ((await segment.refresh()) && this.#index < segment.parts.length) return true
    const next = await this.#walk.after(segment)
    if (next === undefined) return false
    // Its writer had finished the segment before it began the next: what is in it by now is all.
    if ((await segment.refresh()) && this.#index < segment.parts.length) {
      await next[Symbol.asyncDispose]()
      return true
    }
    await segment[Symbol.asyncDispose]()
    this.#enter(next, this.#beginOf(next))
    return true
  }

  async #enterAt(segment: SegmentReader, time: number): Promise<void> {
    const { parts, head } = segment
    const found = startFor(parts, time)
    if (found.index !== undefined) return this.#enter(segment, found.index)
    const before = await this.#walk.before(head.header.start)
    const start = before && isNextOf(segment, before) ? startFor(before.parts, time, found.pictures).index : undefined
    if (before === undefined || start === undefined) {
      await before?.[Symbol.asyncDispose]()
      return this.#enter(segment, 0)
    }
    await segment[Symbol.asyncDispose]()
    this.#enter(before, start)
  }

  #enter(segment: SegmentReader, index: number): void {
    this.#segment = segment
    this.#index = index
  }

  /** The next segment of a run is played whole; of another run what was not watched yet, from a key picture on. */
  #beginOf({ head, parts }: SegmentReader): number {
    const watched = this.#watched
    if (watched === undefined || head.header.runId === watched.runId || head.header.start >= watched.wallClock) return 0
    const begin = parts.findIndex((part) => part.isKey && part.wallClock >= watched.wallClock - SAME_MS)
    return begin === -1 ? parts.length : begin
  }

  async #nextPart(): Promise<{ part: IndexedPart; next: IndexedPart | undefined } | undefined> {
    const segment = this.#segment
    if (segment === undefined || this.#query.signal?.aborted === true) return undefined
    if (this.#index >= segment.parts.length && !(await segment.refresh())) return undefined
    const skips = this.#showsKeysOnly(segment)
    if (skips) this.#index = nextKey(segment.parts, this.#index)
    const part = segment.parts[this.#index]
    if (part === undefined) return undefined
    this.#index++
    const following = skips ? nextKey(segment.parts, this.#index) : this.#index
    return { part, next: segment.parts[following] }
  }

  /** Recovery points alone are no pictures. */
  #showsKeysOnly({ parts }: SegmentReader): boolean {
    return this.#query.pictures === 'keys' && !parts.some(({ recovery }) => recovery > 0)
  }

  async *#play({ part, next }: { part: IndexedPart; next: IndexedPart | undefined }): AsyncGenerator<PlaybackMessage> {
    const segment = this.#segment as SegmentReader
    const { header } = segment.head
    try {
      const payload = await segment.readPart(part)
      const place = { origin: header.baseTime, wallClockAtZero: part.wallClock - part.time / TICKS_PER_MS }
      const read = withRecovery(part, readFragment(payload, segment.head.tracks, place))
      const samples = this.#onClock(part, read)
      yield* this.#announce(segment, part)
      const until = untilWhen(part, next, segment.parts)
      yield {
        kind: 'part',
        runId: header.runId,
        time: header.baseTime + part.time,
        duration: until - part.time,
        wallClock: part.wallClock,
        isKey: part.isKey,
        delay: this.#delay,
        samples: lasting(this.#showsKeysOnly(segment) ? firstPicture(samples) : samples, header.baseTime + until),
      }
      this.#note(segment, until, part.wallClock + Math.round((until - part.time) / TICKS_PER_MS))
    } catch (cause) {
      if (!(cause instanceof DamagedPart || cause instanceof UnknownKey)) throw cause
      yield* this.#skipDamage(segment, part, cause)
    }
  }

  /**
   * The wall clock of a part is the arrival of its first picture. So the clock of pictures lags behind by the delay of
   * their key picture, and is the part's again when a key picture is shown.
   */
  #onClock(part: IndexedPart, samples: readonly Sample[]): readonly Sample[] {
    if (part.isKey) this.#delay = samples.find(({ unit }) => unit.kind === 'video')?.unit.compositionOffset ?? 0
    const delayMs = Math.round(this.#delay / TICKS_PER_MS)
    if (delayMs === 0) return samples
    return samples.map((sample) => ({
      ...sample,
      unit: { ...sample.unit, wallClock: sample.unit.wallClock - delayMs },
    }))
  }

  *#announce({ head }: SegmentReader, part: IndexedPart): Generator<PlaybackMessage> {
    const tracks = JSON.stringify(head.tracks, (_, value) => (value instanceof Uint8Array ? [...value] : value))
    if (tracks !== this.#tracks) yield { kind: 'tracks', tracks: head.tracks }
    this.#tracks = tracks
    const gap = this.#gapBefore(head.header, part)
    if (gap !== undefined) yield gap
  }

  #gapBefore(header: SegmentHeader, part: IndexedPart): PlaybackMessage | undefined {
    const watched = this.#watched
    const from = watched?.wallClock ?? this.#query.at
    const isJoined = watched?.runId === header.runId
    const hole = isJoined ? (header.baseTime + part.time - watched.ticks) / TICKS_PER_MS : part.wallClock - from
    const goesOn = isJoined && header.segmentInRun <= watched.segmentInRun + 1
    return hole > (goesOn ? LONGEST_PICTURE_MS : GAP_MS) ? { kind: 'gap', from, till: part.wallClock } : undefined
  }

  /** What follows a damaged part depends on it, up to the next key picture. */
  *#skipDamage(segment: SegmentReader, part: IndexedPart, cause: unknown): Generator<PlaybackMessage> {
    this.#index = nextKey(segment.parts, this.#index)
    const till = segment.parts[this.#index]?.wallClock ?? segment.endWallClock
    const last = segment.parts[this.#index - 1] ?? part
    this.#note(segment, last.time + last.duration, till)
    yield { kind: 'damaged', from: part.wallClock, till, cause }
  }

  #note({ head: { header } }: SegmentReader, ticks: number, wallClock: number): void {
    const { runId, segmentInRun, baseTime } = header
    this.#watched = { runId, segmentInRun, ticks: baseTime + ticks, wallClock }
  }
}

/**
 * The last key part from which the picture at that time is whole, or the first part if all are later. Without an index,
 * it is in a segment before; `pictures` are those in between.
 */
function startFor(
  parts: readonly IndexedPart[],
  time: number,
  picturesAfter?: number,
): { readonly index?: number; readonly pictures: number } {
  const at = parts.findLastIndex((part) => part.wallClock <= time)
  if (at === -1) return { index: 0, pictures: 0 }
  let pictures = picturesAfter === undefined ? 0 : picturesAfter + (parts[at]?.pictures ?? 0)
  for (let index = at; index >= 0; index--) {
    const part = parts[index]
    if (part?.isKey === true && part.recovery <= pictures) return { index, pictures }
    pictures += parts[index - 1]?.pictures ?? 0
  }
  return parts[0]?.isKey === true && parts[0].recovery > 0 ? { pictures } : { index: 0, pictures }
}

const isNextOf = ({ head: { header: next } }: SegmentReader, { head: { header } }: SegmentReader): boolean =>
  next.runId === header.runId && next.segmentInRun === header.segmentInRun + 1

/** Files don't say which of their sync samples are recovery points; their parts do. */
function withRecovery({ recovery }: IndexedPart, samples: readonly Sample[]): readonly Sample[] {
  const first = recovery === 0 ? -1 : samples.findIndex(({ unit }) => unit.kind === 'video')
  return first === -1 ? samples : samples.map((sample, at) => (at === first ? marked(sample, recovery) : sample))
}

const marked = (sample: Sample, recovery: number): Sample => ({ ...sample, unit: { ...sample.unit, recovery } })

function nextKey(parts: readonly IndexedPart[], from: number): number {
  const found = parts.findIndex((part, index) => index >= from && part.isKey)
  return found === -1 ? parts.length : found
}

/** A picture lasts until the next one, which a part doesn't know if it was written before that one arrived. */
function untilWhen(part: IndexedPart, next: IndexedPart | undefined, parts: readonly IndexedPart[]): number {
  const last = parts.at(-1) ?? part
  const end = part.time + part.duration
  const until = next?.time ?? Math.max(end, last.time + last.duration)
  return until - end > LONGEST_PICTURE_MS * TICKS_PER_MS ? end : until
}

const firstPicture = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter((sample) => sample.unit.kind === 'video').slice(0, 1)

/** The last picture lasts until `until`, ticks of the run. */
function lasting(samples: readonly Sample[], until: number): readonly Sample[] {
  const last = samples.findLastIndex((sample) => sample.unit.kind === 'video')
  return samples.map((sample, index) => (index === last ? { ...sample, duration: until - sample.unit.time } : sample))
}
