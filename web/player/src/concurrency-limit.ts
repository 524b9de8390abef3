/** Runs a limited number of tasks at once. The others wait in order. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** A task whose signal is aborted while it waits never starts. Its promise rejects with the signal's reason. */
export function concurrencyLimit(max: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work, signal) => {
    if (running >= max) await new Promise<void>((start) => waiting.push(start))
    else running += 1
    try {
      signal?.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
