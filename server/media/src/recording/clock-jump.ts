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
