import { type AccessUnit, PictureCadence } from '../frame/index.ts'

/** Whether a camera makes progress; `forMs`: since when it doesn't. */
export type LivenessVerdict =
  | { readonly kind: 'live' }
  /** Connected, but no picture came out of what the camera sends. */
  | { readonly kind: 'noPicture'; readonly forMs: number }
  /** Pictures come, but none of them reaches a file, or the file doesn't reach the disk. */
  | { readonly kind: 'notStored'; readonly forMs: number }

const LIVE: LivenessVerdict = { kind: 'live' }
/** A connection with fewer pictures shows that what is known of the camera's rate is no longer true. */
const MIN_PICTURES = 3

/**
 * Judges one camera by what came out at the end: its last picture, the last part written, the last part synced. Bytes
 * that arrive prove nothing. Times in milliseconds of a clock that is never set back.
 */
export class Liveness {
  readonly #cadence = new PictureCadence()
  #pictures = 0
  #lastPicture: number | undefined
  /** When the first picture came that is in no written part. */
  #unwrittenSince: number | undefined
  /** When the parts were written that aren't synced. */
  #unsynced: number[] = []
  #isStandby = false

  picture(unit: AccessUnit, now: number): void {
    this.#cadence.add(unit)
    this.#pictures++
    this.#lastPicture = now
    if (!this.#isStandby) this.#unwrittenSince ??= now
  }

  /** The connection is over; until the next one brings a picture none is missing. */
  ended(): void {
    if (this.#lastPicture !== undefined && this.#pictures < MIN_PICTURES) this.#cadence.forget()
    this.#cadence.restart()
    this.#lastPicture = undefined
    this.#pictures = 0
  }

  /** While nothing happens, pictures aren't to be written. */
  standby(isStandby: boolean): void {
    this.#isStandby = isStandby
    if (isStandby) this.#unwrittenSince = undefined
  }

  /** A part is in its file. */
  written(now: number): void {
    this.#unwrittenSince = undefined
    this.#unsynced.push(now)
  }

  /** What was written until `at` is on the disk. */
  synced(at: number): void {
    this.#unsynced = this.#unsynced.filter((writtenAt) => writtenAt > at)
  }

  /** Another recorder begins: what the one before owed isn't asked of it. */
  recorderOpened(): void {
    this.standby(false)
    this.#unwrittenSince = undefined
    this.#unsynced = []
  }

  judge(now: number): LivenessVerdict {
    const limit = this.#cadence.silenceLimit
    const isOver = (since: number | undefined): since is number => since !== undefined && now - since > limit
    if (isOver(this.#lastPicture)) return { kind: 'noPicture', forMs: now - this.#lastPicture }
    for (const since of [this.#unwrittenSince, this.#unsynced[0]])
      if (isOver(since)) return { kind: 'notStored', forMs: now - since }
    return LIVE
  }
}
