import { FRONT_DISK, findOwner, listCandidates } from '@sightline/media/control'
import { EVERYWHERE, type Placements } from './placements.ts'

interface AssignedWorker {
  /** The name of its machine's disk. */
  readonly disk: string
  /** Whether it certainly serves the cameras that are its own. */
  readonly isCertain: () => boolean
}

/**
 * Which worker may get the keys of which camera. A worker counts while it certainly serves its cameras: those of one that
 * has just started, doesn't respond or isn't seen by the others may be another's.
 */
export class KeyAssignment {
  readonly #workers = new Map<string, AssignedWorker>()
  readonly #placements: Pick<Placements, 'machinesOf'>

  constructor(placements: Pick<Placements, 'machinesOf'> = EVERYWHERE) {
    this.#placements = placements
  }

  join(workerId: string, worker: AssignedWorker): void {
    this.#workers.set(workerId, worker)
  }

  leave(workerId: string): void {
    this.#workers.delete(workerId)
  }

  isAssigned(cameraId: number, workerId: string): boolean {
    return this.#isFirst(workerId, { cameraId, machines: this.#placements.machinesOf(cameraId), counts: () => true })
  }

  /** Whether it keeps the camera's footage on its disk, of which another machine may record the camera now. */
  isKeeper(cameraId: number, workerId: string): boolean {
    const disk = this.#workers.get(workerId)?.disk
    return this.#isFirst(workerId, { cameraId, machines: [], counts: (other) => other.disk === disk })
  }

  #isFirst(workerId: string, { cameraId, machines, counts }: Choice): boolean {
    const { disk = FRONT_DISK } = this.#workers.get(workerId) ?? {}
    const others = [...this.#workers].filter(([id, other]) => id !== workerId && counts(other) && other.isCertain())
    const all = [{ workerId, disk }, ...others.map(([id, other]) => ({ workerId: id, disk: other.disk }))]
    return findOwner(cameraId, listCandidates(all, machines)) === workerId
  }
}

interface Choice {
  readonly cameraId: number
  /** Those that reach the camera; empty: all of them. */
  readonly machines: readonly string[]
  readonly counts: (other: AssignedWorker) => boolean
}
