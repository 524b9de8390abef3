import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../log/index.ts'
import type { Postmaster } from './postmaster.ts'

export interface Supervision {
  /** Starts the server again; rejects with the reason if it can't be started now. */
  readonly start: (signal: AbortSignal) => Promise<Postmaster>
  readonly log: Pick<Logger, 'error' | 'info'>
  /** The pause before the next start, by how often the server has failed in a row. */
  readonly pauseMs: (failures: number) => number
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonic?: () => number
}

/** A server that is started again each time it ends, until it is stopped. */
export interface SupervisedPostmaster {
  readonly pid: () => number
  /** Why the server isn't running; undefined while it is. */
  readonly problem: () => string | undefined
  /** Ends the server, or the attempts to start it. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 30_000
/**
 * A server that ran for so long starts with short pauses again: it worked, so a pause would only keep people from signing in. One that
 * can't run ends sooner.
 */
const HEALTHY_MS = 10_000

/** 200 ms after the first failure, because most crashes happen once; then 1 s, doubled up to 30 s. */
export const restartPauseMs = (failures: number): number =>
  failures <= 1 ? FIRST_PAUSE_MS : Math.min(1000 * 2 ** (failures - 2), LONGEST_PAUSE_MS)

/**
 * Keeps a server running. There is no last attempt: recording continues without the database, and what keeps the server from starting,
 * such as a full disk or missing permissions, may be corrected at any time.
 */
export function supervise(
  first: Postmaster,
  { start, log, pauseMs, monotonic = () => performance.now() }: Supervision,
): SupervisedPostmaster {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = first
  let problem: string | undefined
  let failures = 0

  /** Whether it runs again. */
  const isRestarted = async (): Promise<boolean> => {
    await sleep(pauseMs(failures), undefined, { signal }).catch(() => undefined)
    try {
      current = await start(signal)
      log.info('PostgreSQL is running again')
      problem = undefined
      return true
    } catch (error) {
      if (signal.aborted) return false
      failures += 1
      problem = error instanceof Error ? error.message : String(error)
      log.error(
        { reason: problem, retryInMs: pauseMs(failures) },
        'PostgreSQL could not be started and is tried again. Recording continues; sign-in and changes fail until it runs',
      )
      return false
    }
  }
  const untilStopped = async (): Promise<void> => {
    while (!signal.aborted) {
      const since = monotonic()
      const exit = await current.ended
      if (signal.aborted) return
      failures = monotonic() - since > HEALTHY_MS ? 1 : failures + 1
      problem = `PostgreSQL stopped unexpectedly (${exit})`
      log.error({ exit, retryInMs: pauseMs(failures) }, 'PostgreSQL stopped unexpectedly; restarting it')
      while (!signal.aborted && !(await isRestarted()));
    }
  }
  const over = untilStopped()
  return {
    pid: () => current.pid,
    problem: () => problem,
    async stop() {
      stopping.abort()
      await current.stop()
      await over
      // A start that was finished while it was cancelled.
      await current.stop()
    },
  }
}
