import { makeGreyStart } from '../codec/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'

/** Beyond it, pictures are shown as they are. */
const MAX_HELD_BYTES = 8 * 1024 * 1024

/** A unit and the index of its track. */
export type TrackUnit = readonly [unit: AccessUnit, track: number]

/** Holds back what a decoder needs before it has the first whole picture behind a recovery point. */
export class HeldStart {
  #held: TrackUnit[] = []
  #pictures = 0
  #bytes = 0
  #recovery: number | undefined

  readonly #track: TrackConfig | undefined

  /** `track` is that of the pictures. */
  constructor(track: TrackConfig | undefined) {
    this.#track = track
  }

  /**
   * The first unit is a recovery point. Returns all of them, behind a grey picture, once one of them can be shown; until
   * then undefined.
   */
  add(
    unit: AccessUnit,
    track: number,
  ): { readonly units: readonly TrackUnit[]; readonly shown: AccessUnit } | undefined {
    const grey = this.#held.length === 0 ? makeGreyStart(unit, this.#track) : undefined
    if (grey !== undefined) this.#held.push([grey, track])
    this.#held.push([unit, track])
    this.#recovery ??= unit.recovery ?? 0
    for (const { length } of unit.units) this.#bytes += length
    if (unit.kind !== 'video') return undefined
    this.#pictures++
    if (this.#pictures <= (this.#recovery ?? 0) && this.#bytes <= MAX_HELD_BYTES) return undefined
    return { units: this.#held, shown: unit }
  }
}
