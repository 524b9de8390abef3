/** More are not remembered: the oldest is forgotten, which costs one more entry in the audit log. */
const MAX_SPANS = 10_000

/** Uses that consist of many calls in a row, each span of which is recorded once. */
export class SpansOfUse {
  readonly #pauseMs: number
  readonly #now: () => number
  readonly #lastUses = new Map<string, number>()

  /** @param pauseMs a use that pauses for longer is another one */
  constructor(pauseMs: number, now: () => number) {
    this.#pauseMs = pauseMs
    this.#now = now
  }

  /** Whether this is part of a span that has begun; then it lasts on. */
  goesOn(use: string): boolean {
    const last = this.#lastUses.get(use)
    if (last === undefined || this.#now() - last > this.#pauseMs) return false
    this.#keep(use)
    return true
  }

  begin(use: string): void {
    this.#keep(use)
  }

  #keep(use: string): void {
    // The order of the map is that of the last uses.
    this.#lastUses.delete(use)
    this.#lastUses.set(use, this.#now())
    if (this.#lastUses.size <= MAX_SPANS) return
    const [oldest] = this.#lastUses.keys()
    if (oldest !== undefined) this.#lastUses.delete(oldest)
  }
}
