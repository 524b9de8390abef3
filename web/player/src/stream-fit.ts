import type { Phase, ViewState } from './view-state.ts'

/** Pictures that are late for this long won't catch up. */
const SLOW_MS = 4000
/** So long without a delay before the main stream is tried again; twice as long after each try. */
const FIRST_TRY_MS = 60_000
const LONGEST_TRY_MS = 16 * 60_000

/** What a view says while it shows that stream for the network's sake. */
export const stateOfFit: Readonly<Record<'main' | 'sub', Partial<ViewState>>> = {
  main: {},
  sub: { isSubStream: true, isNetworkSlow: true },
}

/** Chooses the stream that a network has room for: the sub-stream if live pictures of the main stream fall behind. */
export class StreamFit {
  #lateSince: number | undefined
  #smallSince: number | undefined
  #tryAfterMs = FIRST_TRY_MS

  /** Asked again and again with the phase of the view, at `now` milliseconds; the stream to change to, if any. */
  next(phase: Phase | 'lost', now: number): 'main' | 'sub' | undefined {
    if (this.#smallSince !== undefined) return this.#tryMain(phase, now, this.#smallSince)
    // A picture that stalls may be the camera's fault, or the network's between two that are late.
    if (phase === 'playing') this.#lateSince = undefined
    else if (phase === 'delayed') this.#lateSince ??= now
    if (phase !== 'delayed' || now - (this.#lateSince ?? now) < SLOW_MS) return undefined
    this.#lateSince = undefined
    this.#smallSince = now
    return 'sub'
  }

  #tryMain(phase: Phase | 'lost', now: number, since: number): 'main' | undefined {
    if (phase !== 'playing') this.#smallSince = now
    if (phase !== 'playing' || now - since < this.#tryAfterMs) return undefined
    this.#smallSince = undefined
    this.#tryAfterMs = Math.min(this.#tryAfterMs * 2, LONGEST_TRY_MS)
    return 'main'
  }
}
