import { TICKS_PER_SECOND } from '../../frame/index.ts'

const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** A step beyond these is a camera whose clock was set, not the distance of two pictures. */
const MAX_STEP_SECONDS = 10
const MAX_BACK_SECONDS = 1

/**
 * Turns 32-bit RTP timestamps of one track into ticks of the run that neither wrap nor jump. The conversion of the
 * clock rate is done on the whole sum, so that it is exact for ever.
 */
export class RtpClock {
  readonly #rate: number
  /** Where this track's first timestamp lies in the run, in ticks. */
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

  /** Moves all that follows by so many ticks, to bring sound and picture together. */
  shift(ticks: number): void {
    this.#origin += ticks
  }

  /** Time in the run. `arrival` is a monotonic clock in milliseconds; it is used only where the timestamps jump. */
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
