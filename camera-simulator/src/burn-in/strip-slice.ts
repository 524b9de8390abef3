import { BitWriter } from '../h264/bit-stream.ts'
import { toNalUnit } from '../h264/nal-unit.ts'
import { type BlockId, getLowerEdge, getRightEdge, isFlat, paintBlock, type StripSize } from './strip-picture.ts'

/** The NAL header and slice header of the slice that is replaced, as they are in the clip. */
export interface StripHeader {
  readonly kind: 'P' | 'I'
  readonly raw: Uint8Array
  readonly bits: number
  readonly references: number
}

// ITU-T H.264 tables 7-11, 7-13 and 9-5.
const I_16X16_VERTICAL = 1
const I_16X16_HORIZONTAL = 2
const I_PCM = 25
const INTRA_TYPES_IN_P = 5
const P_L0_16X16 = 0
/** Coefficients a neighbour counts for when the next macroblock picks its VLC table (§9.2.1). */
const COEFFICIENTS_OF_PCM = 16
/** Motion may reach this far; within what x264 announces in its VUI (log2_max_mv_length_horizontal 10 = 256 pixels). */
const REACH_IN_MACROBLOCKS = 15
const QUARTER_PIXELS_PER_MACROBLOCK = 64

interface Motion {
  readonly x: number
  readonly y: number
}

const NO_MOTION: Motion = { x: 0, y: 0 }

const isStill = (motion: Motion | undefined): boolean => motion !== undefined && motion.x === 0 && motion.y === 0

const median = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))

/**
 * Writes the slice with the strip, without an encoder. Key pictures: glyphs as I_PCM, flat blocks predicted from the
 * left or from above without residual. P pictures: P_Skip for what stays, a motion vector to an identical block of the
 * previous picture, I_PCM for the rest. All of it is exact, so nothing drifts.
 *
 * One writer serves one stream of pictures, because it remembers what the previous picture showed.
 */
export class StripWriter {
  readonly #size: StripSize
  readonly #bits = new BitWriter()
  readonly #shown: Int32Array
  /** Motion of each block written so far in this slice; undefined for intra. */
  readonly #motion: (Motion | undefined)[]
  readonly #coefficients: Uint8Array
  readonly #painted = new Map<BlockId, Uint8Array>()

  constructor(size: StripSize) {
    this.#size = size
    this.#shown = new Int32Array(size.columns * size.rows)
    this.#motion = new Array<Motion | undefined>(this.#shown.length)
    this.#coefficients = new Uint8Array(this.#shown.length)
  }

  /** `blocks` is what the picture shall show; a P picture must follow the picture written before. */
  write(header: StripHeader, blocks: Int32Array): Buffer {
    this.#bits.clear()
    this.#bits.copy(header.raw, 0, header.bits)
    if (header.kind === 'I') this.#writeKey(blocks)
    else this.#writeChanges(blocks, header.references)
    this.#shown.set(blocks)
    return toNalUnit(this.#bits.finish())
  }

  #writeKey(blocks: Int32Array): void {
    const { columns } = this.#size
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at] ?? 0
      const left = at % columns === 0 ? undefined : blocks[at - 1]
      const above = at < columns ? undefined : blocks[at - columns]
      if (isFlat(block) && left !== undefined && getRightEdge(left) === block) this.#writeFlat(at, I_16X16_HORIZONTAL)
      else if (isFlat(block) && above !== undefined && getLowerEdge(above, this.#size) === block)
        this.#writeFlat(at, I_16X16_VERTICAL)
      else this.#writePcm(at, block, I_PCM)
    }
  }

