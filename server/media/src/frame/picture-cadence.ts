import type { AccessUnit } from './index.ts'

/** The usual distance is the median of so many: it follows a camera that changes its rate after half of them. */
const KEPT_DISTANCES = 15
const KEPT_GOPS = 8
const TICKS_PER_MS = 90
const MIN_HOLE_MS = 2000
const MIN_SILENCE_MS = 5000
const DISTANCES_IN_A_HOLE = 3
const GOPS_IN_SILENCE = 1.5
/** Some cameras send one key picture and no other: their silence is noticed all the same. */
const MAX_GOP_MS = 40_000
/** Of a camera whose rate isn't known yet. Slower ones are not recorded. */
const FIRST_SILENCE_MS = 15_000

/** How often a camera sends pictures and key pictures, learned from its pictures, and what is too long for it. */
export class PictureCadence {
  #distances: number[] = []
  #gops: number[] = []
  #distanceCount = 0
  #gopCount = 0
  #last: number | undefined
  #keyTime: number | undefined

  /** Milliseconds between two pictures; undefined until there were two. */
  get usualDistance(): number | undefined {
    return this.#distances.toSorted((a, b) => a - b)[this.#distances.length >> 1]
  }

  /** Pictures further apart than this, in milliseconds, have something missing between them. */
  get holeLimit(): number {
    return Math.max(MIN_HOLE_MS, DISTANCES_IN_A_HOLE * (this.usualDistance ?? 0))
  }

  /** A camera without a picture for longer than this, in milliseconds, isn't alive. */
  get silenceLimit(): number {
    const distance = this.usualDistance
    if (distance === undefined) return FIRST_SILENCE_MS
    const running = this.#keyTime === undefined ? 0 : ((this.#last ?? 0) - this.#keyTime) / TICKS_PER_MS
    const gop = Math.min(MAX_GOP_MS, Math.max(running, ...this.#gops))
    return Math.max(MIN_SILENCE_MS, DISTANCES_IN_A_HOLE * distance, GOPS_IN_SILENCE * gop)
  }

  /** The next picture in decoding order. True if something is missing before it. */
  add({ time, isKey }: Pick<AccessUnit, 'time' | 'isKey'>): boolean {
    const distance = this.#last === undefined ? undefined : (time - this.#last) / TICKS_PER_MS
    const isHole = distance !== undefined && distance > MIN_HOLE_MS && distance > this.holeLimit
    if (distance !== undefined) this.#distances[this.#distanceCount++ % KEPT_DISTANCES] = distance
    if (isHole) this.#keyTime = undefined
    if (isKey) {
      if (this.#keyTime !== undefined) this.#gops[this.#gopCount++ % KEPT_GOPS] = (time - this.#keyTime) / TICKS_PER_MS
      this.#keyTime = time
    }
    this.#last = time
    return isHole
  }

  /** The time starts again with the next picture. What is known of the camera stays. */
  restart(): void {
    this.#last = undefined
    this.#keyTime = undefined
  }

  /** The camera is another one now. */
  forget(): void {
    this.restart()
    this.#distances = []
    this.#gops = []
    this.#distanceCount = 0
    this.#gopCount = 0
  }
}
