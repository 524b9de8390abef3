import { setInterval } from 'node:timers/promises'

/** Milliseconds since 1970-01-01T00:00:00Z, without leap seconds (like `Date.now()`). */
export type EpochMs = number

export const MS_PER_SECOND = 1000
export const MS_PER_MINUTE = 60_000
export const MS_PER_HOUR = 3_600_000
export const MS_PER_DAY = 86_400_000

/** The source of time for rules, so that a test can replace it. */
export interface Clock {
  now(): EpochMs
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that advances only on request. */
export interface ManualClock extends Clock {
  advance(ms: number): void
}

/** For tests: starts at `start` and moves only by `advance`. */
export function manualClock(start: EpochMs): ManualClock {
  let now = start
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}

/**
 * Runs `work` every `ms` milliseconds, never concurrently, until the signal; keeps no process alive. An error ends it,
 * so `work` handles its own failures.
 */
export async function repeatEvery(signal: AbortSignal, ms: number, work: () => Promise<unknown>): Promise<void> {
  try {
    for await (const _ of setInterval(ms, undefined, { signal, ref: false })) await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
