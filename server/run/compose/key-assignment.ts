import { findOwner } from '@sightline/media/control'

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

  join(workerId: string, worker: AssignedWorker): void {
    this.#workers.set(workerId, worker)
  }

  leave(workerId: string): void {
    this.#workers.delete(workerId)
  }

  isAssigned(cameraId: number, workerId: string): boolean {
    return this.#isFirst(cameraId, workerId, () => true)
  }

  /** Whether it keeps the camera's footage on its disk, of which another machine may record the camera now. */
  isKeeper(cameraId: number, workerId: string): boolean {
    const disk = this.#workers.get(workerId)?.disk
    return this.#isFirst(cameraId, workerId, (other) => other.disk === disk)
  }

  #isFirst(cameraId: number, workerId: string, counts: (other: AssignedWorker) => boolean): boolean {
    const others = [...this.#workers].flatMap(([id, other]) => (counts(other) && other.isCertain() ? [id] : []))
    return findOwner(cameraId, [...new Set([workerId, ...others])]) === workerId
  }
}
