import { performance } from 'node:perf_hooks'

/** Milliseconds since 1970, with a fraction. */
export type EpochMs = number

/**
 * Wall clock that never steps: the machine's clock as it was when the process started, carried on by the monotonic one.
 * A correction of the machine's clock while running does not disturb the pace of the pictures.
 */
export const steadyNow = (): EpochMs => performance.timeOrigin + performance.now()
