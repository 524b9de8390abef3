import type { MediaTimes } from '@sightline/contract/streams'
import { TICKS_PER_SECOND } from '../frame/index.ts'
import type { PlaybackPosition } from './find-picture.ts'
import type { PlayedPart } from './open-playback.ts'

/**
 * Where the first part begins: 1 s, because sound may begin a little before its picture and no time may be negative.
 */
const FIRST_TICKS = TICKS_PER_SECOND
/** A smaller break is passed on as it is; a larger one would stop a browser's player, so the parts are moved together. */
const HOLE_TICKS = TICKS_PER_SECOND / 10
const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** Parts remembered to find the time on the screen; far more than are sent ahead. */
const REMEMBERED = 200

interface Placed {
  /** Media time of what is shown at `wallClock`, ticks. */
  readonly media: number
  readonly duration: number
  readonly wallClock: number
  readonly runId: string
  /** Added to times of the run. */
  readonly offset: number
}

/** How far a run's own time is brought closer to the time of day with each part, so that nobody sees a jump. */
const SLEW_TICKS = 2 * TICKS_PER_MS

/**
 * The media time of a viewer's fragments. Media times are ticks of 90 kHz. `continuous` ones have no holes for gaps, runs and
 * damage, and restart for each initialisation segment. `wallclock` ones are the time of day since 1970, so that several cameras
 * can be shown by one clock.
 */
export class SessionTimeline {
  readonly #times: MediaTimes
  #runId: string | undefined
  #offset = 0
  #end = FIRST_TICKS
  #delay = 0
  #placed: Placed[] = []

  constructor(times: MediaTimes = 'continuous') {
    this.#times = times
  }

  /** The end of what has been placed so far, in media time. */
  get end(): number {
    return this.#end + this.#delay
  }

  /**
   * Places the next part. `media` is the media time of its `wallClock`, `offset` is added to times of its run; `moved`
   * means that it doesn't directly follow the previous part.
   */
  place(part: PlayedPart): { readonly media: number; readonly offset: number; readonly moved: boolean } {
    const isJoined = part.runId === this.#runId && Math.abs(part.time + this.#offset - this.#end) <= HOLE_TICKS
    this.#offset = this.#offsetOf(part, isJoined)
    this.#runId = part.runId
    this.#delay = part.delay
    this.#end = part.time + this.#offset + part.duration
    const media = part.time + this.#offset + part.delay
    const { duration, wallClock, runId } = part
    this.#placed = [...this.#placed.slice(-REMEMBERED), { media, duration, wallClock, runId, offset: this.#offset }]
    return { media, offset: this.#offset, moved: !isJoined }
  }

  #offsetOf({ time, wallClock, delay }: PlayedPart, isJoined: boolean): number {
    if (this.#times === 'continuous') return isJoined ? this.#offset : this.#end - time
    // The first picture is decoded `delay` before it is shown, at its time of day.
    const exact = wallClock * TICKS_PER_MS - delay - time
    if (!isJoined || Math.abs(exact - this.#offset) > HOLE_TICKS) return exact
    return this.#offset + Math.min(Math.max(exact - this.#offset, -SLEW_TICKS), SLEW_TICKS)
  }

  /** What is shown at a media time; undefined before the first part. */
  shownAt(media: number): PlaybackPosition | undefined {
    const placed = this.#placed.findLast((part) => part.media <= media) ?? this.#placed[0]
    if (placed === undefined) return undefined
    const into = Math.min(Math.max(media - placed.media, 0), placed.duration)
    const { wallClock, runId, offset } = placed
    return { wallClock: wallClock + Math.round(into / TICKS_PER_MS), runId, time: placed.media + into - offset }
  }
}

/** A viewer's progress: media time follows the clock at a rate, stops in a pause, and never passes what was sent. */
export class Playhead {
  readonly #monotonic: () => number
  #media: number
  #since: number
  #rate = 1
  #isRunning = true

  /** `monotonic` in milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
    this.#since = monotonic()
    this.#media = FIRST_TICKS
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  get rate(): number {
    return this.#rate
  }

  /** Ticks. Time stops for a viewer who has to wait for us; backwards it doesn't. */
  at(sent: number): number {
    const elapsed = this.#isRunning ? (this.#monotonic() - this.#since) * TICKS_PER_MS * this.#rate : 0
    if (this.#rate > 0 && this.#media + elapsed > sent) this.jump(sent)
    else this.jump(this.#media + elapsed)
    return this.#media
  }

  jump(media: number): void {
    this.#media = media
    this.#since = this.#monotonic()
  }

  setRate(rate: number, sent: number): void {
    this.at(sent)
    this.#rate = rate
  }

  setRunning(isRunning: boolean, sent: number): void {
    this.at(sent)
    this.#isRunning = isRunning
  }
}
