import { cutFootage, type Footage } from './footage.ts'
import { chooseLevel, levelRules, type TileLevel, tileRange, tileSpan } from './levels.ts'
import { MINUTE, type Span } from './span.ts'

export interface Tile extends Span {
  readonly level: TileLevel
  readonly index: number
  readonly footage: Footage
  /** When it was asked for. Footage after that is not in it. */
  readonly askedAt: number
}

export interface TileRequest extends Span {
  readonly cameraIds: readonly number[]
  readonly level: TileLevel
  readonly signal: AbortSignal
}

export interface TileCacheSettings {
  /** The footage of the range by camera; a camera without access is missing. Rejects when it can't be read. */
  readonly load: (request: TileRequest) => Promise<ReadonlyMap<number, Footage>>
  /** Something arrived, failed, or began to load. */
  readonly onChange: () => void
  readonly now: () => number
}

/** Sums in one reply, over all cameras (contract: MAX_TIMELINE_INTERVALS). */
const MOST_INTERVALS = 10_000
/** Each stretch is read for at most eight days at once. */
const MOST_TILES = 12
/** Footage reaches the database a little after its time. */
const SETTLING_MS = 5000
/** Old footage changes too: it is deleted, locked, or comes from a card. */
const OLD_MS = 10 * MINUTE
const MOST_KEPT = 3000
const RETRY_MS = [2000, 5000, 15_000, 30_000]

interface Job extends Span {
  readonly level: TileLevel
  readonly first: number
  readonly last: number
  readonly cameraIds: readonly number[]
  readonly leaving: AbortController
}

const empty: Footage = {
  recorded: { times: new Float64Array(), codes: new Uint8Array(), shares: new Uint8Array() },
  gaps: { times: new Float64Array(), codes: new Uint8Array(), shares: new Uint8Array() },
  events: [],
}

const keyOf = (cameraId: number, level: TileLevel, index: number): string => `${cameraId}/${level}/${index}`

/**
 * The footage that was read, in tiles by camera and level. A tile stays until a newer one replaces it, so that nothing
 * flickers while it loads again.
 */
export class TileCache {
  readonly #settings: TileCacheSettings
  /** In the order of use, for leaving out the oldest. */
  readonly #tiles = new Map<string, Tile>()
  /** Tiles that must be read again, because their footage changed. */
  readonly #outdated = new Set<string>()
  #job: Job | undefined
  #wanted: { readonly cameraIds: readonly number[]; readonly span: Span } | undefined
  #failures = 0
  #retryAt = 0
  /** What failed waits; what lies elsewhere is tried at once. */
  #failed: Pick<Job, 'level' | 'first'> | undefined

  constructor(settings: TileCacheSettings) {
    this.#settings = settings
  }

  /** Whether something that is wanted was never read. */
  get isWaiting(): boolean {
    return this.#job !== undefined && this.#missing().length > 0
  }

  get hasFailed(): boolean {
    return this.#failures > 0
  }

  find(cameraId: number, level: TileLevel, index: number): Tile | undefined {
    return this.#tiles.get(keyOf(cameraId, level, index))
  }

