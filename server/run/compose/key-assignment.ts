import { findOwner } from '@sightline/media/control'

/**
 * Which worker may get the keys of which camera. A worker counts while it certainly serves its cameras: those of one that
 * has just started, doesn't respond or isn't seen by the others may be another's.
 */
export class KeyAssignment {
  readonly #certain = new Map<string, () => boolean>()

  /** @param isCertain whether it certainly serves the cameras that are its own. */
  join(workerId: string, isCertain: () => boolean): void {
    this.#certain.set(workerId, isCertain)
  }

  leave(workerId: string): void {
    this.#certain.delete(workerId)
  }

  isAssigned(cameraId: number, workerId: string): boolean {
    const others = [...this.#certain].flatMap(([other, isCertain]) => (isCertain() ? [other] : []))
    return findOwner(cameraId, [...new Set([workerId, ...others])]) === workerId
  }
}
