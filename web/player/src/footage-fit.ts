import { MainStreamTries } from './stream-fit.ts'

/** Playback that has waited for this long in all is too much for the network; twenty times as long without a wait makes up for it. */
const SLOW_MS = 3000
const RECOVERY = 1 / 20
/** Loading after a jump may take this long. */
const LOADING_MS = 4000
/** Between two questions; a page that stood still for longer didn't wait for the network. */
const LONGEST_STEP_MS = 500

/** What of playback decides about the stream. */
export interface FootageProgress {
  /** Playback stands still until pictures arrive. */
  readonly isWaiting: boolean
  /** The stream has no footage of this time. */
  readonly isMissing: boolean
}

/** Chooses the stream that a network has room for: the sub-stream if footage of the main stream arrives too slowly to play. */
export class FootageFit {
  #askedAt: number | undefined
  #waitedMs = 0
  /** How long the first picture since a jump, or of another stream, has been waited for; undefined once it is here. */
  #loadingMs: number | undefined = 0
  /** The sub-stream had no footage where the main stream may have some. */
  #notBefore = Number.NEGATIVE_INFINITY
  readonly #tries = new MainStreamTries()

  /** Footage of another time is loaded. */
  load(): void {
    this.#loadingMs = 0
  }

  /** Asked again and again while footage plays, at `now` milliseconds; the stream to change to, if any. */
  next({ isWaiting, isMissing }: FootageProgress, now: number): 'main' | 'sub' | undefined {
    const sinceMs = Math.min(now - (this.#askedAt ?? now), LONGEST_STEP_MS)
    this.#askedAt = now
    if (this.#tries.isBegun) return this.#nextOfSub(isWaiting, isMissing, now)
    if (!this.#isSlow(isWaiting, sinceMs) || now < this.#notBefore) return undefined
    this.#waitedMs = 0
    this.#loadingMs = 0
    this.#tries.begin(now)
    return 'sub'
  }

  #nextOfSub(isWaiting: boolean, isMissing: boolean, now: number): 'main' | undefined {
    if (isMissing) this.#notBefore = now + this.#tries.end()
    else if (!this.#tries.isDue(!isWaiting, now)) return undefined
    this.#loadingMs = 0
    return 'main'
  }

  #isSlow(isWaiting: boolean, sinceMs: number): boolean {
    if (!isWaiting) {
      this.#loadingMs = undefined
      this.#waitedMs = Math.max(0, this.#waitedMs - sinceMs * RECOVERY)
      return false
    }
    if (this.#loadingMs !== undefined) this.#loadingMs += sinceMs
    if (this.#loadingMs === undefined || this.#loadingMs > LOADING_MS) this.#waitedMs += sinceMs
    return this.#waitedMs >= SLOW_MS
  }
}
