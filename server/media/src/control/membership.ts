import { type AssignableWorker, findOwner, listCandidates } from './assignment.ts'

const BEAT_EVERY_MS = 500
/** A worker that wasn't seen for so long has ended or hangs. */
export const UNSEEN_AFTER_MS = 8000
/** After a start or an outage of the database, others may need so long to be seen again. */
const GRACE_MS = UNSEEN_AFTER_MS
/** Deleting footage waits until all workers have noticed a change. */
const STEADY_AFTER_MS = 30_000

/** Workers of one machine write to the same disk. */
export type LivingWorker = AssignableWorker

export interface MembershipDeps extends LivingWorker {
  /** Workers that start together with this one. */
  readonly peers: readonly string[]
  /** Those that the process before this one knew. */
  readonly known?: readonly LivingWorker[] | undefined
  /** Tells the others that this worker lives. Resolves with all that do; rejects while the database is away. */
  readonly beat: () => Promise<readonly LivingWorker[]>
  readonly onChange: () => void
  readonly monotonic: () => number
}

/** The workers that share the cameras. While the database is away, nothing changes. */
export class Membership {
  readonly #deps: MembershipDeps
  #workers: readonly LivingWorker[]
  #beatAt: number | undefined
  /** When beats began to succeed without an interruption. */
  #steadySince = Number.POSITIVE_INFINITY
  #changedAt: number

  constructor(deps: MembershipDeps) {
    this.#deps = deps
    this.#workers = this.#sorted(deps.known ?? [])
    this.#changedAt = deps.monotonic()
  }

  /** Whether this worker serves the camera, which only some machines may reach; empty: all of them do. */
  readonly owns = (cameraId: number, machines: readonly string[] = []): boolean =>
    findOwner(cameraId, listCandidates(this.#workers, machines)) === this.#deps.workerId

  /**
   * Whether this worker keeps the camera's footage on its disk, which it deletes when it is due. Other machines may have
   * footage of the same camera, and one of them may record it now (docs/decisions/0102).
   */
  readonly keeps = (cameraId: number): boolean => findOwner(cameraId, this.#onDisk().map(idOf)) === this.#deps.workerId

  /** One worker does what is to be done once. */
  get isFirst(): boolean {
    return this.#workers[0]?.workerId === this.#deps.workerId
  }

  /** One worker of each disk does what is to be done once there. */
  get isFirstOnDisk(): boolean {
    return this.#onDisk()[0]?.workerId === this.#deps.workerId
  }

  /** False before the others count this worker as gone. */
  get isSeen(): boolean {
    return this.#beatAt !== undefined && this.#deps.monotonic() - this.#beatAt < UNSEEN_AFTER_MS / 2
  }

  /** Whether each worker knows which streams are its own. */
  get isSteady(): boolean {
    return this.#workers.length === 1 || this.#deps.monotonic() - this.#changedAt > STEADY_AFTER_MS
  }

  /** As far as is known. */
  get workers(): readonly LivingWorker[] {
    return this.#workers
  }

  /** Resolves once the others could see this worker; before, it can't know which cameras are its own. */
  async join(): Promise<void> {
    if (this.#beatAt === undefined) await this.beat()
  }

  async beat(): Promise<void> {
    const { beat, monotonic, onChange } = this.#deps
    const living = await beat()
    const now = monotonic()
    if (this.#beatAt === undefined || now - this.#beatAt > UNSEEN_AFTER_MS / 2) this.#steadySince = now
    this.#beatAt = now
    const isGrace = now - this.#steadySince < GRACE_MS
    const workers = this.#sorted([...living, ...(isGrace ? this.#workers : [])])
    if (workers.map(idOf).join() === this.#workers.map(idOf).join()) return
    this.#workers = workers
    this.#changedAt = now
    onChange()
  }

  #onDisk(): readonly LivingWorker[] {
    return this.#workers.filter(({ disk }) => disk === this.#deps.disk)
  }

  /** This worker among the others, by name; before the first beat those that start together with it. */
  #sorted(others: readonly LivingWorker[]): readonly LivingWorker[] {
    const { workerId, disk, peers } = this.#deps
    const own = this.#beatAt === undefined ? [workerId, ...peers] : [workerId]
    const all = [...others, ...own.map((id) => ({ workerId: id, disk }))]
    return [...new Map(all.map((worker) => [worker.workerId, worker])).values()].sort((a, b) =>
      a.workerId < b.workerId ? -1 : 1,
    )
  }
}

const idOf = ({ workerId }: LivingWorker): string => workerId

export interface KeptMembership extends AsyncDisposable {
  /** Others have joined or left: checks at once which workers are alive. */
  beatNow(): void
}

/** Keeps telling that this worker lives. */
export function keepMembership(membership: Membership, leave: () => Promise<void>): KeptMembership {
  let beating: Promise<void> | undefined
  const beatNow = () => {
    beating ??= membership
      .beat()
      .catch(() => undefined)
      .finally(() => (beating = undefined))
  }
  const timer = setInterval(beatNow, BEAT_EVERY_MS)
  return {
    beatNow,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await beating
      await leave().catch(() => undefined)
    },
  }
}
