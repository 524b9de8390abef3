import { type AccessUnit, holdUnit, keepUnit, type StreamMessage } from '../frame/index.ts'
import type { MemoryBudget, MemoryHolder } from './memory-budget.ts'

/** What a reader of a hub gets, in order. */
export type HubMessage =
  | StreamMessage
  /** This reader was too slow: this many units are missing here, and the next unit is a key picture. */
  | { readonly kind: 'skipped'; readonly units: number }

/**
 * One reader's position in a stream. Its queue is limited; a slow reader loses pictures up to the next key picture and
 * never delays the source or another reader. Only one `next` may be waiting at a time.
 */
export interface HubReader extends AsyncDisposable {
  /** The next message as soon as there is one; undefined once the reader has left. */
  next(): Promise<HubMessage | undefined>
  /** The next message if there is one already. */
  take(): HubMessage | undefined
  /** Nothing published from now on is queued; what is queued can still be taken, and then the reader has left. */
  finish(): void
  /** Discards the queue. */
  leave(): void
}

export interface ReaderQueueOptions {
  readonly maxQueuedBytes: number
  readonly waitsForKey: boolean
  readonly rank: 'viewer' | 'recorder'
  readonly budget: MemoryBudget
  readonly onLeave: (queue: ReaderQueue) => void
}

/** Queues messages for one reader; `push` is the hub's side. */
export class ReaderQueue implements HubReader, MemoryHolder {
  readonly rank: 'viewer' | 'recorder'
  readonly #budget: MemoryBudget
  readonly #maxQueuedBytes: number
  readonly #onLeave: (queue: ReaderQueue) => void
  /** Taken ones are undefined: they must not stay in memory until the array is cut. */
  #messages: (HubMessage | undefined)[] = []
  /** Index of the next message: taking from the front of an array would move all the others. */
  #head = 0
  #queuedBytes = 0
  #waitsForKey: boolean
  #skippedUnits = 0
  #isFinished = false
  #hasLeft = false
  #waiting: ((message: HubMessage | undefined) => void) | undefined

  constructor(options: ReaderQueueOptions) {
    this.rank = options.rank
    this.#budget = options.budget
    this.#maxQueuedBytes = options.maxQueuedBytes
    this.#waitsForKey = options.waitsForKey
    this.#onLeave = options.onLeave
    this.#budget.join(this)
  }

  get heldBytes(): number {
    return this.#queuedBytes
  }

  release(): void {
    this.#dropUnits()
  }

  push(message: StreamMessage): void {
    if (message.kind === 'unit') this.#pushUnit(message)
    else this.#pushControl(message)
  }

  take(): HubMessage | undefined {
    const message = this.#messages[this.#head]
    if (message === undefined) return undefined
    this.#messages[this.#head] = undefined
    this.#head++
    if (message.kind === 'unit') this.#grow(-byteLength(message.unit))
    if (this.#head === this.#messages.length) {
      this.#messages = []
      this.#head = 0
    } else if (this.#head >= 1024) {
      this.#messages = this.#messages.slice(this.#head)
      this.#head = 0
    }
    return message
  }

  next(): Promise<HubMessage | undefined> {
    if (this.#waiting !== undefined) throw new Error('hub reader: next() is already waiting; one loop per reader')
    const message = this.take()
    if (message !== undefined || this.#isFinished) return Promise.resolve(message)
    const { promise, resolve } = Promise.withResolvers<HubMessage | undefined>()
    this.#waiting = resolve
    return promise
  }

  finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#onLeave(this)
    this.#deliver(undefined)
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#messages = []
    this.#head = 0
    this.#grow(-this.#queuedBytes)
    this.#budget.leave(this)
    this.finish()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave()
  }

  #pushUnit(message: Extract<StreamMessage, { kind: 'unit' }>): void {
    const { unit } = message
    const size = byteLength(unit)
    const isKeyPicture = unit.kind === 'video' && unit.isKey
    // A unit larger than the whole limit is still added to an empty queue: otherwise a large key picture would never
    // get through.
    const isTooMuch = this.#queuedBytes > 0 && this.#queuedBytes + size > this.#maxQueuedBytes
    // Tiny pictures take more memory than their bytes.
    if (isTooMuch || this.#messages.length - this.#head >= MAX_QUEUED_MESSAGES) this.#dropUnits()
    if (this.#waitsForKey && !isKeyPicture) {
      if (this.#skippedUnits > 0) this.#skippedUnits++
      return
    }
    this.#waitsForKey = false
    this.#tellSkipped()
    // Queued first: the budget may empty this queue right away.
    this.#messages.push(message)
    // A recorder releases it when it is stored; what a viewer does with it isn't known.
    if (this.rank === 'recorder') holdUnit(unit)
    else keepUnit(unit)
    this.#grow(size)
    this.#wake()
  }

  #pushControl(message: Exclude<StreamMessage, { kind: 'unit' }>): void {
    if (message.kind === 'ended') {
      this.#tellSkipped()
      this.#waitsForKey = false
    }
    this.#enqueue(message)
    // A source that keeps changing its tracks must not grow the queue of a reader that doesn't read.
    if (this.#messages.length - this.#head > MAX_QUEUED_MESSAGES) this.#dropUnits()
  }

  #tellSkipped(): void {
    if (this.#skippedUnits === 0) return
    this.#enqueue({ kind: 'skipped', units: this.#skippedUnits })
    this.#skippedUnits = 0
  }

  #enqueue(message: HubMessage): void {
    this.#messages.push(message)
    this.#wake()
  }

  #wake(): void {
    if (this.#waiting === undefined) return
    const message = this.take()
    if (message !== undefined) this.#deliver(message)
  }

  #grow(bytes: number): void {
    this.#queuedBytes += bytes
    this.#budget.count(bytes)
  }

  #deliver(message: HubMessage | undefined): void {
    const resolve = this.#waiting
    this.#waiting = undefined
    resolve?.(message)
  }

  /** Keeps of what is queued only what the reader must know: that the run ended, and which tracks there are now. */
  #dropUnits(): void {
    const queued = this.#messages.slice(this.#head).filter((message) => message !== undefined)
    const end = queued.findLast((message) => message.kind === 'ended')
    const tracks = queued
      .slice(end === undefined ? 0 : queued.indexOf(end))
      .findLast((message) => message.kind === 'tracks')
    for (const message of queued) {
      if (message.kind === 'unit') this.#skippedUnits++
      if (message.kind === 'skipped') this.#skippedUnits += message.units
    }
    this.#messages = [end, tracks].filter((message) => message !== undefined)
    this.#head = 0
    this.#grow(-this.#queuedBytes)
    this.#waitsForKey = true
  }
}

const MAX_QUEUED_MESSAGES = 20_000

/** The key picture's waiting readers and the running group of pictures are bounded by these bytes. */
export function byteLength(unit: AccessUnit): number {
  let length = 0
  for (const piece of unit.units) length += piece.length
  return length
}
