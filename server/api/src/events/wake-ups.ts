/** Waits for changes of one account. */
export interface Woken extends Disposable {
  /** True as soon as something changed since the last call; false after a time without changes, or at the end. */
  next(afterMs: number, signal: AbortSignal): Promise<boolean>
}

type Listen = (listener: (account: string | undefined) => void) => () => void

/** Passes notices of the database on to the streams of an account; one subscription serves all of them. */
export class WakeUps {
  readonly #listen: Listen
  readonly #accounts = new Map<number, Set<() => void>>()
  #stop: (() => void) | undefined

  constructor(listen: Listen) {
    this.#listen = listen
  }

  of(accountId: number): Woken {
    let isChanged = false
    let wake: (() => void) | undefined
    const changed = () => {
      isChanged = true
      wake?.()
    }
    this.#add(accountId, changed)
    return {
      async next(afterMs, signal) {
        if (!isChanged && !signal.aborted) {
          const { promise, resolve } = Promise.withResolvers<void>()
          wake = resolve
          const timer = setTimeout(resolve, afterMs)
          const end = () => resolve()
          signal.addEventListener('abort', end)
          await promise
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          wake = undefined
        }
        const was = isChanged
        isChanged = false
        return was
      },
      [Symbol.dispose]: () => this.#remove(accountId, changed),
    }
  }

  #add(accountId: number, changed: () => void): void {
    const listeners = this.#accounts.get(accountId) ?? new Set()
    listeners.add(changed)
    this.#accounts.set(accountId, listeners)
    this.#stop ??= this.#listen((account) => {
      const woken = account === undefined ? [...this.#accounts.values()] : [this.#accounts.get(Number(account)) ?? []]
      for (const set of woken) for (const wake of set) wake()
    })
  }

  #remove(accountId: number, changed: () => void): void {
    const listeners = this.#accounts.get(accountId)
    listeners?.delete(changed)
    if (listeners?.size === 0) this.#accounts.delete(accountId)
    if (this.#accounts.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}
