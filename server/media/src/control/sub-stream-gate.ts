/** A camera that had no connection left for its sub-stream gets this long without another try. */
export const DROPPED_MS = 3_600_000

/**
 * When the sub-stream of a camera may be connected: while the main stream is, so that a wrong password is not tried twice
 * as often, and not for an hour after the camera had no connection left (453 or 503).
 */
export class SubStreamGate implements Disposable {
  readonly #monotonic: () => number
  #isMainOnline = false
  #droppedUntil = Number.NEGATIVE_INFINITY
  #dropped = new AbortController()
  #changed = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined

  /** `monotonic`: milliseconds that are never set back. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** Whether the main stream is connected now. */
  set isMainOnline(isOnline: boolean) {
    this.#isMainOnline = isOnline
    this.#wake()
  }

  /** Aborts when the connection has to be given up. */
  get dropped(): AbortSignal {
    return this.#dropped.signal
  }

  /** Gives the sub-stream up for an hour. */
  drop(): void {
    this.#droppedUntil = this.#monotonic() + DROPPED_MS
    this.#dropped.abort()
    this.#dropped = new AbortController()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#wake(), DROPPED_MS).unref()
  }

  /** Resolves when the sub-stream may be connected, or the signal aborts. */
  async untilOpen(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#wake()
    signal.addEventListener('abort', stop, { once: true })
    while (!signal.aborted && !this.#isOpen) await this.#changed.promise
    signal.removeEventListener('abort', stop)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#wake()
  }

  get #isOpen(): boolean {
    return this.#isMainOnline && this.#monotonic() >= this.#droppedUntil
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
