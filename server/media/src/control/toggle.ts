/** Something that is on or off, for those who wait for either. */
export class Toggle {
  #isOn: boolean
  #off = new AbortController()
  #on = Promise.withResolvers<void>()

  constructor(isOn: boolean) {
    this.#isOn = isOn
    if (!isOn) this.#off.abort()
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** Aborts when it is turned off, with the reason; another one once it is on again. */
  get off(): AbortSignal {
    return this.#off.signal
  }

  turnOn(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#off = new AbortController()
    this.#on.resolve()
  }

  turnOff(reason?: string): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#on = Promise.withResolvers()
    this.#off.abort(reason)
  }

  /** Resolves when it is on, or the signal aborts. */
  async untilOn(signal: AbortSignal): Promise<void> {
    if (this.#isOn || signal.aborted) return
    const aborted = Promise.withResolvers<void>()
    const stop = () => aborted.resolve()
    signal.addEventListener('abort', stop, { once: true })
    await Promise.race([this.#on.promise, aborted.promise])
    signal.removeEventListener('abort', stop)
  }
}
