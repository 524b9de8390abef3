import type { Gap } from './view-state.ts'

/** If footage was requested from the middle of a gap, the gap begins earlier than the server said. */
interface ReportedGap extends Gap {
  readonly isCut: boolean
}

/** Gaps remembered of one camera. */
const MOST_GAPS = 200
const ROUNDING_MS = 20
/** A picture may be this much later than its own time of day, which its neighbours smooth. The last before a gap seems to be in it then. */
const LATEST_MS = 100

/** The gaps in one camera's footage that the server has reported since the last jump. Times are milliseconds since 1970. */
export class ReportedGaps {
  #gaps: ReportedGap[] = []

  clear(): void {
    this.#gaps = []
  }

  /** `askedAt` is from when on footage was asked for. */
  add({ from, till }: Gap, askedAt: number): void {
    const isCut = Math.abs(from - askedAt) < ROUNDING_MS
    this.#gaps = [...this.#gaps.slice(-MOST_GAPS), { from, till, isCut }]
  }

  at(time: number): Gap | undefined {
    return this.#gaps.find(({ from, till }) => time >= from && time < till)
  }

  /** The gap that begins right after the picture which is seen at `time` and lasts no longer than `longestMs`. */
  after(time: number, longestMs: number): Gap | undefined {
    return this.#gaps.find(({ from, till }) => till > time && from > time - LATEST_MS && from - time < longestMs)
  }

  /** The gap that ends where the picture at `begin` begins. */
  before(begin: number): Gap | undefined {
    return this.#gaps.find(({ till, isCut }) => Math.abs(till - begin) < ROUNDING_MS && !isCut)
  }
}
