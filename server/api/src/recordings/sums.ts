import type { EndReason, RecordingSums } from '@sightline/contract/recordings'
import { JOIN_SLACK_MS, knownReason } from './rules.ts'

/** Sums of one layer of one camera: for each interval by number since 1970, its milliseconds. */
export interface StoredSums {
  readonly layer: 'recorded' | 'event' | 'locked' | 'gap'
  readonly reason: string
  readonly intervals: readonly { readonly number: number; readonly ms: number }[]
}

/** A run that the stored sums don't count yet. */
export interface TailRun {
  readonly start: number
  readonly end: number
  readonly kind: 'continuous' | 'event'
  readonly locked: boolean
}

/** What follows the last run that ended. */
export interface Tail {
  readonly last: { readonly end: number; readonly endReason: string | null } | undefined
  /** Oldest first. */
  readonly open: readonly TailRun[]
}

export interface SumsQuestion {
  /** Multiples of the interval. */
  readonly from: number
  readonly till: number
  readonly intervalMs: number
  readonly now: number
}

type CameraSums = Omit<RecordingSums['cameras'][number], 'cameraId'>
type Layer = 'recorded' | 'event' | 'locked'

/** Sums of one camera in the intervals of the question: the stored ones, and what is growing now. */
export function toSums(stored: readonly StoredSums[], tail: Tail, question: SumsQuestion): CameraSums {
  const sums = new IntervalSums(question)
  for (const { layer, reason, intervals } of stored) {
    for (const { number, ms } of intervals) {
      if (layer === 'gap') sums.addToGap(knownReason(reason), number, ms)
      else sums.addTo(layer, number, ms)
    }
  }
  addTail(sums, tail, Math.min(question.till, question.now))
  return sums.inSeconds()
}

function addTail(sums: IntervalSums, { last, open }: Tail, end: number): void {
  let covered = last?.end
  for (const run of open) {
    if (covered !== undefined && run.start - covered > JOIN_SLACK_MS) {
      sums.spread(covered, run.start, (number, ms) => sums.addToGap(knownReason(last?.endReason ?? null), number, ms))
    }
    sums.spread(Math.max(run.start, covered ?? run.start), run.end, (number, ms) => {
      sums.addTo('recorded', number, ms)
      if (run.kind === 'event') sums.addTo('event', number, ms)
      if (run.locked) sums.addTo('locked', number, ms)
    })
    covered = Math.max(covered ?? run.end, run.end)
  }
  // Footage of an open run that is still in memory isn't missing.
  if (last === undefined || open.length > 0) return
  sums.spread(last.end, end, (number, ms) => sums.addToGap(knownReason(last.endReason), number, ms))
}

class IntervalSums {
  readonly #first: number
  readonly #count: number
  readonly #intervalMs: number
  readonly #layers = new Map<Layer, number[]>()
  readonly #gaps = new Map<EndReason, number[]>()

  constructor({ from, till, intervalMs }: SumsQuestion) {
    this.#first = from / intervalMs
    this.#count = (till - from) / intervalMs
    this.#intervalMs = intervalMs
  }

  addTo(layer: Layer, number: number, ms: number): void {
    this.#add(this.#layers, layer, number, ms)
  }

  addToGap(reason: EndReason, number: number, ms: number): void {
    this.#add(this.#gaps, reason, number, ms)
  }

  /** Divides a stretch between its intervals. */
  spread(start: number, end: number, add: (number: number, ms: number) => void): void {
    const limit = (this.#first + this.#count) * this.#intervalMs
    let from = Math.max(start, this.#first * this.#intervalMs)
    while (from < Math.min(end, limit)) {
      const number = Math.floor(from / this.#intervalMs)
      const till = Math.min(end, (number + 1) * this.#intervalMs)
      add(number, till - from)
      from = till
    }
  }

  /** A gap is at least one second, so that none disappears by rounding. */
  inSeconds(): CameraSums {
    const rounded = (layer: Layer) => this.#layers.get(layer)?.map((ms) => Math.round(ms / 1000))
    const [event, locked] = [rounded('event'), rounded('locked')]
    return {
      recorded: rounded('recorded') ?? this.#nothing(),
      ...(event === undefined ? {} : { event }),
      ...(locked === undefined ? {} : { locked }),
      gaps: Object.fromEntries(
        [...this.#gaps].map(([reason, sums]) => [reason, sums.map((ms) => Math.ceil(ms / 1000))]),
      ),
    }
  }

  #add<Name>(sums: Map<Name, number[]>, name: Name, number: number, ms: number): void {
    const index = number - this.#first
    if (index < 0 || index >= this.#count || ms <= 0) return
    const values = sums.get(name) ?? this.#nothing()
    values[index] = (values[index] ?? 0) + ms
    sums.set(name, values)
  }

  #nothing(): number[] {
    return new Array<number>(this.#count).fill(0)
  }
}
