import { performance } from 'node:perf_hooks'

/** Something with bytes or names that the disk may not have yet. */
export interface Syncable {
  /** fdatasync of what was written before the call. */
  sync(): Promise<void>
  /**
   * The disk failed. Its content of the file is unknown from now on: a later sync that succeeds proves nothing
   * (fsyncgate, 2018).
   */
  syncFailed(cause: unknown): void
}

export interface SyncGroupOptions {
  /** From the first write to the sync; with parts of 0.8 s it keeps the loss at a power cut under 2 s. */
  readonly delayMs?: number
  /** Concurrent syncs. The file system joins waiting ones into one commit; each uses a thread of libuv's pool. */
  readonly parallel?: number
  /** Called with the duration of each sync of a round. */
  readonly synced?: (seconds: number, outcome: 'done' | 'failed') => void
  /** The share of the time since the last call in which the event loop had something to do. */
  readonly busyShare?: () => number
  /** Carries out a sync; a test makes it slow here. */
  readonly disk?: (sync: () => Promise<void>) => Promise<void>
}

const DELAY_MS = 700
const PARALLEL = 2
/** If the event loop keeps the syncs waiting and not the disk. */
const MOST_PARALLEL = 32
const BUSY_SHARE = 0.9

function loopShare(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    return utilization
  }
}

/**
 * Brings what was appended to all files of one disk to that disk, together, at least once a second. One group per disk,
 * shared by all that write to it. Every sync of the disk goes through its queue, so that a slow disk never takes all
 * threads of libuv's pool: reads, writes, name look-ups and cryptography wait for those.
 */
export class SyncGroup implements AsyncDisposable {
  readonly #delayMs: number
  readonly #synced: SyncGroupOptions['synced']
  readonly #disk: NonNullable<SyncGroupOptions['disk']>
  readonly #busyShare: () => number
  /** Syncs in flight, and how many may be. */
  #inFlight = 0
  readonly #fewest: number
  #most: number
  /** Syncs that came back in this turn of the event loop. */
  #inTurn = 0
  readonly #queue: (() => void)[] = []
  #dirty = new Set<Syncable>()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #next = Promise.withResolvers<void>()

  constructor({ delayMs = DELAY_MS, parallel = PARALLEL, synced, ...options }: SyncGroupOptions = {}) {
    this.#delayMs = delayMs
    this.#fewest = parallel
    this.#most = parallel
    this.#busyShare = options.busyShare ?? loopShare()
    this.#synced = synced
    this.#disk = options.disk ?? ((sync) => sync())
  }

  /** The file will be synced within about a second. */
  wrote(file: Syncable): void {
    this.#dirty.add(file)
    this.#timer ??= setTimeout(() => void this.flush(), this.#delayMs)
  }

  /** Syncs everything now; resolves when all that was written before the call is on the disk or reported as failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const due = this.#next
    this.#next = Promise.withResolvers()
    this.#round = this.#round.then(() => this.#syncAll())
    void this.#round.then(due.resolve)
    return this.#round
  }

  /** Resolves like {@link flush}, but waits for the round that is due anyway; something must have been written. */
  nextRound(): Promise<void> {
    return this.#next.promise
  }

  /** Runs one sync outside of the rounds when it is its turn. Rejects as the sync does. */
  async run(sync: () => Promise<void>): Promise<void> {
    if (this.#inFlight < this.#most) this.#inFlight++
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      await this.#disk(sync)
    } finally {
      this.#inFlight--
      if (this.#inTurn++ === 0) setImmediate(() => this.#endTurn())
      this.#begin()
    }
  }

  #begin(): void {
    while (this.#inFlight < this.#most) {
      const next = this.#queue.shift()
      if (next === undefined) return
      this.#inFlight++
      next()
    }
  }

  /**
   * A loop that is late gives the disk two syncs in each of its long turns. If the loop was never idle and all syncs came back in
   * one turn, the disk isn't what they wait for, and more are given to it.
   */
  #endTurn(): void {
    const all = this.#inTurn >= this.#most
    this.#inTurn = 0
    if (this.#busyShare() < BUSY_SHARE) this.#most = this.#fewest
    else if (all) this.#most = Math.min(this.#most * 2, MOST_PARALLEL)
    else this.#most = Math.max(this.#most >> 1, this.#fewest)
    this.#begin()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
  }

  async #syncAll(): Promise<void> {
    const files = [...this.#dirty]
    this.#dirty = new Set()
    await Promise.all(files.map((file) => this.#syncOne(file)))
  }

  async #syncOne(file: Syncable): Promise<void> {
    let began = performance.now()
    let outcome: 'done' | 'failed' = 'done'
    try {
      await this.run(() => {
        began = performance.now()
        return file.sync()
      })
    } catch (cause) {
      outcome = 'failed'
      file.syncFailed(cause)
    }
    this.#synced?.((performance.now() - began) / 1000, outcome)
  }
}
