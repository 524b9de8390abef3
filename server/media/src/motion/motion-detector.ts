import type { VideoDetection } from '@sightline/contract/detectors'
import { BlockHistory } from './block-history.ts'
import { BLOCK, COLUMNS, connectedBlocks, countDifferences, largestArea, pixelBlocks, ROWS } from './blocks.ts'
import { countedBlocks } from './detection-areas.ts'

/** A small grey picture, 160 × 90 bytes. */
export interface MotionPicture {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly pixels: Uint8Array
}

/** Motion from its first to its last picture, milliseconds since 1970. */
export type MotionTransition =
  | { readonly kind: 'begins'; readonly at: number }
  | { readonly kind: 'ends'; readonly at: number }

/** Pictures so far apart show whether something moves or stands. */
const RECENT_MS = 900
const MIN_MOVING_PIXELS = 2
/** A block counts if so many of its pixels differ. */
const MIN_PIXELS = (BLOCK * BLOCK * 2) / 5
/** If more of the picture changes at once, the light was switched, or the camera was turned or changed to night vision. */
const MAX_SHARE = 0.6
/** So many pictures in a row are needed: one alone may be damaged. */
const PICTURES_TO_BEGIN = 2
/** Motion ends after so long without any. */
const QUIET_MS = 6000
/** What stands still becomes background within this time; what moves, more slowly. */
const SETTLE_MS = 15_000
const SETTLE_MOVING_MS = 60_000
/** Time between two pictures beyond which they aren't compared. */
const MAX_PAUSE_MS = 30_000

/** What counts as motion at a sensitivity. */
interface Thresholds {
  /** Brightness levels that noise and coding don't reach in a picture that was reduced so much. */
  readonly levels: number
  /** Connected blocks of something that moves. */
  readonly blocks: number
  /** Once something moves, less keeps it going. */
  readonly blocksMoving: number
}

/** At 50: 14 levels and 0.5 % of the picture. At 0: 28 levels and 4 %. At 100: 10 levels and 0.3 %. */
function thresholdsOf(sensitivity: number): Thresholds {
  const above = Math.max(0, sensitivity - 50) / 50
  const below = Math.max(0, 50 - sensitivity) / 50
  const blocks = Math.round(3 * 8 ** below - above)
  return { levels: Math.round(14 + 14 * below - 4 * above), blocks, blocksMoving: Math.ceil((blocks * 2) / 3) }
}

/** A picture, the background, and the picture of about a second ago. */
interface Comparison {
  readonly pixels: Uint8Array
  readonly background: Float32Array
  readonly before: Uint8Array
}

type Tuning = Pick<VideoDetection, 'sensitivity' | 'areas'>

const DEFAULT_TUNING: Tuning = { sensitivity: 50, areas: [] }

/**
 * Finds motion in one camera's pictures: what differs from the background, which follows the picture slowly. Blocks that
 * change all the time, such as a burnt-in clock, are found and left out. Pure: its only clock is that of the pictures.
 */
export class MotionDetector {
  #background: Float32Array | undefined
  /** The background of before the last picture; the next one is written over it. */
  #spare: Float32Array | undefined
  /** What the last picture was compared with; undefined where nothing was. */
  #compared: Comparison | undefined
  #lastAt = 0
  readonly #history = new BlockHistory()
  /** The last two pictures that are {@link RECENT_MS} or more apart. */
  #recent: readonly MotionPicture[] = []
  /** When the first of the pictures in a row was taken that show something. */
  #firstAt = 0
  #inARow = 0
  #movedAt: number | undefined
  #tuning = DEFAULT_TUNING
  #thresholds = thresholdsOf(DEFAULT_TUNING.sensitivity)
  #counted = countedBlocks(DEFAULT_TUNING.areas)
  #moving: Uint8Array = new Uint8Array(COLUMNS * ROWS)
  #movingAnywhere: Uint8Array = new Uint8Array(COLUMNS * ROWS)

