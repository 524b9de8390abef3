import type { Phase, ViewState } from './view-state.ts'

/** Pictures that are late for this long won't catch up. */
const SLOW_MS = 4000
/** So long without a delay before the main stream is tried again; twice as long after each try. */
const FIRST_TRY_MS = 60_000
const LONGEST_TRY_MS = 16 * 60_000

/** What a view says while it shows that stream for the network's sake. */
const stateOfFit: Readonly<Record<'main' | 'sub', Partial<ViewState>>> = {
  main: {},
  sub: { isSubStream: true, isNetworkSlow: true },
}

export function withStream(state: ViewState, stream: 'main' | 'sub'): ViewState {
  const { isSubStream: _, isNetworkSlow: __, ...others } = state
  return { ...others, ...stateOfFit[stream] }
}

/** When the main stream is tried again, while the sub-stream is shown. Times are milliseconds of one clock. */
export class MainStreamTries {
  #fineSince: number | undefined
  #afterMs = FIRST_TRY_MS

  /** The sub-stream is shown from now on. */
  begin(now: number): void {
    this.#fineSince = now
  }

  get isBegun(): boolean {
    return this.#fineSince !== undefined
  }

  /** Asked again and again; `isFine` if pictures come without delay. A try ends what {@link begin} began. */
  isDue(isFine: boolean, now: number): boolean {
    if (!isFine) this.#fineSince = now
    if (!isFine || now - (this.#fineSince ?? now) < this.#afterMs) return false
    this.end()
    return true
  }

  /** The main stream is shown again; the next try waits twice as long. Returns how long this one had to wait, milliseconds. */
  end(): number {
    const waited = this.#afterMs
    this.#fineSince = undefined
    this.#afterMs = Math.min(this.#afterMs * 2, LONGEST_TRY_MS)
    return waited
  }
}

/** Chooses the stream that a network has room for: the sub-stream if live pictures of the main stream fall behind. */
export class StreamFit {
  #lateSince: number | undefined
  readonly #tries = new MainStreamTries()

  /** Asked again and again with the phase of the view, at `now` milliseconds; the stream to change to, if any. */
  next(phase: Phase | 'lost', now: number): 'main' | 'sub' | undefined {
    if (this.#tries.isBegun) return this.#tries.isDue(phase === 'playing', now) ? 'main' : undefined
    // A picture that stalls may be the camera's fault, or the network's between two that are late.
    if (phase === 'playing') this.#lateSince = undefined
    else if (phase === 'delayed') this.#lateSince ??= now
    if (phase !== 'delayed' || now - (this.#lateSince ?? now) < SLOW_MS) return undefined
    this.#lateSince = undefined
    this.#tries.begin(now)
    return 'sub'
  }
}
