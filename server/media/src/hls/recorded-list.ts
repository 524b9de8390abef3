import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { initSegment, type PlacedTrack, placeFragment } from '../mux/index.ts'
import { type FootageAccess, type FoundPart, findParts } from '../playback/index.ts'
import { DamagedPart, type IndexedPart, SegmentReader, type StreamKey, UnknownKey } from '../recording/index.ts'
import { type ListedSegment, type PieceAddresses, segmentHead, segmentLines } from './playlist-text.ts'

export interface RecordedQuery extends FootageAccess {
  readonly store: string
  readonly stream: StreamKey
  /** Milliseconds since 1970. The list begins with the key picture at or before it. */
  readonly from: number
  /** Undefined: the list grows as footage is recorded. */
  readonly till: number | undefined
  readonly sound: 'allowed' | 'withheld'
}

/** Footage as HLS: where each of its pieces is on the disk, and none of them read. */
export interface RecordedList {
  /** Lists what was recorded since the last call. */
  extend(now: number): Promise<void>
  readonly isEmpty: boolean
  /** Whether its end is past, and its newest footage may still be missing. */
  endsSoon(now: number): boolean
  /** Of the first segment. */
  readonly tracks: readonly TrackConfig[]
  playlist(addresses: PieceAddresses): string
  init(map: number): Uint8Array | undefined
  /** Undefined for a number that isn't listed. Footage that is damaged is left out. @throws if it was deleted meanwhile */
  segment(number: number): AsyncGenerator<Uint8Array, void, undefined> | undefined
}

/** Parts that follow each other in one file. */
interface Span {
  readonly path: string
  readonly first: number
  count: number
}

interface RecordedSegment extends ListedSegment {
  readonly spans: Span[]
  /** Ticks of the run at which its stretch of footage begins: sound before it belongs to nothing. */
  readonly soundFrom: number
  duration: number
}

/** Minimum length of a segment before a key picture ends it. */
const MIN_SEGMENT = 4 * TICKS_PER_SECOND
/** Maximum length of a segment, even without a key picture. */
const MAX_SEGMENT = 8 * TICKS_PER_SECOND
/** Parts are of about a second; a camera with few pictures may need longer for one. */
const TARGET_SECONDS = 10
/** Smaller differences between the end of a part and the next are rounding. */
const HOLE = 1.5 * TICKS_PER_SECOND
/** Parts are of about a second, and are written and listed soon after. */
const LATE_MS = 6000
/** Listing requires disk reads. */
const LIST_EVERY_MS = 1000

export const recordedList = (query: RecordedQuery): RecordedList => new List(query)

interface Formats {
  readonly map: number
  readonly places: readonly (PlacedTrack | undefined)[]
}

class List implements RecordedList {
  readonly #query: RecordedQuery
  readonly #segments: RecordedSegment[] = []
  readonly #maps: (readonly TrackConfig[])[] = []
  readonly #formats = new Map<string, Formats>()
  #last:
    | { readonly runId: string; readonly time: number; readonly until: number; readonly wallClock: number }
    | undefined
  #isComplete = false
  /** A playlist never changes its type (RFC 8216 §6.2.1): one that began as EVENT only gets an end. */
  #type: 'VOD' | 'EVENT' | undefined
  #listedAt = Number.NEGATIVE_INFINITY
  #extending: Promise<void> | undefined

  constructor(query: RecordedQuery) {
    this.#query = query
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0
  }

  endsSoon(now: number): boolean {
    const { till } = this.#query
    return !this.#isComplete && till !== undefined && till <= now
  }

  get tracks(): readonly TrackConfig[] {
    return this.#maps[0] ?? []
  }

