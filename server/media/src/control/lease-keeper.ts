import type { LeaseState, WriterLease } from '../recording/index.ts'

/** How long a lease lasts without renewal: another worker may record ten seconds after this one fell silent (R8). */
export const LEASE_MS = 10_000
export const RENEW_EVERY_MS = 3000
/** A renewal that comes later than this after the previous one is late. */
const LATE_MS = 2 * RENEW_EVERY_MS
/** A lease counts as lapsed a little before it expires, because the clocks of two machines differ. */
const MARGIN_MS = 1000
/** Between two tries after the lease has expired. */
const RETAKE_EVERY_MS = 500
/** Between two tries while another worker has the camera, or the database is away. */
const TAKE_EVERY_MS = 1000

/** The granted lease: a fence, and whether the camera was another worker's before. */
export interface TakenLease {
  readonly fence: number
  readonly isTakeover: boolean
}

/** Whether a lease is still ours with its fence, or another worker has taken it since. */
export type Renewal = 'held' | 'takeover'

export interface LeaseHandle extends WriterLease, TakenLease {
  /** Aborts with `takeover` as its reason. An expired lease isn't lost until another worker takes it. */
  readonly lost: AbortSignal
  stop(): void
}

export interface LeaseDeps {
  /** Undefined while another worker has the camera; rejects while the database is away. */
  readonly take: () => Promise<TakenLease | undefined>
  /** Called each time that another worker has the camera. */
  readonly elsewhere?: () => void
  /** Held by the process before this one, which has ended; counts as expired until it is renewed. */
  readonly recalled?: TakenLease | undefined
  /** Renews what is held under this fence, also after it ran out; rejects while the database is away. */
  readonly renew: (fence: number) => Promise<Renewal>
  /** Called for a late renewal, with the delay in milliseconds and whether the lease had expired. */
  readonly late: (byMs: number, state: 'held' | 'lapsed') => void
  readonly monotonic: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly signal: AbortSignal
}

/** Keeps a camera's lease renewed until it is stopped or lost. Resolves once the lease is held; undefined when stopped before. */
export async function keepLease(deps: LeaseDeps): Promise<LeaseHandle | undefined> {
  const { take, elsewhere, monotonic, wait, signal, recalled } = deps
  if (recalled !== undefined && !signal.aborted) return started(recalled, Number.NEGATIVE_INFINITY, deps)
  while (!signal.aborted) {
    const asked = monotonic()
    const taken = await take().catch(() => 'databaseAway' as const)
    if (taken === undefined) elsewhere?.()
    else if (taken !== 'databaseAway') return started(taken, asked, deps)
    await wait(TAKE_EVERY_MS)
  }
  return undefined
}

function started(taken: TakenLease, takenAt: number, deps: LeaseDeps): LeaseHandle {
  const lease = new LeaseKeeper(taken, takenAt, deps)
  void lease.run()
  return lease
}

class LeaseKeeper implements LeaseHandle {
  readonly fence: number
  readonly isTakeover: boolean
  readonly #deps: LeaseDeps
  readonly #lost = new AbortController()
  readonly #stopped = new AbortController()
  #renewedAt: number

  constructor({ fence, isTakeover }: TakenLease, takenAt: number, deps: LeaseDeps) {
    this.fence = fence
    this.isTakeover = isTakeover
    this.#renewedAt = takenAt
    this.#deps = deps
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  get state(): LeaseState {
    if (this.#lost.signal.aborted) return 'taken'
    return this.#deps.monotonic() < this.#renewedAt + LEASE_MS - MARGIN_MS ? 'held' : 'lapsed'
  }

  stop(): void {
    this.#stopped.abort()
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.#deps.wait(this.state === 'held' ? RENEW_EVERY_MS : RETAKE_EVERY_MS)
      if (!this.#isOver) await this.#renew()
    }
  }

  get #isOver(): boolean {
    return this.#deps.signal.aborted || this.#stopped.signal.aborted || this.#lost.signal.aborted
  }

  async #renew(): Promise<void> {
    const asked = this.#deps.monotonic()
    // A database outage doesn't lose the lease: it expires and is renewed when the database is back.
    const answer = await this.#deps.renew(this.fence).catch(() => undefined)
    if (answer === undefined || this.#isOver) return
    if (answer === 'takeover') return this.#lost.abort(answer)
    const sinceLast = this.#deps.monotonic() - this.#renewedAt
    const state = this.state === 'held' ? 'held' : 'lapsed'
    this.#renewedAt = asked
    if (Number.isFinite(sinceLast) && sinceLast > LATE_MS)
      this.#deps.late(Math.round(sinceLast - RENEW_EVERY_MS), state)
  }
}
