import type { RunEnd, RunLog, RunSlice, StreamKey } from './run-log.ts'
import { HOUR_MS, toHour } from './segment-name.ts'

/** The minimum interval between reports of growth. */
const TELL_EVERY_MS = 5000

/** What was written: one part. */
export interface WrittenPart {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** Without a picture it is sound, which makes no footage longer. */
  readonly hasPicture: boolean
}

/** One run as the log sees it: cut into slices at the hours (UTC), growth reported in batches. */
export class RunTracker {
  readonly runId: string
  readonly #log: RunLog
  #slice: RunSlice | undefined
  #toldAt = 0
  readonly #stream: StreamKey
  readonly #kind: RunSlice['kind']

  constructor(log: RunLog, run: StreamKey & Pick<RunSlice, 'runId' | 'kind'>) {
    const { accountId, cameraId, stream, runId, kind } = run
    this.#log = log
    this.runId = runId
    this.#kind = kind
    this.#stream = { accountId, cameraId, stream }
  }

  /** Whether anything was written that hasn't been reported as ended. */
  get hasFootage(): boolean {
    return this.#slice !== undefined
  }

  /** A part is in the file. It belongs to the hour it begins in. Returns the slice with it. */
  wrote(part: WrittenPart): RunSlice {
    const slice = this.#slice
    if (slice === undefined) return this.#begin(part)
    if (toHour(part.start) === toHour(slice.start)) return this.#grow(slice, part)
    // The slices adjoin: nothing is missing between them.
    this.#log.runEnded({ ...slice, end: part.start }, undefined)
    return this.#begin(part)
  }

  /** Footage stops here. If the run continues later, what follows is another slice of it. */
  ended(why: RunEnd): void {
    if (this.#slice !== undefined) this.#log.runEnded(this.#slice, why)
    this.#slice = undefined
  }

  #grow(slice: RunSlice, part: WrittenPart): RunSlice {
    const grown = {
      ...slice,
      end: part.hasPicture ? Math.max(slice.end, part.end) : slice.end,
      bytes: slice.bytes + part.bytes,
      parts: slice.parts + 1,
    }
    this.#slice = grown
    if (part.end - this.#toldAt < TELL_EVERY_MS) return grown
    this.#toldAt = part.end
    this.#log.runGrew(grown)
    return grown
  }

  #begin({ start, end, bytes }: WrittenPart): RunSlice {
    const begun = { ...this.#stream, runId: this.runId, kind: this.#kind, start, end, bytes, parts: 1 }
    this.#slice = begun
    this.#toldAt = end
    this.#log.runStarted(begun)
    return begun
  }
}

/** Cuts a stretch at the hours; bytes and parts are shared out by time, exactly in sum. */
export function sliceByHour(slice: RunSlice): readonly RunSlice[] {
  const slices: RunSlice[] = []
  const length = Math.max(slice.end - slice.start, 1)
  let bytes = 0
  let parts = 0
  for (let start = slice.start; start < slice.end || slices.length === 0; ) {
    const end = Math.min((toHour(start) + 1) * HOUR_MS, slice.end)
    const share = (end - slice.start) / length
    const upTo = { bytes: Math.round(slice.bytes * share), parts: Math.round(slice.parts * share) }
    slices.push({ ...slice, start, end, bytes: upTo.bytes - bytes, parts: upTo.parts - parts })
    bytes = upTo.bytes
    parts = upTo.parts
    start = end
    if (end >= slice.end) break
  }
  return slices
}
