import {
  type AccessUnit,
  holdUnit,
  keepUnit,
  releaseUnit,
  type StreamMessage,
  type TrackConfig,
} from '../frame/index.ts'
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

/** A picture with what a decoder needs. */
export interface KeyPicture {
  readonly tracks: readonly TrackConfig[]
  readonly unit: AccessUnit
  /** The pictures since an earlier recovery point, if it is one itself and depends on them. */
  readonly lead?: readonly AccessUnit[]
}

/** One camera stream: what its source publishes reaches every reader, each at its own pace. */
export interface Hub {
  publish(message: StreamMessage): void
  /**
   * A reader that joins before the source exists waits; one that joins while it is lost gets 'ended' first. Otherwise
   * the first message is 'tracks'.
   */
  join(options: JoinOptions): HubReader
  /** Recorders get what comes before the next key picture, and nothing after it. Resolves when it comes. */
  finishRecorders(): Promise<void>
  /** The newest key picture, even after the source was lost: its `wallClock` gives its age. */
  latestKeyPicture(): KeyPicture | undefined
  readonly readers: number
  /** Bytes that wait for recorders. */
  readonly recorderBytes: number
}

/** A camera that sends key pictures too seldom must not fill the memory; new viewers then wait for the next one. */
const MAX_GOP_BYTES = 32 * 1024 * 1024
const MAX_GOP_UNITS = 20_000

type UnitMessage = Extract<StreamMessage, { kind: 'unit' }>

/**
 * Everything since the last key picture, for readers that join. Of a stream that refreshes gradually, everything since
 * the last recovery point whose pictures are whole by now.
 */
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
    if (isKey) this.#cut(message.unit)
    else if (this.#units.length === 0) return
    const size = byteLength(message.unit)
    holdUnit(message.unit)
    this.#units.push(message)
    this.#bytes += size
    this.#budget.count(size)
    if (this.#bytes > MAX_GOP_BYTES || this.#units.length > MAX_GOP_UNITS) this.release()
  }

  /** The pictures that lead to this recovery point. */
  leadTo(recoveryPoint: AccessUnit): readonly AccessUnit[] {
    const pictures = this.#units.map(({ unit }) => unit).filter(({ kind }) => kind === 'video')
    const lead = pictures.slice(0, pictures.indexOf(recoveryPoint))
    for (const unit of lead) keepUnit(unit)
    return lead
  }

  #cut(key: AccessUnit): void {
    const from = key.recovery === undefined ? -1 : lastWhole(this.#units)
    if (from === -1) {
      this.release()
      return
    }
    const dropped = this.#units.slice(0, from)
    const bytes = dropped.reduce((sum, { unit }) => sum + byteLength(unit), 0)
    this.#units = this.#units.slice(from)
    this.#bytes -= bytes
    this.#budget.count(-bytes)
    for (const { unit } of dropped) releaseUnit(unit)
  }

  release(): void {
    const released = this.#units
    this.#units = []
    this.#budget.count(-this.#bytes)
    this.#bytes = 0
    for (const { unit } of released) releaseUnit(unit)
  }

  [Symbol.dispose](): void {
    this.release()
    this.#budget.leave(this)
  }
}

/** Where the newest start is from which a decoder has whole pictures by the end; the first start if there is none; else -1. */
function lastWhole(units: readonly UnitMessage[]): number {
  let pictures = 0
  let earliest = -1
  for (let at = units.length - 1; at >= 0; at--) {
    const unit = units[at]?.unit
    if (unit?.kind !== 'video') continue
    pictures++
    if (!unit.isKey) continue
    earliest = at
    if (pictures >= (unit.recovery ?? 0)) return at
  }
  return earliest
}

/** `budget` is shared by all hubs of a process; without one, only the bounds of each hub hold. Dispose of a hub that has one. */
export function createHub(budget = new MemoryBudget(Number.POSITIVE_INFINITY)): Hub & Disposable {
  const readers = new Set<ReaderQueue>()
  let announced: Exclude<StreamMessage, { kind: 'unit' }> | undefined
  const gop = new RunningGop(budget)
  let keyPicture: KeyPicture | undefined
  const keepNewest = (unit: AccessUnit): void => {
    if (announced?.kind !== 'tracks') return
    const { tracks } = announced
    const lead = unit.recovery === undefined ? undefined : gop.leadTo(unit)
    holdUnit(unit)
    if (keyPicture !== undefined) releaseUnit(keyPicture.unit)
    keyPicture = { tracks, unit, ...(lead && { lead }) }
  }
  let finishing: PromiseWithResolvers<void> | undefined
  const finish = (): void => {
    for (const reader of readers) if (reader.rank === 'recorder') reader.finish()
    finishing?.resolve()
    finishing = undefined
  }

  return {
    publish(message) {
      if (message.kind === 'unit') {
        const { unit } = message
        const isKey = unit.kind === 'video' && unit.isKey
        if (isKey && finishing !== undefined) finish()
        gop.add(message)
        if (isKey) keepNewest(unit)
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
      const { units } = gop
      if (isGopThere) for (const { unit } of units) keepUnit(unit)
      if (isGopThere) for (const message of units) reader.push(message)
      readers.add(reader)
      return reader
    },
    finishRecorders() {
      finishing ??= Promise.withResolvers<void>()
      return finishing.promise
    },
    latestKeyPicture() {
      if (keyPicture !== undefined) keepUnit(keyPicture.unit)
      return keyPicture
    },
    get readers() {
      return readers.size
    },
    get recorderBytes() {
      let sum = 0
      for (const reader of readers) if (reader.rank === 'recorder') sum += reader.heldBytes
      return sum
    },
    [Symbol.dispose]: () => gop[Symbol.dispose](),
  }
}
