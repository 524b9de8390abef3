import { type RecordedSpan, type RecordedUnit, recordedUnits } from './recorded-units.ts'

/** The units of a span, one by one; the next one can be looked at, and waits until it is taken. */
export class RecordedReader implements AsyncDisposable {
  readonly #units: AsyncGenerator<RecordedUnit, void, undefined>
  readonly #ending = new AbortController()
  #next: Promise<RecordedUnit | undefined> | undefined
  #seen: RecordedUnit | undefined

  constructor(span: Omit<RecordedSpan, 'signal'>) {
    this.#units = recordedUnits({ ...span, signal: this.#ending.signal })
  }

  /** What was found by the last look; undefined before the first, and after it was taken. */
  get seen(): RecordedUnit | undefined {
    return this.#seen
  }

  /** Undefined at the end, or if the signal aborts before it is known. */
  async look(signal?: AbortSignal): Promise<RecordedUnit | undefined> {
    this.#next ??= this.#read()
    if (signal === undefined) return await this.#next
    if (signal.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.race([this.#next, promise])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  take(): void {
    this.#next = undefined
    this.#seen = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#next?.catch(() => undefined)
    await this.#units.return().catch(() => undefined)
  }

  async #read(): Promise<RecordedUnit | undefined> {
    const { value } = await this.#units.next()
    this.#seen = value ?? undefined
    return this.#seen
  }
}
