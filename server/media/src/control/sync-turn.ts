/** One at a time, in the order of their calls. */
export function syncTurns() {
  let turn: Promise<unknown> = Promise.resolve()
  /**
   * Does the work when it is its turn. Whoever only waits leaves as soon as the signal aborts, because a camera's channel can't close
   * or begin again before; work that has begun is waited for.
   */
  return async (work: () => Promise<void>, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    let begun: Promise<void> | undefined
    const done = turn.then(async () => {
      if (signal.aborted) return
      begun = work()
      await begun
    })
    turn = done.catch(() => undefined)
    const { promise: left, resolve } = Promise.withResolvers<void>()
    const leave = () => resolve()
    signal.addEventListener('abort', leave, { once: true })
    try {
      await Promise.race([done, left])
      await begun
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
