import { COLUMNS, countDifferences, ROWS } from './blocks.ts'

/** Pictures are compared about once a second: a clock has changed then. */
const STEP_MS = 950
/** The first comparisons show what changes all the time. */
const FIRST_STEPS = 3
/** Comparisons that are remembered, one bit each. */
const KEPT_STEPS = 32
/** A block that changed in so many of them is left out … */
const MASKED_FROM = 28
/** … until it changed in fewer than this. */
const MASKED_UNTIL = 8
/** Brightness levels. */
const PIXEL_LEVELS = 10
/** The digit of a clock is small. */
const MIN_PIXELS = 2
/** A clock's minutes and hours change rarely: blocks beside what changes every second belong to it too. */
const BESIDE = 5
/** A larger area that changes all the time is no clock, so nothing beside it is left out. */
const MAX_CLOCK_BLOCKS = 16

/** Finds blocks that change every second whatever happens: burnt-in clocks, counters, screens, water. */
export class BlockHistory {
  readonly mask = new Uint8Array(COLUMNS * ROWS)
  readonly #bits = new Uint32Array(COLUMNS * ROWS)
  readonly #always = new Uint8Array(COLUMNS * ROWS)
  #before: Uint8Array | undefined
  #at = 0
  #steps = 0

  /** Whether there were enough pictures to know what changes all the time. */
  get isReady(): boolean {
    return this.#steps >= FIRST_STEPS
  }

  /** The next picture; `at` in milliseconds since 1970. */
  add(at: number, pixels: Uint8Array): void {
    const before = this.#before
    if (before !== undefined && at >= this.#at && at - this.#at < STEP_MS) return
    this.#before = pixels
    this.#at = at
    if (before === undefined) return
    const counts = countDifferences(pixels, before, { levels: PIXEL_LEVELS })
    this.#steps = Math.min(this.#steps + 1, KEPT_STEPS)
    for (let block = 0; block < counts.length; block++) {
      const bits = (((this.#bits[block] ?? 0) << 1) | ((counts[block] ?? 0) >= MIN_PIXELS ? 1 : 0)) >>> 0
      this.#bits[block] = bits
      const times = countBits(bits)
      if (times >= Math.min(this.#steps, MASKED_FROM)) this.#always[block] = 1
      else if (times < Math.min(this.#steps, MASKED_UNTIL)) this.#always[block] = 0
    }
    this.#draw()
  }

  #draw(): void {
    this.mask.fill(0)
    let count = 0
    for (const value of this.#always) count += value
    const beside = count <= MAX_CLOCK_BLOCKS ? BESIDE : 0
    for (let block = 0; block < this.#always.length; block++) {
      if (this.#always[block] !== 1) continue
      const [column, row] = [block % COLUMNS, Math.floor(block / COLUMNS)]
      const last = Math.min(COLUMNS - 1, column + beside)
      for (let x = Math.max(0, column - beside); x <= last; x++) this.mask[row * COLUMNS + x] = 1
    }
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
