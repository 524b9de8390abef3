/** The clock of the database, for leases: the clocks of machines differ, and each would judge the others' leases by its own. */
export class DatabaseClock {
  readonly #ownNow: () => number
  #aheadMs = 0

  /** @param ownNow this machine's clock, milliseconds since 1970. */
  constructor(ownNow: () => number) {
    this.#ownNow = ownNow
  }

  /** The database has just said what time it is. */
  set(databaseNow: number): void {
    this.#aheadMs = databaseNow - this.#ownNow()
  }

  readonly now = (): number => this.#ownNow() + this.#aheadMs
}
