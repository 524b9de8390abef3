import { performance } from 'node:perf_hooks'

/** Milliseconds since 1970, with a fraction. */
export type EpochMs = number

/** Further behind than a wall clock is ever corrected while running; a machine that slept is. */
const SLEPT_MS = 5000

/**
 * A wall clock that never goes back and ignores corrections of the machine's clock: it is read once and advanced by the
 * monotonic clock. That one stops while the machine sleeps, so when the wall clock is ahead by more than five seconds
 * it is read again.
 */
export function steadyClock(wall: () => EpochMs, monotonic: () => number): () => EpochMs {
  let offset = wall() - monotonic()
  return () => {
    const behind = wall() - (monotonic() + offset)
    if (behind > SLEPT_MS) offset += behind
    return monotonic() + offset
  }
}

/** The clock of all cameras in this process. */
export const steadyNow: () => EpochMs = steadyClock(
  () => Date.now(),
  () => performance.now(),
)
