/** Lets so much work of one key run at once; the rest waits in order, up to a bound. */
export interface Turns {
  /** The outcome of `work`, or `full` where too much of that key waits already. */
  take<T>(key: number, work: () => Promise<T>): Promise<T | 'full'>
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Keeps one account from taking every connection of the database: what waits here holds none of them. Without it eight
 * calls that wait for a row of one account would stop everybody else's.
 */
export function turns({ atOnce, waiting: mostWaiting }: { atOnce: number; waiting: number }): Turns {
  const lines = new Map<number, Line>()
  return {
    async take(key, work) {
      const line = lines.get(key) ?? { running: 0, waiting: [] }
      lines.set(key, line)
      if (line.running >= atOnce) {
        if (line.waiting.length >= mostWaiting) return 'full'
        await new Promise<void>((go) => line.waiting.push(go))
      } else line.running += 1
      try {
        return await work()
      } finally {
        const next = line.waiting.shift()
        // The place is handed on, so that nobody who comes now is served before.
        if (next !== undefined) next()
        else {
          line.running -= 1
          if (line.running === 0) lines.delete(key)
        }
      }
    },
  }
}
