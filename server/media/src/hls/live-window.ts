import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { MemoryBudget, MemoryHolder } from '../hub/index.ts'
import { initSegment } from '../mux/index.ts'
import {
  type ListedSegment,
  type NamedPart,
  type PieceAddresses,
  partLine,
  segmentHead,
  segmentLines,
} from './playlist-text.ts'

export interface LivePart extends NamedPart {
  /** moof and mdat. */
  readonly bytes: Uint8Array
}

interface LiveSegment extends Omit<ListedSegment, 'duration'> {
  readonly parts: LivePart[]
}

/** Most seconds of a part; a shorter one is only the last of its segment, or of a camera with few pictures. */
export const PART_SECONDS = 0.5
/** Most seconds of a segment, rounded (EXT-X-TARGETDURATION), which may not change while a playlist lives. */
export const SEGMENT_SECONDS = 4
/** What a playlist names: players stay three target durations behind. */
const LISTED_SECONDS = 24
/** No longer listed, but kept for players with a slightly older playlist (RFC 8216 §6.2.2). */
const KEPT_SECONDS = 36
/** A camera whose pictures are larger keeps less. */
const MAX_BYTES = 48 * 1024 * 1024
/** Only the newest segments are named part by part. */
const SEGMENTS_WITH_PARTS = 3

const ticksOf = ({ parts }: LiveSegment): number => parts.reduce((sum, { duration }) => sum + duration, 0)
const bytesOf = ({ parts }: LiveSegment): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** The newest segments of a live stream, each a list of parts. The last one grows. */
export class LiveWindow implements MemoryHolder {
  readonly rank = 'viewer'
  readonly #budget: MemoryBudget
  #segments: LiveSegment[] = []
  readonly #inits = new Map<number, Uint8Array>()
  #bytes = 0
  #nextNumber = 0
  #map = -1
  /** Discontinuities of segments that are no longer listed. */
  #pastBreaks = 0
  #breaks = false
  #isOpen = false
  readonly #waiting = new Set<() => void>()

  constructor(budget: MemoryBudget) {
    this.#budget = budget
    budget.join(this)
  }

  get heldBytes(): number {
    return this.#bytes
  }

  /** Memory is low: drops what most players have already read. */
  release(): void {
    this.#drop(this.#segments.length - (this.#isOpen ? 1 : 0))
  }

  /** What follows has different tracks, or its times restart. */
  announce(tracks: readonly TrackConfig[]): void {
    this.close()
    this.#map++
    this.#inits.set(this.#map, initSegment(tracks))
    this.break()
  }

  /** What follows doesn't continue what was before. */
  break(): void {
    this.close()
    this.#breaks = this.#nextNumber > 0
  }

  /** The picture at this time begins a segment. */
  begin(wallClock: number): void {
    this.close()
    const isDiscontinuous = this.#breaks
    this.#segments.push({ number: this.#nextNumber++, parts: [], map: this.#map, isDiscontinuous, wallClock })
    this.#breaks = false
    this.#isOpen = true
  }

  add(part: LivePart): void {
    this.#segments.at(-1)?.parts.push(part)
    this.#bytes += part.bytes.length
    this.#budget.count(part.bytes.length)
    this.#wake()
  }

  /** The segment is whole. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#segments.at(-1)?.parts.length === 0) {
      this.#breaks ||= this.#segments.pop()?.isDiscontinuous === true
      this.#nextNumber--
    }
    this.#cut()
    this.#wake()
  }

  /** Forgets all pictures. */
  clear(): void {
    this.break()
    this.#drop(this.#segments.length)
  }

  init(map: number): Uint8Array | undefined {
    return this.#inits.get(map)
  }

  /** Undefined until it is complete, and after it is removed. */
  segment(number: number): readonly Uint8Array[] | undefined {
    if (!this.has({ segment: number })) return undefined
    return this.#find(number)?.parts.map(({ bytes }) => bytes)
  }

  part(number: number, part: number): Uint8Array | undefined {
    return this.#find(number)?.parts[part]?.bytes
  }

