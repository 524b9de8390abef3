import { SlidingMinimum, TICKS_PER_SECOND } from '../frame/index.ts'
import type { KeyPicture } from '../hub/index.ts'
import type { StreamCounters } from '../source/index.ts'

/** What a camera's channel knows at a moment. All of it is counted anyway. */
export interface CameraSample {
  readonly received: Pick<StreamCounters, 'bytes' | 'droppedPictures' | 'packets'>
  /** Bytes that wait for the recorder. */
  readonly bufferBytes: number
  /** The last keyframe of the main stream. */
  readonly latest: KeyPicture | undefined
}

/** What happened in one stretch of time; undefined latencies: too few keyframes came. */
export interface StatisticsBucket {
  readonly bytes: number
  readonly dropped: number
  readonly latencyMs: number | undefined
  readonly maxLatencyMs: number | undefined
  readonly bufferBytes: number
}

const TICKS_PER_MS = TICKS_PER_SECOND / 1000

/** Sums samples of one camera to buckets. */
export class CameraSampler {
  #before: CameraSample['received'] | undefined
  #last: CameraSample['received'] | undefined
  #earliest = new SlidingMinimum()
  #key: KeyPicture['unit'] | undefined
  #latencies: number[] = []
  #bufferBytes = 0

  add({ received, bufferBytes, latest }: CameraSample): void {
    this.#before ??= received
    this.#last = received
    this.#bufferBytes = Math.max(this.#bufferBytes, bufferBytes)
    if (latest !== undefined) this.#addKey(latest.unit)
  }

  /** How late a keyframe came is known by the earliest ones of the last minute. */
  #addKey(unit: KeyPicture['unit']): void {
    if (unit === this.#key) return
    // A new run counts its times from its own start.
    if (this.#key !== undefined && unit.time < this.#key.time) this.#earliest = new SlidingMinimum()
    this.#key = unit
    const distance = unit.wallClock - unit.time / TICKS_PER_MS
    const least = this.#earliest.value
    this.#earliest.add(distance, unit.wallClock)
    if (least !== undefined) this.#latencies.push(Math.max(0, distance - least))
  }

  /** What was added since the last call; undefined if nothing arrived. */
  take(): StatisticsBucket | undefined {
    const [before, last] = [this.#before, this.#last]
    const latencies = this.#latencies
    const bufferBytes = this.#bufferBytes
    this.#before = last
    this.#latencies = []
    this.#bufferBytes = 0
    if (before === undefined || last === undefined || last.packets === before.packets) return undefined
    const isKnown = latencies.length > 0
    return {
      bytes: last.bytes - before.bytes,
      dropped: last.droppedPictures - before.droppedPictures,
      latencyMs: isKnown ? latencies.reduce((sum, one) => sum + one, 0) / latencies.length : undefined,
      maxLatencyMs: isKnown ? Math.max(...latencies) : undefined,
      bufferBytes,
    }
  }
}
