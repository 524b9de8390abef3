/** Runs one at a time: what is asked for while one runs is done by the next one, once for all who asked. */
export interface JoinedRuns {
  run(): Promise<void>
  /** Resolves when nothing runs any more; never rejects. */
  settled(): Promise<void>
}

export function joinedRuns(work: () => Promise<void>): JoinedRuns {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return {
    run() {
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined
          running = work()
          return running
        })
      return next
    },
    settled: () => (next ?? running).catch(() => undefined),
  }
}
