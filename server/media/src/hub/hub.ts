import type { AccessUnit, StreamMessage, TrackConfig } from '../frame/index.ts'
import { byteLength, type HubReader, ReaderQueue } from './hub-reader.ts'
import { MemoryBudget, type MemoryHolder } from './memory-budget.ts'

export interface JoinOptions {
  /** What may wait for this reader; beyond it, it is skipped to the next key picture. */
  readonly maxQueuedBytes: number
  /**
   * `running-gop`: everything since the last key picture, so that a picture is available immediately. `next-key`: from
   * the next key picture. `now`: from the next unit.
   */
  readonly start: 'running-gop' | 'next-key' | 'now'
  /** A viewer, the default, gives way to a recorder when memory runs short. */
  readonly rank?: 'viewer' | 'recorder'
}

/** A complete picture that can be decoded without others, with what a decoder needs. */
export interface KeyPicture {
  readonly tracks: readonly TrackConfig[]
  readonly unit: AccessUnit
}

/** One camera stream: what its source publishes reaches every reader, each at its own pace. */
export interface Hub {
  publish(message: StreamMessage): void
  /**
   * A reader that joins before the source exists waits; one that joins while it is lost gets 'ended' first. Otherwise
   * the first message is 'tracks'.
   */
  join(options: JoinOptions): HubReader
  /** The newest key picture, even after the source was lost: its `wallClock` gives its age. */
  latestKeyPicture(): KeyPicture | undefined
  readonly readers: number
}

/** A camera that sends key pictures too seldom must not fill the memory; new viewers then wait for the next one. */
const MAX_GOP_BYTES = 32 * 1024 * 1024
const MAX_GOP_UNITS = 20_000

type UnitMessage = Extract<StreamMessage, { kind: 'unit' }>

/** Everything since the last key picture, for readers that join. */
class RunningGop implements MemoryHolder {
  readonly rank = 'gop'
  readonly #budget: MemoryBudget
  #units: UnitMessage[] = []
  #bytes = 0

  constructor(budget: MemoryBudget) {
    this.#budget = budget
    budget.join(this)
  }

  get units(): readonly UnitMessage[] {
    return this.#units
  }

  get heldBytes(): number {
    return this.#bytes
  }

  add(message: UnitMessage): void {
    const isKey = message.unit.kind === 'video' && message.unit.isKey
    if (isKey) this.release()
    else if (this.#units.length === 0) return
    const size = byteLength(message.unit)
    this.#units.push(message)
    this.#bytes += size
    this.#budget.count(size)
    if (this.#bytes > MAX_GOP_BYTES || this.#units.length > MAX_GOP_UNITS) this.release()
  }

  release(): void {
    this.#units = []
    this.#budget.count(-this.#bytes)
    this.#bytes = 0
  }

  [Symbol.dispose](): void {
    this.release()
    this.#budget.leave(this)
  }
}

/** `budget` is shared by all hubs of a process; without one, only the bounds of each hub hold. Dispose of a hub that has one. */
export function createHub(budget = new MemoryBudget(Number.POSITIVE_INFINITY)): Hub & Disposable {
  const readers = new Set<ReaderQueue>()
  let announced: Exclude<StreamMessage, { kind: 'unit' }> | undefined
  const gop = new RunningGop(budget)
  let keyPicture: KeyPicture | undefined

  return {
    publish(message) {
      if (message.kind === 'unit') {
        const { unit } = message
        if (unit.kind === 'video' && unit.isKey && announced?.kind === 'tracks')
          keyPicture = { tracks: announced.tracks, unit }
        gop.add(message)
      } else {
        announced = message
        gop.release()
      }
      for (const reader of readers) reader.push(message)
    },
    join({ maxQueuedBytes, start, rank = 'viewer' }) {
      const isGopThere = start === 'running-gop' && gop.units.length > 0 && gop.heldBytes <= maxQueuedBytes
      const waitsForKey = start !== 'now' && !isGopThere
      const onLeave = (left: ReaderQueue): void => void readers.delete(left)
      const reader = new ReaderQueue({ maxQueuedBytes, waitsForKey, rank, budget, onLeave })
      if (announced !== undefined) reader.push(announced)
      // The same list, even if the budget lets the group go meanwhile.
      if (isGopThere) for (const message of gop.units) reader.push(message)
      readers.add(reader)
      return reader
    },
    latestKeyPicture: () => keyPicture,
    get readers() {
      return readers.size
    },
    [Symbol.dispose]: () => gop[Symbol.dispose](),
  }
}
