/** Runs work, at most so many at once; the rest waits in the order in which it came. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Work whose signal is aborted while it waits never starts; its promise rejects with the signal's reason. */
export function concurrencyLimit(max: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work, signal) => {
    if (running >= max) await new Promise<void>((start) => waiting.push(start))
    else running += 1
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
