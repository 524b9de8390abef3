/** Most open streams; undefined is without end. */
export interface StreamLimits {
  readonly perPerson: number | undefined
  readonly perAccount: number | undefined
}

/** The owner of an open stream. */
interface Owned {
  readonly person: string
  readonly accountId: number
}

/** Open streams, counted by user and by account. */
export class OpenStreams<Stream extends Owned> {
  readonly #limits: StreamLimits
  readonly #streams = new Set<Stream>()
  readonly #ofPerson = new Map<string, number>()
  readonly #ofAccount = new Map<number, number>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#streams.size
  }

  all(): readonly Stream[] {
    return [...this.#streams]
  }

  isFull(person: string, accountId: number): boolean {
    const { perPerson = Number.POSITIVE_INFINITY, perAccount = Number.POSITIVE_INFINITY } = this.#limits
    return (this.#ofPerson.get(person) ?? 0) >= perPerson || (this.#ofAccount.get(accountId) ?? 0) >= perAccount
  }

  add(stream: Stream): void {
    this.#streams.add(stream)
    this.#count(stream, 1)
  }

  delete(stream: Stream): void {
    if (this.#streams.delete(stream)) this.#count(stream, -1)
  }

  #count({ person, accountId }: Owned, by: 1 | -1): void {
    countIn(this.#ofPerson, person, by)
    countIn(this.#ofAccount, accountId, by)
  }
}

function countIn<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
