import type { FollowedState } from '@sightline/contract/event-states'

/** What of an account changed. */
export type ChangeKind = 'events' | FollowedState

/** Waits for changes of one account. */
export interface Woken extends Disposable {
  /** What changed since the last call, as soon as something did; empty after a time without changes, or at the end. */
  next(afterMs: number, signal: AbortSignal): Promise<ReadonlySet<ChangeKind>>
}

type Listen = (listener: (notice: string | undefined) => void) => () => void
type Wake = (what: ChangeKind | undefined) => void

/** Passes notices of the database on to the streams of an account; one subscription serves all of them. */
export class WakeUps {
  readonly #listen: Listen
  readonly #accounts = new Map<number, Set<Wake>>()
  #stop: (() => void) | undefined

  constructor(listen: Listen) {
    this.#listen = listen
  }

  /** Wakes for the kinds of changes that the stream follows. */
  of(accountId: number, follows: ReadonlySet<ChangeKind>): Woken {
    let changed = new Set<ChangeKind>()
    let wake: (() => void) | undefined
    const tell: Wake = (what) => {
      if (what === undefined) changed = new Set(follows)
      else if (follows.has(what)) changed.add(what)
      else return
      wake?.()
    }
    this.#add(accountId, tell)
    return {
      async next(afterMs, signal) {
        if (changed.size === 0 && !signal.aborted) {
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
        const was = changed
        changed = new Set()
        return was
      },
      [Symbol.dispose]: () => this.#remove(accountId, tell),
    }
  }

  #add(accountId: number, tell: Wake): void {
    const listeners = this.#accounts.get(accountId) ?? new Set()
    listeners.add(tell)
    this.#accounts.set(accountId, listeners)
    this.#stop ??= this.#listen((notice) => this.#tell(notice))
  }

  /** `7` is a change of account 7's events, `7 cameras` one of its cameras' states. Without a notice, some may be lost. */
  #tell(notice: string | undefined): void {
    if (notice === undefined) {
      for (const listeners of this.#accounts.values()) for (const tell of listeners) tell(undefined)
      return
    }
    const [account, what = 'events'] = notice.split(' ')
    for (const tell of this.#accounts.get(Number(account)) ?? []) tell(what as ChangeKind)
  }

  #remove(accountId: number, tell: Wake): void {
    const listeners = this.#accounts.get(accountId)
    listeners?.delete(tell)
    if (listeners?.size === 0) this.#accounts.delete(accountId)
    if (this.#accounts.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}
