import { type G711Codec, g711Values } from './g711.ts'

/** A loud sound from its first to its last moment, milliseconds since 1970. */
export type LoudnessTransition =
  | { readonly kind: 'begins'; readonly at: number }
  | { readonly kind: 'ends'; readonly at: number }

/** Samples of 8 kHz that are measured together: a fifth of a second. */
const WINDOW = 1600
/** So many windows in a row are needed: a click is over before. */
const WINDOWS_TO_BEGIN = 2
/** Once it is loud, so much less keeps it going. */
const HYSTERESIS_DB = 6
/** It ends after so long without anything loud. */
const QUIET_MS = 5000

/** Root mean square of full scale, in decibels, that counts as loud: −6 at 0, −30 at 50, −54 at 100. */
const thresholdOf = (sensitivity: number): number => -6 - (48 * sensitivity) / 100

/** Finds loud sounds in G.711. Pure: its only clock is that of the sound. */
export class LoudnessDetector {
  readonly #squares: Float64Array
  #sum = 0
  #count = 0
  #windowAt = 0
  #inARow = 0
  #firstAt = 0
  #loudAt: number | undefined

  constructor(codec: G711Codec) {
    this.#squares = codec === 'pcma' ? ALAW_SQUARES : ULAW_SQUARES
  }

  /**
   * The next samples, one byte each; `at` is the time of the first.
   *
   * @returns at most one transition for each call: what comes within a fifth of a second is measured together.
   */
  add(at: number, samples: Uint8Array, sensitivity: number): LoudnessTransition | undefined {
    if (this.#count === 0) this.#windowAt = at
    for (const sample of samples) this.#sum += this.#squares[sample] ?? 0
    this.#count += samples.length
    if (this.#count < WINDOW) return undefined
    const level = 10 * Math.log10(this.#sum / this.#count + Number.MIN_VALUE)
    this.#sum = 0
    this.#count = 0
    const threshold = thresholdOf(sensitivity)
    return this.#loudAt === undefined
      ? this.#judgeQuiet(level >= threshold)
      : this.#judgeLoud(this.#loudAt, level >= threshold - HYSTERESIS_DB)
  }

  /** The camera is lost, or sends another stream. */
  end(): LoudnessTransition | undefined {
    const at = this.#loudAt
    this.#loudAt = undefined
    this.#inARow = 0
    this.#sum = 0
    this.#count = 0
    return at === undefined ? undefined : { kind: 'ends', at }
  }

  #judgeQuiet(isLoud: boolean): LoudnessTransition | undefined {
    if (!isLoud) {
      this.#inARow = 0
      return undefined
    }
    if (this.#inARow === 0) this.#firstAt = this.#windowAt
    this.#inARow++
    if (this.#inARow < WINDOWS_TO_BEGIN) return undefined
    this.#inARow = 0
    this.#loudAt = this.#windowAt
    return { kind: 'begins', at: this.#firstAt }
  }

  #judgeLoud(loudAt: number, isLoud: boolean): LoudnessTransition | undefined {
    if (isLoud) this.#loudAt = this.#windowAt
    else if (this.#windowAt - loudAt >= QUIET_MS) {
      this.#loudAt = undefined
      return { kind: 'ends', at: loudAt }
    }
    return undefined
  }
}

const FULL_SCALE = 32_768

/** The squares of all samples of a law, as a share of full scale. */
const squaresOf = (codec: G711Codec): Float64Array =>
  Float64Array.from(g711Values[codec], (value) => (value / FULL_SCALE) ** 2)

const ULAW_SQUARES = squaresOf('pcmu')
const ALAW_SQUARES = squaresOf('pcma')