  /** Whether a segment is whole, or has that part, or is past. */
  has({ segment, part }: { readonly segment: number; readonly part?: number | undefined }): boolean {
    const open = this.#isOpen ? this.#segments.at(-1) : undefined
    if (segment < (open?.number ?? this.#nextNumber)) return true
    return segment === open?.number && part !== undefined && part < open.parts.length
  }

  /** Whether anybody could ask for it soon: what is further ahead is a mistake (draft-pantos-hls-rfc8216bis §6.2.5.2). */
  isNear(segment: number): boolean {
    return segment <= this.#nextNumber + 1
  }

  get isEmpty(): boolean {
    return this.#segments.every(({ parts }) => parts.length === 0)
  }

  get hasWhole(): boolean {
    return this.#segments.length > (this.#isOpen ? 1 : 0)
  }

  /** Resolves once the condition holds or the signal aborts. */
  async until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    while (!condition() && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      this.#waiting.delete(resolve)
    }
  }

  /** @param latency `low`: parts are named, and players may ask for what isn't there yet. */
  playlist(addresses: PieceAddresses, latency: 'low' | 'usual'): string {
    const listed = this.#listed()
    const isLow = latency === 'low'
    const withParts = new Set(isLow ? this.#segments.slice(-SEGMENTS_WITH_PARTS) : [])
    const lines = listed.flatMap((segment, index) => {
      const isWhole = !(this.#isOpen && segment === this.#segments.at(-1))
      if (!isWhole && (!isLow || segment.parts.length === 0)) return []
      return [
        ...segmentHead(segment, listed[index - 1], addresses),
        ...(withParts.has(segment) ? partLines(segment, addresses) : []),
        ...(isWhole ? segmentLines({ number: segment.number, duration: ticksOf(segment) }, addresses) : []),
      ]
    })
    return `${[...this.#header(listed, isLow), ...lines, ...(isLow ? [this.#hint(addresses)] : [])].join('\n')}\n`
  }

  /** Wakes all waiters for the last time. */
  [Symbol.dispose](): void {
    this.clear()
    this.#budget.leave(this)
    this.#wake()
  }

  #header(listed: readonly LiveSegment[], isLow: boolean): readonly string[] {
    const dropped = this.#segments.slice(0, this.#segments.length - listed.length)
    const breaks = this.#pastBreaks + dropped.filter(({ isDiscontinuous }) => isDiscontinuous).length
    return [
      '#EXTM3U',
      `#EXT-X-VERSION:${isLow ? 9 : 7}`,
      `#EXT-X-TARGETDURATION:${SEGMENT_SECONDS}`,
      ...(isLow
        ? [
            `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${PART_SECONDS * 3}`,
            `#EXT-X-PART-INF:PART-TARGET=${PART_SECONDS}`,
          ]
        : []),
      `#EXT-X-MEDIA-SEQUENCE:${listed[0]?.number ?? this.#nextNumber}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${breaks}`,
    ]
  }

  #hint({ part }: PieceAddresses): string {
    const open = this.#isOpen ? this.#segments.at(-1) : undefined
    const address = open === undefined ? part(this.#nextNumber, 0) : part(open.number, open.parts.length)
    return `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${address}"`
  }

  #listed(): readonly LiveSegment[] {
    let ticks = 0
    const from = this.#segments.findLastIndex((segment) => {
      ticks += ticksOf(segment)
      return ticks > LISTED_SECONDS * TICKS_PER_SECOND
    })
    return this.#segments.slice(from + 1)
  }

  #find(number: number): LiveSegment | undefined {
    return this.#segments.find((segment) => segment.number === number)
  }

  #cut(): void {
    let ticks = this.#segments.reduce((sum, segment) => sum + ticksOf(segment), 0)
    let bytes = this.#bytes
    let count = 0
    for (const segment of this.#segments.slice(0, -1)) {
      if (ticks <= KEPT_SECONDS * TICKS_PER_SECOND && bytes <= MAX_BYTES) break
      ticks -= ticksOf(segment)
      bytes -= bytesOf(segment)
      count++
    }
    this.#drop(count)
  }

  #drop(count: number): void {
    const dropped = this.#segments.splice(0, count)
    const bytes = dropped.reduce((sum, segment) => sum + bytesOf(segment), 0)
    this.#pastBreaks += dropped.filter(({ isDiscontinuous }) => isDiscontinuous).length
    this.#bytes -= bytes
    this.#budget.count(-bytes)
    const oldest = this.#segments[0]?.map ?? this.#map
    for (const map of this.#inits.keys()) if (map < oldest) this.#inits.delete(map)
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
  }
}

/** Parts longer than the announced maximum are left out: players read the whole segment. */
const partLines = ({ number, parts }: LiveSegment, { part }: PieceAddresses): readonly string[] =>
  parts.some(({ duration }) => duration > PART_SECONDS * TICKS_PER_SECOND)
    ? []
    : parts.map((each, index) => partLine(each, part(number, index)))