  /** Applies from the next picture on. */
  tune(tuning: Tuning): void {
    if (tuning === this.#tuning) return
    this.#tuning = tuning
    this.#thresholds = thresholdsOf(tuning.sensitivity)
    this.#counted = countedBlocks(tuning.areas)
  }

  /** Whether something moves now or may do so: then every picture counts. */
  get isAlert(): boolean {
    return this.#movedAt !== undefined || this.#inARow > 0
  }

  /** Which blocks are left out now, 32 × 18. */
  get mask(): Uint8Array {
    return this.#history.mask
  }

  /** Which blocks move in the last picture where motion counts, 32 × 18. */
  get moving(): Uint8Array {
    return this.#moving
  }

  /** The same, wherever it is: tripwires lie outside of areas. */
  get movingAnywhere(): Uint8Array {
    return this.#movingAnywhere
  }

  /** Which blocks of the last picture would begin motion at a sensitivity, 32 × 18: areas that are large enough for it. */
  triggering(sensitivity: number): Uint8Array {
    const triggering = new Uint8Array(COLUMNS * ROWS)
    if (this.#compared === undefined || !this.#history.isReady) return triggering
    const thresholds = thresholdsOf(sensitivity)
    const { pixels, background } = this.#compared
    const changed = changedBlocks(pixels, background, thresholds)
    const moving = this.#countedOnly(this.#withoutStanding(changed, this.#compared, thresholds))
    for (const area of connectedBlocks(moving))
      if (area.length >= thresholds.blocks) for (const block of area) triggering[block] = 1
    return triggering
  }

  add({ at, pixels }: MotionPicture): MotionTransition | undefined {
    const background = this.#background
    const elapsed = at - this.#lastAt
    if (background === undefined || elapsed > MAX_PAUSE_MS || elapsed < 0) return this.#restart(at, pixels)
    this.#lastAt = at
    this.#history.add(at, pixels)
    const changed = changedBlocks(pixels, background, this.#thresholds)
    if (changed.reduce((sum, value) => sum + value, 0) > MAX_SHARE * changed.length) return this.#restart(at, pixels)
    const compared = { pixels, background, before: this.#pixelsBefore({ at, pixels }) }
    const anywhere = this.#withoutStanding(changed, compared, this.#thresholds)
    const moving = this.#countedOnly(anywhere)
    this.#compared = compared
    const isReady = this.#history.isReady
    this.#movingAnywhere = isReady ? anywhere : new Uint8Array(anywhere.length)
    this.#moving = isReady ? moving : new Uint8Array(moving.length)
    this.#background = this.#settle(compared, { moving, elapsed })
    const isMoving = this.#movedAt !== undefined
    const size = isReady ? largestArea(moving) : 0
    return this.#judge(at, size >= (isMoving ? this.#thresholds.blocksMoving : this.#thresholds.blocks))
  }

  /** The camera is lost, or sends another stream. */
  end(): MotionTransition | undefined {
    const at = this.#movedAt
    this.#movedAt = undefined
    this.#inARow = 0
    this.#background = undefined
    this.#compared = undefined
    this.#recent = []
    return at === undefined ? undefined : { kind: 'ends', at }
  }

  #judge(at: number, isSeen: boolean): MotionTransition | undefined {
    if (this.#movedAt !== undefined) {
      if (isSeen) this.#movedAt = at
      else if (at - this.#movedAt >= QUIET_MS) {
        const ends = { kind: 'ends', at: this.#movedAt } as const
        this.#movedAt = undefined
        return ends
      }
      return undefined
    }
    if (!isSeen) {
      this.#inARow = 0
      return undefined
    }
    if (this.#inARow === 0) this.#firstAt = at
    this.#inARow++
    if (this.#inARow < PICTURES_TO_BEGIN) return undefined
    this.#inARow = 0
    this.#movedAt = at
    return { kind: 'begins', at: this.#firstAt }
  }

  /** The whole picture is another one: it is the background from now on. Motion that had begun continues. */
  #restart(at: number, pixels: Uint8Array): undefined {
    this.#background = Float32Array.from(pixels)
    this.#compared = undefined
    this.#moving = new Uint8Array(COLUMNS * ROWS)
    this.#movingAnywhere = new Uint8Array(COLUMNS * ROWS)
    this.#lastAt = at
    this.#inARow = 0
  }

  /** The picture of about a second ago. */
  #pixelsBefore(picture: MotionPicture): Uint8Array {
    const [older = picture, newer = older] = this.#recent
    const before = picture.at - newer.at >= RECENT_MS ? newer : older
    if (this.#recent.length === 0 || picture.at - newer.at >= RECENT_MS) this.#recent = [newer, picture]
    return before.pixels
  }

  /** What differs from the background but was so a second ago stands there; what always changes is no motion either. */
  #withoutStanding(changed: Uint8Array, { pixels, before }: Comparison, thresholds: Thresholds): Uint8Array {
    const counts = countDifferences(pixels, before, thresholds)
    const isMoving = (block: number) => (counts[block] ?? 0) >= MIN_MOVING_PIXELS && this.#history.mask[block] !== 1
    return changed.map((value, block) => (value === 1 && isMoving(block) ? 1 : 0))
  }

  #countedOnly(blocks: Uint8Array): Uint8Array {
    return blocks.map((value, block) => (this.#counted[block] === 1 ? value : 0))
  }

  /** The background for the next picture. The one before it is kept, because it is compared again at other sensitivities. */
  #settle(
    { pixels, background }: Comparison,
    { moving, elapsed }: { moving: Uint8Array; elapsed: number },
  ): Float32Array {
    const next = this.#spare ?? new Float32Array(pixels.length)
    this.#spare = background
    const calmRate = 1 - Math.exp(-elapsed / SETTLE_MS)
    const movingRate = 1 - Math.exp(-elapsed / SETTLE_MOVING_MS)
    for (let at = 0; at < pixels.length; at++) {
      const before = background[at] ?? 0
      const rate = moving[pixelBlocks[at] ?? 0] === 1 ? movingRate : calmRate
      next[at] = before + rate * ((pixels[at] ?? 0) - before)
    }
    return next
  }
}

/** 1 for each block that differs from the background, after a change of the light of the whole picture is taken out. */
function changedBlocks(pixels: Uint8Array, background: Float32Array, { levels }: Thresholds): Uint8Array {
  let sum = 0
  for (let at = 0; at < pixels.length; at++) sum += (pixels[at] ?? 0) - (background[at] ?? 0)
  const counts = countDifferences(pixels, background, { levels, light: sum / pixels.length })
  return counts.map((count) => (count >= MIN_PIXELS ? 1 : 0))
}
