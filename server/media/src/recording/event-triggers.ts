/** What is recorded before an event, unless users choose more. */
const PRE_ROLL_MS = 5000
/** What is recorded after its end. */
const POST_ROLL_MS = 10_000

/** No event is reported later than this. */
const KEPT_MS = 600_000

/** Of one camera at the same time; users may add any number of events, also to a time long ago. */
const MAX_SPANS = 256

interface Span {
  readonly from: number
  /** Undefined until the event ends. */
  readonly until: number | undefined
}

/**
 * The times at which a camera that records on events is to be recorded: each event with what is recorded before and after
 * it. Overlapping events extend each other. Times in milliseconds since 1970.
 */
export class EventTriggers {
  readonly #spans = new Map<string, Span>()
  readonly #followers = new Set<() => void>()
  #preRollMs: number

  constructor(preRollMs = PRE_ROLL_MS) {
    this.#preRollMs = preRollMs
  }

  /** What is recorded before an event. */
  get preRollMs(): number {
    return this.#preRollMs
  }

  /** Applies to events that begin from now on. */
  plan(preRollMs: number): void {
    this.#preRollMs = preRollMs
  }

  /** An event begins. `key` identifies it until {@link end}; with `endsAt` it is over by then. */
  begin(key: string, { at, endsAt }: { readonly at: number; readonly endsAt?: number }): void {
    const until = endsAt === undefined ? undefined : endsAt + POST_ROLL_MS
    for (const [other, span] of this.#spans)
      if (span.until !== undefined && span.until < at - KEPT_MS) this.#spans.delete(other)
    this.#spans.delete(key)
    this.#spans.set(key, { from: at - this.#preRollMs, until })
    if (this.#spans.size > MAX_SPANS) this.#dropOldest()
    for (const follow of this.#followers) follow()
  }

  end(key: string, at: number): void {
    const span = this.#spans.get(key)
    if (span !== undefined && span.until === undefined) this.#spans.set(key, { ...span, until: at + POST_ROLL_MS })
  }

  isWanted(time: number): boolean {
    for (const { from, until = Number.POSITIVE_INFINITY } of this.#spans.values())
      if (from <= time && time <= until) return true
    return false
  }

  /** Where recording has to start for what was not recorded since `since`; undefined if nothing of it is wanted by `now`. */
  findStart(since: number, now: number): number | undefined {
    let start: number | undefined
    // Several streams of a camera ask, each for its own time.
    for (const { from, until = Number.POSITIVE_INFINITY } of this.#spans.values())
      if (until >= since && from <= now) start = Math.min(start ?? from, from)
    return start === undefined ? undefined : Math.max(start, since)
  }

  /** Of those that have an end: the others are few, and have to go on. */
  #dropOldest(): void {
    for (const [key, { until }] of this.#spans) if (until !== undefined) return void this.#spans.delete(key)
  }

  /** Calls back at each new event until the result is called. */
  follow(changed: () => void): () => void {
    this.#followers.add(changed)
    return () => void this.#followers.delete(changed)
  }
}
