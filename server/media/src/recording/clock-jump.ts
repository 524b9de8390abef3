import type { AccessUnit } from '../frame/index.ts'

/** Arrival times cannot go back and never leap ahead of the pictures by this much, unless the clock was set or we slept. */
const CLOCK_BACK_MS = 1000
const CLOCK_AHEAD_MS = 10_000
const TICKS_PER_MS = 90

/** Whether the clock was set between two units of one track, by their arrival and their own times. */
export function clockJumped(before: AccessUnit, after: AccessUnit): boolean {
  const byClock = after.wallClock - before.wallClock
  const byStream = (after.time - before.time) / TICKS_PER_MS
  return byClock < -CLOCK_BACK_MS || byClock - byStream > CLOCK_AHEAD_MS
}

/**
 * Why a run ends between two pictures: a clock was set, or this process stood still, because its machine was frozen, for example.
 * Until a key picture arrives, the run continues with its own clock.
 */
export class ClockJumps {
  readonly #monotonic: () => number
  #last: { readonly picture: AccessUnit; readonly takenAt: number } | undefined
  /** Makes arrival times continuous for the rest of the run. */
  #correction = 0
  #why: 'clock' | 'stopped' | undefined

  /** `monotonic`: milliseconds of a clock that nobody sets. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Takes a picture of the leading track; returns why a run ends before it, if it starts a segment. */
  take(picture: AccessUnit, startsSegment: boolean): 'clock' | 'stopped' | undefined {
    const before = this.#last
    this.#last = { picture, takenAt: this.#monotonic() }
    if (before !== undefined && clockJumped(before.picture, picture)) {
      const byStream = (picture.time - before.picture.time) / TICKS_PER_MS
      this.#correction += Math.round(before.picture.wallClock + byStream) - picture.wallClock
      // Nobody sets the other clock: it leaps only with the time that really passed.
      this.#why = this.#last.takenAt - before.takenAt - byStream > CLOCK_AHEAD_MS ? 'stopped' : 'clock'
    }
    if (picture.followsJump === true) this.#why ??= 'clock'
    if (!startsSegment) return undefined
    const why = this.#why
    this.#why = undefined
    this.#correction = 0
    return why
  }

  onRunClock(unit: AccessUnit): AccessUnit {
    return this.#correction === 0 ? unit : { ...unit, wallClock: unit.wallClock + this.#correction }
  }

  /** What follows belongs to another run. */
  restart(): void {
    this.#last = undefined
    this.#why = undefined
    this.#correction = 0
  }
}
