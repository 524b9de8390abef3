import type { MotionNotice, ReportedType } from './notification.ts'

/** A stretch of motion begins, or the last one ends. Times in milliseconds since 1970, by our clock. */
export type MotionChange =
  | { readonly kind: 'begin'; readonly at: number; readonly cameraTime: number | undefined }
  | { readonly kind: 'end'; readonly at: number }

/** The same, with what was detected. */
export type ReportedChange = MotionChange & { readonly type: ReportedType }

/** Motion of which no end is reported is over after this. */
const UNENDED_MS = 30_000
/** The same for a camera that has reported ends before: its end will come, or was lost. */
const UNENDED_WITH_HABIT_MS = 600_000
/** A moment counts as so long. */
const MOMENT_MS = 2000
/** Motion that begins again within this time is the same. */
const PAUSE_MS = 2000
/** The camera's time is believed if it is this near to the time of arrival. */
const BELIEVED_MS = 5000
/** A hostile camera may name any number of rules. */
const MAX_KEYS = 64

/** Makes stretches of motion from what a camera reports: one for all of its rules together. */
export class MotionSpans {
  readonly #expiries = new Map<string, number>()
  #isOpen = false
  #begunAt = 0
  /** When the last rule ended, while it isn't certain that no other begins. */
  #quietSince: number | undefined
  #sendsEnds = false

  /** `clockAheadMs`: how far the camera's clock is ahead of ours; `now`: when the notice came. */
  take(notice: MotionNotice, clockAheadMs: number, now: number): readonly MotionChange[] {
    const changes = this.advance(now)
    const at = eventTime(notice.cameraTime, clockAheadMs, now)
    if (!notice.isActive) {
      if (this.#expiries.delete(notice.key)) {
        this.#sendsEnds = true
        if (this.#expiries.size === 0) this.#quietSince = Math.max(at, this.#begunAt)
      }
      return changes
    }
    if (this.#expiries.size >= MAX_KEYS && !this.#expiries.has(notice.key)) return changes
    this.#expiries.set(notice.key, now + this.#lifeOf(notice))
    this.#quietSince = undefined
    if (this.#isOpen) return changes
    this.#isOpen = true
    // A state that already was began at a time that nobody knows.
    this.#begunAt = notice.isInitial ? now : at
    return [...changes, { kind: 'begin', at: this.#begunAt, cameraTime: notice.cameraTime }]
  }

  /** What ended by the passing of time. To be called about every second. */
  advance(now: number): readonly MotionChange[] {
    for (const [key, expiry] of this.#expiries) {
      if (expiry > now) continue
      this.#expiries.delete(key)
      if (this.#expiries.size === 0) this.#quietSince = Math.max(expiry, this.#begunAt)
    }
    if (!this.#isOpen || this.#quietSince === undefined || now - this.#quietSince < PAUSE_MS) return []
    return this.#close(this.#quietSince)
  }

  #lifeOf({ isMoment }: MotionNotice): number {
    if (isMoment) return MOMENT_MS
    return this.#sendsEnds ? UNENDED_WITH_HABIT_MS : UNENDED_MS
  }

  /** The camera can't be heard: current motion ends soon, unless it is reported again. */
  lost(now: number): void {
    for (const [key, expiry] of this.#expiries) this.#expiries.set(key, Math.min(expiry, now + UNENDED_MS))
  }

  /** Nothing is followed any more. */
  stop(now: number): readonly MotionChange[] {
    return this.#isOpen ? this.#close(Math.max(Math.min(this.#quietSince ?? now, now), this.#begunAt)) : []
  }

  #close(at: number): readonly MotionChange[] {
    this.#isOpen = false
    this.#quietSince = undefined
    this.#expiries.clear()
    return [{ kind: 'end', at }]
  }
}

/** The camera's own time by our clock, or the time of arrival if they differ too much. */
function eventTime(cameraTime: number | undefined, clockAheadMs: number, now: number): number {
  if (cameraTime === undefined) return now
  const own = cameraTime - clockAheadMs
  return Math.abs(own - now) <= BELIEVED_MS ? Math.min(own, now) : now
}
