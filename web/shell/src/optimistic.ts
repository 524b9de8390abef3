/** Optimistic changes: shown before the server has confirmed them, and undone if it rejects them. */
export interface Optimistic<Change> {
  /** Pending changes, oldest first; the same array until something changes. */
  readonly pending: () => readonly Change[]
  change(change: Change): void
  subscribe(listener: () => void): () => void
}

export interface OptimisticDeps<State, Change> {
  /** The value before the first change. Changes are ignored while it is undefined. */
  readonly read: () => State | undefined
  readonly show: (state: State) => void
  readonly apply: (state: State, change: Change) => State
  /** Sends one change; resolves with the server's new value. */
  readonly send: (change: Change) => Promise<State>
  readonly failed: (error: unknown, change: Change) => void
}

/**
 * Sends changes one after another. Always shows the server's latest value with the pending changes on top, so a
 * response or rejection of one change doesn't affect the others.
 */
export function createOptimistic<State, Change>(parts: OptimisticDeps<State, Change>): Optimistic<Change> {
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
