import { findOwner } from './assignment.ts'

const BEAT_EVERY_MS = 1000
/** A worker that wasn't seen for so long has ended or hangs. */
export const UNSEEN_AFTER_MS = 8000
/** After a start or an outage of the database, others may need so long to be seen again. */
const GRACE_MS = UNSEEN_AFTER_MS
/** Deleting footage waits until all workers have noticed a change. */
const STEADY_AFTER_MS = 30_000

export interface MembershipDeps {
  readonly workerId: string
  /** Workers that start together with this one. */
  readonly peers: readonly string[]
  /** Tells the others that this worker lives. Resolves with all that do; rejects while the database is away. */
  readonly beat: () => Promise<readonly string[]>
  readonly onChange: () => void
  readonly monotonic: () => number
}

/** The workers that share the cameras. While the database is away, nothing changes. */
export class Membership {
  readonly #deps: MembershipDeps
  #workers: readonly string[]
  #beatAt: number | undefined
  /** When beats began to succeed without an interruption. */
  #steadySince = Number.POSITIVE_INFINITY
  #changedAt: number

  constructor(deps: MembershipDeps) {
    this.#deps = deps
    this.#workers = sorted([deps.workerId, ...deps.peers])
    this.#changedAt = deps.monotonic()
  }

  /** Whether this worker serves the camera. */
  owns(cameraId: number): boolean {
    return findOwner(cameraId, this.#workers) === this.#deps.workerId
  }

  /** One worker does what is to be done once. */
  get isFirst(): boolean {
    return this.#workers[0] === this.#deps.workerId
  }

  /** False before the others count this worker as gone. */
  get isSeen(): boolean {
    return this.#beatAt !== undefined && this.#deps.monotonic() - this.#beatAt < UNSEEN_AFTER_MS / 2
  }

  /** Whether each worker knows which streams are its own. */
  get isSteady(): boolean {
    return this.#workers.length === 1 || this.#deps.monotonic() - this.#changedAt > STEADY_AFTER_MS
  }

  async beat(): Promise<void> {
    const { workerId, beat, monotonic, onChange } = this.#deps
    const living = await beat()
    const now = monotonic()
    if (this.#beatAt === undefined || now - this.#beatAt > UNSEEN_AFTER_MS / 2) this.#steadySince = now
    this.#beatAt = now
    const isGrace = now - this.#steadySince < GRACE_MS
    const workers = sorted([workerId, ...living, ...(isGrace ? this.#workers : [])])
    if (workers.join() === this.#workers.join()) return
    this.#workers = workers
    this.#changedAt = now
    onChange()
  }
}

const sorted = (workers: readonly string[]): readonly string[] => [...new Set(workers)].sort()

/** Keeps telling that this worker lives. */
export function keepMembership(membership: Membership, leave: () => Promise<void>): AsyncDisposable {
  let beating: Promise<void> | undefined
  const timer = setInterval(() => {
    beating ??= membership
      .beat()
      .catch(() => undefined)
      .finally(() => (beating = undefined))
  }, BEAT_EVERY_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await beating
      await leave().catch(() => undefined)
    },
  }
}
