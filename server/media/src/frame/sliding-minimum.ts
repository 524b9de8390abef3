const BUCKET_MS = 10_000
const BUCKETS = 6

/** The smallest of the values of about the last minute; of the last 50 to 60 seconds of `at`, to be exact. */
export class SlidingMinimum {
  /** Minimums of spans of ten seconds, oldest first. */
  #buckets: { readonly number: number; least: number }[] = []

  get value(): number | undefined {
    let value = this.#buckets[0]?.least
    // Asked for with each picture.
    for (const { least } of this.#buckets) if (value !== undefined && least < value) value = least
    return value
  }

  /** `at` in milliseconds, never decreasing. */
  add(value: number, at: number): void {
    const number = Math.floor(at / BUCKET_MS)
    const last = this.#buckets.at(-1)
    if (last !== undefined && last.number >= number) {
      last.least = Math.min(last.least, value)
      return
    }
    this.#buckets = [...this.#buckets.filter((bucket) => bucket.number > number - BUCKETS), { number, least: value }]
  }

  /** All values become larger by that much. */
  shift(by: number): void {
    for (const bucket of this.#buckets) bucket.least += by
  }
}