  #writeFlat(at: number, type: number): void {
    this.#bits.ue(type)
    this.#bits.ue(0) // intra_chroma_pred_mode: DC, and all chroma around is neutral
    this.#bits.se(0) // mb_qp_delta
    this.#writeNoCoefficients(at)
    this.#coefficients[at] = 0
  }

  // coeff_token for "none" of Intra16x16DCLevel; which code that is depends on the neighbours (§9.2.1, table 9-5).
  #writeNoCoefficients(at: number): void {
    const { columns } = this.#size
    const left = at % columns === 0 ? undefined : this.#coefficients[at - 1]
    const above = at < columns ? undefined : this.#coefficients[at - columns]
    const expected = left !== undefined && above !== undefined ? (left + above + 1) >> 1 : (left ?? above ?? 0)
    if (expected < 2) this.#bits.bits(1, 1)
    else this.#bits.bits(0b00_0011, 6)
  }

  #writePcm(at: number, block: BlockId, type: number): void {
    this.#bits.ue(type)
    this.#bits.alignWithZeros()
    let samples = this.#painted.get(block)
    if (samples === undefined) {
      samples = paintBlock(block, this.#size)
      this.#painted.set(block, samples)
    }
    this.#bits.append(samples)
    this.#coefficients[at] = COEFFICIENTS_OF_PCM
    this.#motion[at] = undefined
  }

  #writeChanges(blocks: Int32Array, references: number): void {
    let skipped = 0
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at] ?? 0
      const stays = block === this.#shown[at]
      if (stays && this.#skipStaysStill(at)) {
        this.#motion[at] = NO_MOTION
        skipped += 1
        continue
      }
      this.#bits.ue(skipped)
      skipped = 0
      const motion = stays ? NO_MOTION : this.#findInPictureBefore(at, block)
      if (motion === undefined) this.#writePcm(at, block, INTRA_TYPES_IN_P + I_PCM)
      else this.#writeMoved(at, motion, references)
    }
    if (skipped > 0) this.#bits.ue(skipped)
  }

  #writeMoved(at: number, motion: Motion, references: number): void {
    const predicted = this.#predictedMotion(at)
    this.#bits.ue(P_L0_16X16)
    if (references > 1) this.#bits.bits(1, 1) // ref_idx_l0 0: the picture before
    this.#bits.se(motion.x - predicted.x)
    this.#bits.se(motion.y - predicted.y)
    this.#bits.ue(0) // coded_block_pattern: no residual
    this.#motion[at] = motion
  }

  /** The nearest block of the previous picture that looks like `block`, as a motion vector in quarter pixels. */
  #findInPictureBefore(at: number, block: BlockId): Motion | undefined {
    const { columns, rows } = this.#size
    const column = at % columns
    const row = (at - column) / columns
    const from = Math.max(0, column - REACH_IN_MACROBLOCKS)
    const to = Math.min(columns - 1, column + REACH_IN_MACROBLOCKS)
    for (let r = 0; r < rows; r += 1) {
      for (let c = from; c <= to; c += 1) {
        if (this.#shown[r * columns + c] !== block) continue
        return { x: (c - column) * QUARTER_PIXELS_PER_MACROBLOCK, y: (r - row) * QUARTER_PIXELS_PER_MACROBLOCK }
      }
    }
    return undefined
  }

  /** Motion vector prediction of a 16×16 partition (§8.4.1.3). All inter blocks here use reference 0. */
  #predictedMotion(at: number): Motion {
    const { columns } = this.#size
    const column = at % columns
    const hasLeft = column > 0
    const hasAbove = at >= columns
    const left = hasLeft ? this.#motion[at - 1] : undefined
    if (!hasAbove) return left ?? NO_MOTION
    const above = this.#motion[at - columns]
    let corner: Motion | undefined
    if (column + 1 < columns) corner = this.#motion[at - columns + 1]
    else if (hasLeft) corner = this.#motion[at - columns - 1]
    const inter = [left, above, corner].filter((motion) => motion !== undefined)
    const [only] = inter
    if (only !== undefined && inter.length === 1) return only
    const [a, b, c] = [left ?? NO_MOTION, above ?? NO_MOTION, corner ?? NO_MOTION]
    return { x: median(a.x, b.x, c.x), y: median(a.y, b.y, c.y) }
  }

  /** Would a decoder infer no motion for P_Skip here (§8.4.1.1)? */
  #skipStaysStill(at: number): boolean {
    const { columns } = this.#size
    if (at < columns || at % columns === 0) return true
    if (isStill(this.#motion[at - 1]) || isStill(this.#motion[at - columns])) return true
    return isStill(this.#predictedMotion(at))
  }
}
