import { setTimeout as sleep } from 'node:timers/promises'
import { TICKS_PER_SECOND } from '../frame/index.ts'

/** What is sent ahead of its time, so that a player never waits for a timer of ours. */
const LEAD_MS = 200
/** A client that was late by more isn't flooded with what it missed: time stood still for it. */
const MAX_LATE_MS = 2000
const TICKS_PER_MS = TICKS_PER_SECOND / 1000

/** Sends by the clock: what lies a second apart in the session is sent a second apart. */
export class SendingClock {
  #begun: number | undefined

  /** Waits until it is time for a unit; `time` in ticks of the session. */
  async until(time: number, signal: AbortSignal): Promise<void> {
    const at = time / TICKS_PER_MS
    const now = performance.now()
    this.#begun ??= now - at
    const late = now - (this.#begun + at)
    if (late > MAX_LATE_MS) this.#begun += late
    const wait = this.#begun + at - LEAD_MS - now
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
  }
}
