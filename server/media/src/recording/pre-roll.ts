import type { StreamMessage } from '../frame/index.ts'
import { byteLength, type HubMessage, type MemoryBudget, type MemoryHolder } from '../hub/index.ts'

type Tracks = Extract<StreamMessage, { kind: 'tracks' }>
type UnitMessage = Extract<StreamMessage, { kind: 'unit' }>

interface Group {
  /** Arrival of its key picture, milliseconds since 1970. */
  readonly start: number
  readonly tracks: Tracks
  readonly messages: HubMessage[]
  bytes: number
}

/** A camera with more than this in its pre-roll gets a shorter one. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_UNITS = 20_000
/** An event is noticed at most this many groups of pictures late. */
const LATE_GROUPS = 2

/** The last seconds of a camera that waits for an event, in groups of pictures. Its memory counts in the budget. */
export class PreRoll implements MemoryHolder {
  readonly rank = 'preRoll'
  readonly #budget: MemoryBudget
  readonly #lengthMs: () => number
  #groups: Group[] = []
  #units = 0
  #bytes = 0

  /** `lengthMs`: how much to keep, at the moment. */
  constructor(budget: MemoryBudget, lengthMs: () => number) {
    this.#budget = budget
    this.#lengthMs = lengthMs
    budget.join(this)
  }

  get heldBytes(): number {
    return this.#bytes
  }

  /** Arrival of the oldest picture; undefined if there is none. */
  get start(): number | undefined {
    return this.#groups[0]?.start
  }

  /** A key picture of these tracks begins a group. */
  begin(tracks: Tracks, message: UnitMessage): void {
    this.#groups.push({ start: message.unit.wallClock, tracks, messages: [], bytes: 0 })
    this.#trim(message.unit.wallClock)
    this.add(message)
  }

  /** Anything that follows a key picture; ignored if there is none. */
  add(message: HubMessage): void {
    const group = this.#groups.at(-1)
    if (group === undefined) return
    group.messages.push(message)
    if (message.kind !== 'unit') return
    const bytes = byteLength(message.unit)
    group.bytes += bytes
    this.#units++
    this.#bytes += bytes
    this.#budget.count(bytes)
    while (this.#bytes > MAX_BYTES || this.#units > MAX_UNITS) this.#drop()
  }

  /** Removes everything; returns what follows the last key picture at or before `time`, or all if there is none. */
  takeFrom(time: number): readonly HubMessage[] {
    const at = Math.max(
      0,
      this.#groups.findLastIndex(({ start }) => start <= time),
    )
    const taken = this.#groups.slice(at)
    this.release()
    const [first] = taken
    return first === undefined ? [] : [first.tracks, ...taken.flatMap(({ messages }) => messages)]
  }

  release(): void {
    this.#groups = []
    this.#units = 0
    this.#budget.count(-this.#bytes)
    this.#bytes = 0
  }

  [Symbol.dispose](): void {
    this.release()
    this.#budget.leave(this)
  }

  /** Keeps what an event that is noticed late still wants. */
  #trim(now: number): void {
    for (;;) {
      const lengths = this.#groups.slice(1).map(({ start }, at) => start - (this.#groups[at]?.start ?? start))
      const second = this.#groups[1]
      if (second === undefined || second.start > now - this.#lengthMs() - LATE_GROUPS * Math.max(0, ...lengths)) return
      this.#drop()
    }
  }

  #drop(): void {
    const [group] = this.#groups.splice(0, 1)
    if (group === undefined) return
    this.#units -= group.messages.filter(({ kind }) => kind === 'unit').length
    this.#bytes -= group.bytes
    this.#budget.count(-group.bytes)
  }
}
