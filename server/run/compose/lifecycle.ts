import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@sightline/platform/log'

/** The launcher kills remaining processes 10 s after it requests a stop. */
const STOP_MS = 9000

/** What runs, in the order it was started. Parts are stopped in the opposite order. */
export interface Lifecycle extends AsyncDisposable {
  /** Aborted on a stop request; passed to each start, so that a slow one can be cancelled. */
  readonly signal: AbortSignal
  /** Starts one part and keeps it until the end. Logs the duration. */
  start<P extends AsyncDisposable>(name: string, start: (signal: AbortSignal) => Promise<P>): Promise<P>
}

/** @param patienceMs the time limit for stopping all parts together; each gets at least half a second. */
export function lifecycle(log: Logger, signal: AbortSignal, patienceMs = STOP_MS): Lifecycle {
  const parts: { readonly name: string; readonly part: AsyncDisposable }[] = []
  return {
    signal,
    async start(name, start) {
      signal.throwIfAborted()
      const began = performance.now()
      const part = await start(signal)
      parts.push({ name, part })
      log.info({ ms: Math.round(performance.now() - began) }, `${name} is up`)
      return part
    },
    async [Symbol.asyncDispose]() {
      const deadline = Date.now() + patienceMs
      for (const { name, part } of parts.toReversed()) await stopPart(name, part, { log, deadline })
      parts.length = 0
    },
  }
}

/**
 * A part that fails or hangs while stopping must not keep those below it, above all the database, from stopping
 * cleanly.
 */
async function stopPart(name: string, part: AsyncDisposable, { log, deadline }: { log: Logger; deadline: number }) {
  const began = performance.now()
  const patience = new AbortController()
  try {
    const late = sleep(Math.max(deadline - Date.now(), 500), 'late', { signal: patience.signal })
    const outcome = await Promise.race([part[Symbol.asyncDispose](), late])
    if (outcome === 'late') log.warn(`${name} did not stop in time; continuing without it`)
    else log.info({ ms: Math.round(performance.now() - began) }, `${name} is stopped`)
  } catch (err) {
    log.error({ err }, `${name} failed while stopping`)
  } finally {
    patience.abort()
  }
}
