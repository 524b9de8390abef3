/** Requests of S3 are few and large if a reader that reads one part after the other gets the next ones beforehand. */

/** Reads a range from S3. `end` is not included. */
export interface RangeSource {
  readonly bytes: number
  /** Tries again; rejects if S3 stays away. */
  read(start: number, end: number): Promise<Uint8Array>
  /** Tries once; undefined if that fails or was cancelled. */
  tryRead(start: number, end: number, signal: AbortSignal): Promise<Uint8Array | undefined>
}

/** Two blocks of a reader are kept at most: 4 MiB. */
const MIN_BLOCK_BYTES = 256 * 1024
const MAX_BLOCK_BYTES = 2 * 2 ** 20
/** A part of a second: a block is four seconds. */
const READS_PER_BLOCK = 4
/** Half of the requests at a time stay free for what viewers wait for. */
const MAX_REQUESTS = 3

/** What all readers of a worker may have read ahead. */
export class ReadAheadBudget {
  #free: number
  #requests = 0

  constructor(bytes: number) {
    this.#free = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#free || this.#requests >= MAX_REQUESTS) return false
    this.#free -= bytes
    this.#requests++
    return true
  }

  answered(): void {
    this.#requests--
  }

  release(bytes: number): void {
    this.#free += bytes
  }
}

interface Block {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

interface Request extends Omit<Block, 'bytes'> {
  readonly done: Promise<void>
  readonly cancel: AbortController
}

/**
 * One segment for one reader. After two reads in a row it requests what follows, one request at a time. A read-ahead that
 * fails is forgotten: the reader's own request for that range finds out, and tries again.
 */
export class ReadAhead implements Disposable {
  readonly #source: RangeSource
  readonly #budget: ReadAheadBudget
  /** Adjoining, oldest first. */
  #blocks: readonly Block[] = []
  #request: Request | undefined
  #lastEnd: number | undefined
  #isDisposed = false

  constructor(source: RangeSource, budget: ReadAheadBudget) {
    this.#source = source
    this.#budget = budget
  }

  /** @param kept the bytes, if they are in memory anyway. */
  async read(start: number, end: number, kept: Uint8Array | undefined): Promise<Uint8Array> {
    const follows = start === this.#lastEnd
    if (!follows && !this.#hasAhead(start)) this.#dropAll()
    const bytes = kept ?? (await this.#collect(start, end))
    this.#lastEnd = end
    if (follows && kept === undefined && !this.#isDisposed) this.#advance(end, end - start)
    return bytes
  }

  /** Cancels what is under way. */
  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#dropAll()
  }

  #hasAhead(at: number): boolean {
    return [...this.#blocks, this.#request].some((some) => some !== undefined && some.start <= at && at < some.end)
  }

  /** What was read ahead, and the rest by an own request. */
  async #collect(start: number, end: number): Promise<Uint8Array> {
    const request = this.#request
    if (request !== undefined && request.start < end && start < request.end) await request.done
    const pieces: Uint8Array[] = []
    let at = start
    for (const block of this.#blocks) {
      if (at < block.start || at >= block.end || at >= end) continue
      const piece = block.bytes.subarray(at - block.start, end - block.start)
      pieces.push(piece)
      at += piece.length
    }
    if (at < end) pieces.push(await this.#source.read(at, end))
    // A copy, so that a part that is kept doesn't keep a whole block.
    return pieces.length === 1 && at === start ? (pieces[0] ?? new Uint8Array()) : Buffer.concat(pieces)
  }

  #advance(at: number, length: number): void {
    this.#drop((block) => block.end <= at)
    if (this.#request !== undefined || length > MAX_BLOCK_BYTES / 2) return
    const size = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, READS_PER_BLOCK * length))
    const start = Math.max(at, this.#blocks.at(-1)?.end ?? at)
    const end = Math.min(start + size, this.#source.bytes)
    if (start - at >= size || start >= end || !this.#budget.take(end - start)) return
    const cancel = new AbortController()
    const request = { start, end, cancel, done: this.#load(start, end, cancel.signal) }
    this.#request = request
  }

  async #load(start: number, end: number, signal: AbortSignal): Promise<void> {
    const bytes = await this.#source.tryRead(start, end, signal).catch(() => undefined)
    this.#budget.answered()
    if (!signal.aborted) this.#request = undefined
    if (bytes === undefined || signal.aborted) this.#budget.release(end - start)
    else this.#blocks = [...this.#blocks, { start, end, bytes }]
  }

  #dropAll(): void {
    this.#request?.cancel.abort()
    this.#request = undefined
    this.#drop(() => true)
  }

  #drop(isUnwanted: (block: Block) => boolean): void {
    for (const block of this.#blocks.filter(isUnwanted)) this.#budget.release(block.end - block.start)
    this.#blocks = this.#blocks.filter((block) => !isUnwanted(block))
  }
}
