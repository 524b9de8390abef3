/** A file with bytes that the disk may not have yet. */
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
  /** Called with the duration of each sync. */
  readonly synced?: (seconds: number, outcome: 'done' | 'failed') => void
}

const DELAY_MS = 700
const PARALLEL = 2

/**
 * Brings what was appended to all files of one disk to that disk, together, at least once a second.
 * One group per disk, shared by all recorders on it.
 */
export class SyncGroup implements AsyncDisposable {
  readonly #delayMs: number
  readonly #parallel: number
  readonly #synced: SyncGroupOptions['synced']
  #dirty = new Set<Syncable>()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #next = Promise.withResolvers<void>()

  constructor({ delayMs = DELAY_MS, parallel = PARALLEL, synced }: SyncGroupOptions = {}) {
    this.#delayMs = delayMs
    this.#parallel = parallel
    this.#synced = synced
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
  }

  async #syncAll(): Promise<void> {
    const files = this.#dirty.values()
    this.#dirty = new Set()
    const worker = async () => {
      for (const file of files) {
        const began = performance.now()
        const outcome = await syncOne(file)
        this.#synced?.((performance.now() - began) / 1000, outcome)
      }
    }
    await Promise.all(Array.from({ length: this.#parallel }, worker))
  }
}

async function syncOne(file: Syncable): Promise<'done' | 'failed'> {
  try {
    await file.sync()
    return 'done'
  } catch (cause) {
    file.syncFailed(cause)
    return 'failed'
  }
}
