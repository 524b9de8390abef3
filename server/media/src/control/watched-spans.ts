/** Milliseconds since 1970. */
export interface WatchedSpan {
  readonly from: number
  readonly till: number
}

/** Footage that is this close together counts as watched in one go: fast rates leave pictures out, and short steps skip some. */
const NEAR_MS = 10_000
/** Someone who jumps around for an hour: the closest of more are put together. */
const MAX_SPANS = 20

/** Which times of a camera's footage were sent to a viewer. */
export class WatchedSpans {
  #spans: readonly WatchedSpan[] = []

  add(span: WatchedSpan): void {
    const isNear = (one: WatchedSpan) => one.from <= span.till + NEAR_MS && one.till >= span.from - NEAR_MS
    const near = [span, ...this.#spans.filter(isNear)]
    const others = this.#spans.filter((one) => !isNear(one))
    this.#spans = [...others, joined(near)].toSorted((one, other) => one.from - other.from)
    if (this.#spans.length > MAX_SPANS) this.#joinClosest()
  }

  /** In order of time; forgets them. */
  take(): readonly WatchedSpan[] {
    const taken = this.#spans
    this.#spans = []
    return taken
  }

  #joinClosest(): void {
    const distances = this.#spans.slice(1).map(({ from }, at) => from - (this.#spans[at]?.till ?? from))
    const at = distances.indexOf(Math.min(...distances))
    this.#spans = [...this.#spans.slice(0, at), joined(this.#spans.slice(at, at + 2)), ...this.#spans.slice(at + 2)]
  }
}

const joined = (spans: readonly WatchedSpan[]): WatchedSpan => ({
  from: Math.min(...spans.map(({ from }) => from)),
  till: Math.max(...spans.map(({ till }) => till)),
})