  extend(now: number): Promise<void> {
    if (this.#isComplete || now - this.#listedAt < LIST_EVERY_MS) return this.#extending ?? Promise.resolve()
    this.#listedAt = now
    this.#extending ??= this.#list(now).finally(() => {
      this.#extending = undefined
    })
    return this.#extending
  }

  init(map: number): Uint8Array | undefined {
    const tracks = this.#maps[map]
    return tracks && initSegment(tracks)
  }

  segment(number: number): AsyncGenerator<Uint8Array, void, undefined> | undefined {
    const segment = this.#segments[number]
    return segment && this.#read(segment)
  }

  playlist(addresses: PieceAddresses): string {
    this.#type ??= this.#isComplete ? 'VOD' : 'EVENT'
    // The last one of a growing list may not be whole.
    const listed = this.#isComplete ? this.#segments : this.#segments.slice(0, -1)
    const longest = Math.max(TARGET_SECONDS, ...longestOf(listed))
    const lines = listed.flatMap((segment, index) => [
      ...segmentHead(segment, listed[index - 1], addresses),
      ...segmentLines(segment, addresses),
    ])
    const header = [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${longest}`,
      `#EXT-X-PLAYLIST-TYPE:${this.#type}`,
      '#EXT-X-MEDIA-SEQUENCE:0',
    ]
    return `${[...header, ...lines, ...(this.#isComplete ? ['#EXT-X-ENDLIST'] : [])].join('\n')}\n`
  }

  async #list(now: number): Promise<void> {
    const { till, from } = this.#query
    let isPast = till !== undefined && now > till + LATE_MS
    for await (const found of findParts({ ...this.#query, at: this.#last?.wallClock ?? from })) {
      if (till !== undefined && found.part.wallClock >= till) {
        isPast = true
        break
      }
      if (this.#isNew(found)) this.#add(found)
    }
    this.#isComplete = isPast
  }

  /** Listing begins again with the key picture before the last part. */
  #isNew({ segment, part }: FoundPart): boolean {
    const { runId, baseTime } = segment.head.header
    if (this.#last === undefined) return true
    if (runId === this.#last.runId) return baseTime + part.time > this.#last.time
    return part.wallClock > this.#last.wallClock
  }

  #add({ segment, part, until }: FoundPart): void {
    const { runId, baseTime } = segment.head.header
    const { map, places } = this.#formatsOf(segment.head.tracks)
    if (!places.some((placed) => placed?.isSound === false)) return
    const time = baseTime + part.time
    const current = this.#segments.at(-1)
    const isContinued = this.#isContinued({ runId, time, map })
    const index = segment.parts.indexOf(part)
    const duration = baseTime + until - time
    const isEnd = (current?.duration ?? 0) >= (part.isKey ? MIN_SEGMENT : MAX_SEGMENT)
    if (current === undefined || !isContinued || isEnd) {
      this.#segments.push({
        number: this.#segments.length,
        spans: [{ path: segment.path, first: index, count: 1 }],
        duration,
        map,
        isDiscontinuous: current !== undefined && !isContinued,
        soundFrom: isContinued ? (current?.soundFrom ?? time) : time,
        wallClock: part.wallClock,
      })
    } else {
      current.duration += duration
      const span = current.spans.at(-1)
      if (span?.path === segment.path && span.first + span.count === index) span.count++
      else current.spans.push({ path: segment.path, first: index, count: 1 })
    }
    this.#last = { runId, time, until: baseTime + until, wallClock: part.wallClock }
  }

  #isContinued({ runId, time, map }: { readonly runId: string; readonly time: number; readonly map: number }): boolean {
    return this.#last?.runId === runId && time - this.#last.until < HOLE && this.#segments.at(-1)?.map === map
  }

  #formatsOf(tracks: readonly TrackConfig[]): Formats {
    const key = JSON.stringify(tracks, (_, value) => (value instanceof Uint8Array ? [...value] : value))
    const known = this.#formats.get(key)
    if (known !== undefined) return known
    const video = tracks.findIndex(({ kind }) => kind === 'video')
    const audio = this.#query.sound === 'allowed' ? tracks.findIndex(isPlayable) : -1
    const places = tracks.map((_, index) => {
      if (index === video) return { track: 0, format: 1, isSound: false }
      return index === audio ? { track: 1, format: 1, isSound: true } : undefined
    })
    const formats = { map: this.#maps.length, places }
    this.#maps.push([tracks[video], tracks[audio]].filter((track) => track !== undefined))
    this.#formats.set(key, formats)
    return formats
  }

  async *#read({ spans, map, soundFrom }: RecordedSegment): AsyncGenerator<Uint8Array, void, undefined> {
    const { keys, files, signal } = this.#query
    const places = [...this.#formats.values()].find((formats) => formats.map === map)?.places ?? []
    let isBroken = false
    for (const { path, first, count } of spans) {
      await using segment = await SegmentReader.open(path, keys, files, signal)
      for (const part of segment.parts.slice(first, first + count)) {
        if (isBroken && !part.isKey) continue
        const payload = await intact(segment, part)
        isBroken = payload === undefined
        if (payload === undefined) continue
        const { baseTime, segmentInRun } = segment.head.header
        const trackOf = (track: number) => places[track]
        const placement = {
          sequence: segmentInRun + 1,
          shift: baseTime,
          soundFrom,
          trackOf,
          leftOut: 'erased',
        } as const
        yield* placeFragment(payload, placement, false)
      }
    }
  }
}

async function intact(segment: SegmentReader, part: IndexedPart): Promise<Uint8Array | undefined> {
  try {
    return await segment.readPart(part)
  } catch (cause) {
    if (cause instanceof DamagedPart || cause instanceof UnknownKey) return undefined
    throw cause
  }
}

/** Sound that players of MP4 know. */
const isPlayable = ({ codec }: TrackConfig): boolean => codec === 'aac' || codec === 'opus'

/** The rounded seconds of the longest, if there is one. */
function longestOf(segments: readonly RecordedSegment[]): readonly number[] {
  const ticks = segments.reduce((longest, { duration }) => Math.max(longest, duration), 0)
  return ticks === 0 ? [] : [Math.round(ticks / TICKS_PER_SECOND)]
}
