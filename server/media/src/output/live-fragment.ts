import { soundFrameTicks } from '../codec/index.ts'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { fragment } from '../mux/index.ts'

/** 25 pictures a second, until two pictures give the real rate. */
const DEFAULT_PICTURE_TICKS = TICKS_PER_SECOND / 25
const MAX_PICTURE_TICKS = TICKS_PER_SECOND
/** No camera sends a thousand pictures a second: shorter steps of the decode time are a clock that is waited for. */
const MIN_PICTURE_TICKS = TICKS_PER_SECOND / 1000

/**
 * A fragment depends on nothing but its unit, so all viewers of a camera share the bytes: a viewer more costs
 * no copy of the picture.
 */
const shared = new WeakMap<AccessUnit, Uint8Array>()

/** Creates one fragment of each access unit of a run immediately, with the duration of the previous one. */
export class LiveFragments {
  readonly #tracks: readonly TrackConfig[]
  #lastPicture: number | undefined
  #pictureTicks = DEFAULT_PICTURE_TICKS

  /** `tracks` as announced to the browser; the picture is the first. */
  constructor(tracks: readonly TrackConfig[]) {
    this.#tracks = tracks
  }

  /** `moof` and `mdat` of this unit; `track` is the index in the tracks announced to the browser. */
  fragmentOf(unit: AccessUnit, track: number): Uint8Array {
    const duration =
      unit.kind === 'video' ? this.#pictureDuration(unit.time) : soundFrameTicks(unit.units[0], this.#tracks[track])
    const known = shared.get(unit)
    if (known !== undefined) return known
    // In milliseconds of the run, so that it grows whichever reader creates the fragment first; players ignore it.
    const sequence = (Math.floor((unit.time * 1000) / TICKS_PER_SECOND) + 1) >>> 0
    const bytes = Buffer.concat(fragment({ sequence, tracks: this.#tracks, samples: [{ track, unit, duration }] }))
    shared.set(unit, bytes)
    return bytes
  }

  #pictureDuration(time: number): number {
    const distance = time - (this.#lastPicture ?? time)
    if (distance >= MIN_PICTURE_TICKS && distance <= MAX_PICTURE_TICKS) this.#pictureTicks = distance
    this.#lastPicture = time
    return this.#pictureTicks
  }
}
