import { type AccessUnit, SlidingMinimum } from '../frame/index.ts'
import { clockJumped } from './clock-jump.ts'
import type { RecorderMessage } from './record-options.ts'

const TICKS_PER_MS = 90
/** A run's beginning is known once no picture came sooner than expected for so long … */
const SETTLED_MS = 500
/** … or after this time. */
const MAX_SETTLING_MS = 900
/** Less than this is jitter. */
const SOONER_MS = 20
/** The clocks of camera and server are brought together so slowly that no picture gets a visibly wrong duration. */
const MAX_SLEW = 500e-6
/** A run that began while the network was stuck: its first minute catches up faster. */
const MAX_FIRST_SLEW = 0.05
const FIRST_MS = 60_000

/**
 * Gives the units of a run their times by the server's clock: where the run began plus their own times. The beginning is the
 * minimum of (arrival - time), because the network only ever delays; it follows the drift of the camera's clock by at most 500
 * ppm. A burst at the beginning, which some cameras send, lies before the connection.
 */
export class RunClock {
  /** Messages that wait until the beginning is known. */
  #held: RecorderMessage[] | undefined
  #heldSince = 0
  #soonerAt = 0
  #least = new SlidingMinimum()
  /** Wall clock of time 0; undefined between runs. */
  #base: number | undefined
  #firstTime = 0
  #last: AccessUnit | undefined

  get isHolding(): boolean {
    return this.#held !== undefined
  }

  /** What can be recorded now, in order. */
  take(message: RecorderMessage): readonly RecorderMessage[] {
    if (message.kind === 'unit') return this.#takeUnit(message)
    const held = this.rest()
    if (message.kind === 'ended') {
      this.#base = undefined
      this.#last = undefined
    }
    return [...held, message]
  }

  /** What waits. */
  rest(): readonly RecorderMessage[] {
    const held = this.#held ?? []
    this.#held = undefined
    const base = this.#least.value
    if (held.length > 0 && base !== undefined) this.#base = base
    return held.map((message) => (message.kind === 'unit' ? this.#timed(message) : message))
  }

  #takeUnit(message: Extract<RecorderMessage, { kind: 'unit' }>): readonly RecorderMessage[] {
    const { unit } = message
    if (this.#base === undefined && this.#held === undefined) {
      // Sound alone has no beginning that could be trusted.
      if (unit.kind !== 'video') return [message]
      this.#begin(unit)
    }
    if (unit.kind === 'video') this.#observe(unit)
    if (this.#held === undefined) return [this.#timed(message)]
    this.#held.push(message)
    const isSettled =
      unit.wallClock - this.#soonerAt >= SETTLED_MS || unit.wallClock - this.#heldSince >= MAX_SETTLING_MS
    // A clock that was set back meanwhile would never get there.
    return isSettled || unit.wallClock < this.#heldSince ? this.rest() : []
  }

  #begin({ wallClock, time }: AccessUnit): void {
    this.#held = []
    this.#heldSince = wallClock
    this.#soonerAt = wallClock
    this.#least = new SlidingMinimum()
    this.#firstTime = time / TICKS_PER_MS
  }

  #observe(unit: AccessUnit): void {
    const time = unit.time / TICKS_PER_MS
    const start = unit.wallClock - time
    const before = this.#last
    this.#last = unit
    if (before !== undefined && clockJumped(before, unit)) {
      this.#least = new SlidingMinimum()
      this.#firstTime = time
      if (this.#base !== undefined) this.#base = start
    }
    const least = this.#least.value
    if (least === undefined || start < least - SOONER_MS) this.#soonerAt = unit.wallClock
    this.#least.add(start, time)
    if (this.#base === undefined || before === undefined) return
    const wanted = (this.#least.value ?? start) - this.#base
    const isFirst = time - this.#firstTime < FIRST_MS && wanted < 0
    const most = Math.max(0, time - before.time / TICKS_PER_MS) * (isFirst ? MAX_FIRST_SLEW : MAX_SLEW)
    this.#base += Math.max(-most, Math.min(most, wanted))
  }

  #timed(message: Extract<RecorderMessage, { kind: 'unit' }>): RecorderMessage {
    const { unit } = message
    if (this.#base === undefined) return message
    return { ...message, unit: { ...unit, wallClock: Math.round(this.#base + unit.time / TICKS_PER_MS) } }
  }
}
