/** One at a time, in the order of their calls. */
export function syncTurns() {
  let turn: Promise<unknown> = Promise.resolve()
  /**
   * Does the work in turn. A waiting caller returns as soon as the signal aborts, so that a camera's channel can close and restart.
   * Work that has begun is waited for.
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
