import { fail, ok, type Result } from '@sightline/platform/result'

/** Runs one piece of work, or refuses at once because too many are waiting. */
export type Limited = <T>(work: () => Promise<T>) => Promise<Result<T, 'overloaded'>>

/** At most `running` at a time, at most `waiting` more in a queue, first come first served. */
export function limited(limits: { readonly running: number; readonly waiting: number }): Limited {
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running >= limits.running) {
      if (queue.length >= limits.waiting) return fail('overloaded')
      // Whoever leaves hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      running += 1
    }
    try {
      return ok(await work())
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
