import type { Db } from '@sightline/platform/db'
import {
  finishDeletions,
  listStreams,
  RECORD_EVERY_MS,
  type RunLog,
  type StreamKey,
  unrecordedDeletions,
} from '../recording/index.ts'
import { insertDeletions, loadLedgerEnd } from './deletion-ledger-store.ts'

export interface DeletionLedgerDeps {
  readonly db: Db
  readonly store: string
  /** The name of its disk: each has its own chains. */
  readonly disk: string
  readonly runs: RunLog
  readonly now: () => number
  readonly isOwn: (stream: StreamKey) => boolean
}

/** Streams that are looked at for the first time in one round: their manifests of two days are read. */
const FIRST_LOOKS = 10

const nameOf = ({ accountId, cameraId, stream }: StreamKey): string => `${accountId}/${cameraId}/${stream}`

/**
 * Writes down in the database what was deleted. It reads the tombstones, which are on the disk before anything is deleted:
 * so nothing is missing after a crash, or while the database is away. Retention deletes all the time and is written down
 * once an hour.
 */
export class DeletionLedger {
  readonly #deps: DeletionLedgerDeps
  /** When each stream was written down, on the clock of `now`. */
  readonly #recordedAt = new Map<string, number>()
  readonly #waiting = new Set<string>()

  constructor(deps: DeletionLedgerDeps) {
    this.#deps = deps
  }

  /** Footage of a stream was deleted. */
  deleted(stream: StreamKey): void {
    this.#waiting.add(nameOf(stream))
  }

  /** Writes down what is due. Rejects if the database or the disk fails; the next call tries again. */
  async update(): Promise<void> {
    const { store, isOwn, now } = this.#deps
    const own = (await listStreams(store)).filter(isOwn)
    const due = (stream: StreamKey): boolean => {
      const before = this.#recordedAt.get(nameOf(stream)) ?? now()
      return this.#waiting.has(nameOf(stream)) && Math.abs(now() - before) >= RECORD_EVERY_MS
    }
    const unseen = own.filter((stream) => !this.#recordedAt.has(nameOf(stream))).slice(0, FIRST_LOOKS)
    for (const stream of [...unseen, ...own.filter(due)]) await this.record(stream)
  }

  /** Writes down all that was deleted of a stream by now. */
  async record(stream: StreamKey): Promise<void> {
    const { db, store, disk, runs, now } = this.#deps
    const name = nameOf(stream)
    const end = await loadLedgerEnd(db, { ...stream, disk })
    const of = { store, stream, end, now: now() }
    if (!this.#recordedAt.has(name)) await finishDeletions(of, of, runs)
    this.#waiting.delete(name)
    try {
      await insertDeletions(db, { ...stream, disk }, await unrecordedDeletions(of))
    } catch (cause) {
      this.#waiting.add(name)
      throw cause
    }
    this.#recordedAt.set(name, now())
  }
}
