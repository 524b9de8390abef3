/** Changes that show before the server has them, and are taken back where it refuses. */
export interface Optimistic<Change> {
  /** Those on their way, oldest first; the same array until something changes. */
  readonly pending: () => readonly Change[]
  change(change: Change): void
  subscribe(listener: () => void): () => void
}

export interface OptimisticParts<State, Change> {
  /** What is shown before the first change; undefined while nothing is known: changes are then left. */
  readonly read: () => State | undefined
  readonly show: (state: State) => void
  readonly apply: (state: State, change: Change) => State
  /** Sends one change; resolves with what the server then holds. */
  readonly send: (change: Change) => Promise<State>
  readonly failed: (error: unknown, change: Change) => void
}

/**
 * Sends changes one after the other and always shows the server's last word with what is still on its way laid over, so
 * that neither a reply nor a refusal of one change touches another.
 */
export function createOptimistic<State, Change>(parts: OptimisticParts<State, Change>): Optimistic<Change> {
  const { read, show, apply, send, failed } = parts
  const listeners = new Set<() => void>()
  let waiting: readonly Change[] = []
  const update = (confirmed: State, next: readonly Change[]) => {
    waiting = next
    show(waiting.reduce(apply, confirmed))
    for (const listener of listeners) listener()
  }
  const sendAll = async (from: State) => {
    let confirmed = from
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const change = next
      try {
        confirmed = await send(change)
      } catch (error) {
        failed(error, change)
      } finally {
        update(confirmed, waiting.slice(1))
      }
    }
  }
  return {
    pending: () => waiting,
    change(change) {
      const before = read()
      if (before === undefined) return
      if (waiting.length > 0) {
        waiting = [...waiting, change]
        show(apply(before, change))
        for (const listener of listeners) listener()
        return
      }
      update(before, [change])
      void sendAll(before)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