  /** Loads what is missing or out of date in a range. Cheap, so it may be called as often as the range changes. */
  want(cameraIds: readonly number[], span: Span): void {
    this.#wanted = { cameraIds, span }
    if (this.#job !== undefined && !this.#isWanted(this.#job)) this.#job.leaving.abort()
    if (this.#job !== undefined) return
    this.#next()
  }

  /** The footage of a camera changed: what is known is shown until it was read again. */
  refresh(cameraId: number): void {
    for (const key of this.#tiles.keys()) if (key.startsWith(`${cameraId}/`)) this.#outdated.add(key)
    this.retry()
  }

  retry(): void {
    this.#retryAt = 0
    if (this.#job === undefined) this.#next()
  }

  close(): void {
    this.#wanted = undefined
    this.#job?.leaving.abort()
  }

  #isWanted({ level, first, last, cameraIds }: Job): boolean {
    if (this.#wanted === undefined || chooseLevel(this.#wanted.span) !== level) return false
    const range = tileRange(level, this.#wanted.span)
    const { cameraIds: wanted } = this.#wanted
    return first <= range.last && last >= range.first && cameraIds.some((id) => wanted.includes(id))
  }

  /** Tiles that were never read, nearest to the middle first, because that is where people look. */
  #missing(): readonly { readonly index: number; readonly cameraIds: readonly number[] }[] {
    return this.#lacking((tile) => tile === undefined)
  }

  #isOld = (tile: Tile | undefined, key: string): boolean => {
    if (tile === undefined || this.#outdated.has(key)) return true
    const age = this.#settings.now() - tile.askedAt
    const grows = tile.till > tile.askedAt - SETTLING_MS
    return age > (grows ? levelRules[tile.level].freshMs : OLD_MS)
  }

  #lacking(test: (tile: Tile | undefined, key: string) => boolean) {
    if (this.#wanted === undefined) return []
    const { cameraIds, span } = this.#wanted
    const level = chooseLevel(span)
    const { first, last } = tileRange(level, { from: span.from, till: Math.min(span.till, this.#settings.now()) })
    const found: { index: number; cameraIds: number[] }[] = []
    for (let index = first; index <= last; index += 1) {
      const lacking = cameraIds.filter((id) => {
        const key = keyOf(id, level, index)
        return test(this.#tiles.get(key), key)
      })
      if (lacking.length > 0) found.push({ index, cameraIds: lacking })
    }
    return found
  }

  #next(): void {
    if (this.#wanted === undefined) return
    const missing = this.#missing()
    const lacking = missing.length > 0 ? missing : this.#lacking(this.#isOld)
    const [start] = lacking
    if (start === undefined) return
    const level = chooseLevel(this.#wanted.span)
    const isFailed = this.#failed?.level === level && this.#failed.first === start.index
    if (isFailed && this.#settings.now() < this.#retryAt) return
    const cameraIds = [...new Set(lacking.flatMap((one) => one.cameraIds))]
    const most = Math.min(MOST_TILES, Math.floor(MOST_INTERVALS / levelRules[level].intervals / cameraIds.length))
    let last = start.index
    while (last - start.index + 1 < Math.max(1, most) && lacking.some(({ index }) => index === last + 1)) last += 1
    const { from } = tileSpan(level, start.index)
    const { till } = tileSpan(level, last)
    void this.#run({ level, first: start.index, last, from, till, cameraIds, leaving: new AbortController() })
  }

  async #run(job: Job): Promise<void> {
    this.#job = job
    const askedAt = this.#settings.now()
    const { level, from, till, cameraIds } = job
    this.#settings.onChange()
    try {
      const found = await this.#settings.load({ level, from, till, cameraIds, signal: job.leaving.signal })
      if (!job.leaving.signal.aborted) this.#keep(job, found, askedAt)
      this.#failures = 0
    } catch {
      if (!job.leaving.signal.aborted) this.#fail(job)
    }
    this.#job = undefined
    this.#settings.onChange()
    this.#next()
  }

  #fail(job: Job): void {
    this.#failed = job
    const pause = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? 0
    this.#failures += 1
    this.#retryAt = this.#settings.now() + pause
  }

  #keep({ level, first, last, cameraIds }: Job, found: ReadonlyMap<number, Footage>, askedAt: number): void {
    for (const cameraId of cameraIds) {
      const footage = found.get(cameraId) ?? empty
      for (let index = first; index <= last; index += 1) {
        const span = tileSpan(level, index)
        const key = keyOf(cameraId, level, index)
        this.#tiles.delete(key)
        this.#outdated.delete(key)
        const own = first === last ? footage : cutFootage(footage, span)
        this.#tiles.set(key, { ...span, level, index, footage: own, askedAt })
      }
    }
    for (const key of this.#tiles.keys()) {
      if (this.#tiles.size <= MOST_KEPT) break
      this.#tiles.delete(key)
      this.#outdated.delete(key)
    }
  }
}

/**
 * What is known of a range at its level, and where that is missing, at other levels: coarse or old footage is better than
 * none while the right one loads.
 */
export function knownTiles(cache: Pick<TileCache, 'find'>, cameraId: number, span: Span): readonly KnownPart[] {
  const level = chooseLevel(span)
  const { first, last } = tileRange(level, span)
  const found: KnownPart[] = []
  for (let index = first; index <= last; index += 1) {
    const tile = cache.find(cameraId, level, index)
    if (tile === undefined) found.push(...instead(cache, { cameraId, level, span: tileSpan(level, index) }))
    else found.push({ tile, from: tile.from, till: tile.till })
  }
  return found
}

/** A tile, and the range in which it is used. */
export interface KnownPart extends Span {
  readonly tile: Tile
}

/** Coarser levels first, because few of their tiles cover the range. */
const substitutes: Readonly<Record<TileLevel, readonly TileLevel[]>> = {
  seconds: ['minutes', 'hours', 'days'],
  minutes: ['seconds', 'hours', 'days'],
  hours: ['minutes', 'days'],
  days: ['hours'],
}

function instead(
  cache: Pick<TileCache, 'find'>,
  { cameraId, level, span }: { cameraId: number; level: TileLevel; span: Span },
): readonly KnownPart[] {
  for (const other of substitutes[level]) {
    const { first, last } = tileRange(other, span)
    const parts: KnownPart[] = []
    for (let index = first; index <= last; index += 1) {
      const tile = cache.find(cameraId, other, index)
      if (tile === undefined) continue
      parts.push({ tile, from: Math.max(tile.from, span.from), till: Math.min(tile.till, span.till) })
    }
    if (parts.length > 0) return parts
  }
  return []
}
