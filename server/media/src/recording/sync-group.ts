import { performance as loop } from 'node:perf_hooks'

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
  /** Concurrent syncs while none waits for long. Each uses a thread of libuv's pool. */
  readonly parallel?: number
  /** Called with the duration of each sync of a file. */
  readonly synced?: (seconds: number, outcome: 'done' | 'failed') => void
  /** The share of the time since the last call in which the event loop had something to do. */
  readonly busyShare?: () => number
  /** Carries out a sync; a test makes it slow here. */
  readonly disk?: (sync: () => Promise<void>) => Promise<void>
}

const DELAY_MS = 700
const PARALLEL = 2
/** While the disk is behind: a file system joins those that wait into one commit. Half of the pool of a media worker. */
const PARALLEL_WHEN_BEHIND = 8
const BEHIND_MS = 250
/** Of so many turns, one goes to what can wait while others wait too. */
const TURNS_FOR_ONE = 8
/** If the event loop keeps the syncs waiting and not the disk. */
const MOST_PARALLEL = 32
const BUSY_SHARE = 0.9

function loopShare(): () => number {
  let before = loop.eventLoopUtilization()
  return () => {
    const { utilization } = loop.eventLoopUtilization(before)
    before = loop.eventLoopUtilization()
    return utilization
  }
}

/** What was written to a file and isn't synced; writes join it until its sync begins. */
interface Due {
  readonly file: Syncable
  readonly over: PromiseWithResolvers<void>
  isQueued: boolean
}

interface Turn {
  readonly since: number
  readonly begin: () => void
}

/**
 * Brings what was appended to all files of one disk to that disk, about once a second. One group per disk,
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
  readonly #queue: Turn[] = []
  /** Of what can wait. */
  readonly #later: Turn[] = []
  /** Turns since one went to what can wait. */
  #turns = 0
  readonly #due = new Map<Syncable, Due>()
  /** Files whose sync is in flight, with its end. */
  readonly #syncing = new Map<Syncable, Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor({ delayMs = DELAY_MS, parallel = PARALLEL, synced, ...options }: SyncGroupOptions = {}) {
    this.#delayMs = delayMs
    this.#fewest = parallel
    this.#most = parallel
    this.#busyShare = options.busyShare ?? loopShare()
    this.#synced = synced
    this.#disk = options.disk ?? ((sync) => sync())
  }

  /**
   * The file will be synced within about a second, with all others that wait: the file system joins them. Resolves when
   * what was written to it before the call is on the disk, or was reported as failed.
   */
  wrote(file: Syncable): Promise<void> {
    const known = this.#due.get(file)
    if (known !== undefined) return known.over.promise
    this.#timer ??= setTimeout(() => this.#queueAll(), this.#delayMs)
    const due = { file, over: Promise.withResolvers<void>(), isQueued: false }
    this.#due.set(file, due)
    return due.over.promise
  }

  /** Syncs everything now; resolves when all that was written before the call is on the disk or reported as failed. */
  async flush(): Promise<void> {
    this.#queueAll()
    await Promise.all([...this.#syncing.values(), ...[...this.#due.values()].map(({ over }) => over.promise)])
  }

  /** Runs one sync of something else when it is its turn. Rejects as the sync does. */
  run(sync: () => Promise<void>): Promise<void> {
    return this.#run(sync, this.#queue)
  }

  /** The same for what can wait: what is recorded now comes first, and few turns are left for this. */
  runLater(sync: () => Promise<void>): Promise<void> {
    return this.#run(sync, this.#later)
  }

  async #run(sync: () => Promise<void>, queue: Turn[]): Promise<void> {
    if (this.#inFlight < this.#most) this.#inFlight++
    else await new Promise<void>((begin) => queue.push({ since: performance.now(), begin }))
    try {
      await this.#disk(sync)
    } finally {
      this.#inFlight--
      if (this.#inTurn++ === 0) setImmediate(() => this.#endTurn())
      this.#begin()
    }
  }

  #queueAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const due of this.#due.values()) {
      if (due.isQueued) continue
      due.isQueued = true
      void this.#syncOne(due)
    }
  }

  #begin(): void {
    while (this.#inFlight < this.#most) {
      const next = this.#nextTurn()
      if (next === undefined) return
      this.#inFlight++
      next.begin()
    }
  }

  #nextTurn(): Turn | undefined {
    const isTurnOfLater = this.#queue.length === 0 || ++this.#turns >= TURNS_FOR_ONE
    if (!isTurnOfLater || this.#later.length === 0) return this.#queue.shift()
    this.#turns = 0
    return this.#later.shift()
  }

  /**
   * A loop that is late gives the disk two syncs in each of its long turns. If the loop was never idle and all syncs came back in
   * one turn, the disk isn't what they wait for, and more are given to it. A slow disk gets more as long as syncs wait.
   */
  #endTurn(): void {
    const all = this.#inTurn >= this.#most
    this.#inTurn = 0
    const waitsForLoop = this.#busyShare() >= BUSY_SHARE && all
    const oldest = this.#queue[0] ?? this.#later[0]
    let most = this.#fewest
    if (waitsForLoop) most = MOST_PARALLEL
    else if (oldest !== undefined && performance.now() - oldest.since > BEHIND_MS) most = PARALLEL_WHEN_BEHIND
    this.#most = this.#most > most ? Math.max(this.#most >> 1, most) : Math.min(this.#most * 2, most)
    this.#begin()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
  }

  async #syncOne({ file, over }: Due): Promise<void> {
    // Two syncs of one file would take the place of another's.
    await this.#syncing.get(file)
    let began = performance.now()
    let outcome: 'done' | 'failed' = 'done'
    try {
      await this.run(() => {
        began = performance.now()
        this.#due.delete(file)
        this.#syncing.set(file, over.promise)
        return file.sync()
      })
    } catch (cause) {
      outcome = 'failed'
      file.syncFailed(cause)
    }
    this.#syncing.delete(file)
    this.#synced?.((performance.now() - began) / 1000, outcome)
    over.resolve()
  }
}
