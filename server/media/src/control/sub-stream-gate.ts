/** A camera that had no connection left for its sub-stream gets this long without another try. */
export const DROPPED_MS = 3_600_000

/**
 * When the sub-stream of a camera may be connected: while the main stream is, so that a wrong password is not tried twice
 * as often, and not for an hour after the camera had no connection left (453 or 503).
 */
export class SubStreamGate implements Disposable {
  #isMainOnline = false
  #isDropped = false
  #dropped = new AbortController()
  #changed = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined

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
    this.#isDropped = true
    this.#dropped.abort()
    this.#dropped = new AbortController()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isDropped = false
      this.#wake()
    }, DROPPED_MS).unref()
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
    return this.#isMainOnline && !this.#isDropped
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
