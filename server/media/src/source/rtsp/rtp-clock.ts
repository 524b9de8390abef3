import { TICKS_PER_SECOND } from '../../frame/index.ts'

const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** A larger step means that the camera's clock was set; it isn't the interval between two pictures. */
const MAX_STEP_SECONDS = 10
const MAX_BACK_SECONDS = 1

/**
 * Converts 32-bit RTP timestamps of one track to ticks of the run that neither wrap nor jump. The clock rate is
 * converted on the whole sum, so that it stays exact.
 */
export class RtpClock {
  readonly #rate: number
  /** The position of this track's first timestamp in the run, in ticks. */
  #origin = 0
  #elapsed = 0
  #lastTimestamp: number | undefined
  #lastArrival = 0
  /** How often the camera's clock jumped and was bridged by our own. */
  jumps = 0

  constructor(rate: number) {
    this.#rate = rate
  }

  get isStarted(): boolean {
    return this.#lastTimestamp !== undefined
  }

  /** Lays `timestamp` at `ticks` of the run. */
  start(timestamp: number, ticks: number, arrival: number): void {
    this.#origin = ticks
    this.#elapsed = 0
    this.#lastTimestamp = timestamp
    this.#lastArrival = arrival
  }

  /** Shifts everything that follows by that many ticks, to align sound and picture. */
  shift(ticks: number): void {
    this.#origin += ticks
  }

  /** Time in the run. `arrival` is a monotonic clock in milliseconds; it is used only if the timestamps jump. */
  advance(timestamp: number, arrival: number): number {
    const step = (timestamp - (this.#lastTimestamp ?? timestamp)) | 0
    if (step > MAX_STEP_SECONDS * this.#rate || step < -MAX_BACK_SECONDS * this.#rate) {
      this.jumps++
      this.#elapsed += Math.max(1, Math.round(((arrival - this.#lastArrival) * this.#rate) / 1000))
    } else {
      this.#elapsed += step
    }
    this.#lastTimestamp = timestamp
    this.#lastArrival = arrival
    return this.#origin + this.#toTicks(this.#elapsed)
  }

  /** Ticks of the run at a timestamp near the last one, without moving on. */
  at(timestamp: number): number {
    return this.#origin + this.#toTicks(this.#elapsed + ((timestamp - (this.#lastTimestamp ?? timestamp)) | 0))
  }

  #toTicks(count: number): number {
    if (this.#rate === TICKS_PER_SECOND) return count
    const seconds = Math.floor(count / this.#rate)
    return seconds * TICKS_PER_SECOND + Math.floor(((count - seconds * this.#rate) * TICKS_PER_SECOND) / this.#rate)
  }
}

export const msToTicks = (ms: number): number => Math.round(ms * TICKS_PER_MS)
