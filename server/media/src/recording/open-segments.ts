import type { Id128, IndexedPart } from './segment-layout.ts'

/** Of a segment that is being written: its complete parts so far, and where the next one begins. */
export interface SegmentProgress {
  readonly parts: readonly IndexedPart[]
  readonly next: number
}

/** More than the cameras of a worker have open at a time; the one that was read the longest time ago is forgotten. */
const MOST = 500

/**
 * Remembers the parts of segments that are being written, which have no INDEX yet: whoever opens one again, for another jump, reads only
 * what was added since. What was written is never changed.
 */
export class OpenSegments {
  readonly #known = new Map<Id128, SegmentProgress>()

  find(segmentId: Id128): SegmentProgress | undefined {
    return this.#known.get(segmentId)
  }

  note(segmentId: Id128, known: SegmentProgress): void {
    this.forget(segmentId)
    this.#known.set(segmentId, known)
    const oldest = this.#known.size > MOST ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  forget(segmentId: Id128): void {
    this.#known.delete(segmentId)
  }
}
