import { createHash } from 'node:crypto'

const score = (cameraId: number, workerId: string): bigint =>
  createHash('sha256').update(`${cameraId}/${workerId}`).digest().readBigUInt64BE(0)

/**
 * Which of the workers serves a camera: the one with the highest hash of both (rendezvous hashing). All workers compute the
 * same, and when one comes or goes, only its cameras move.
 */
export function findOwner(cameraId: number, workers: readonly string[]): string | undefined {
  let owner: string | undefined
  let highest = -1n
  for (const workerId of workers) {
    const own = score(cameraId, workerId)
    if (own > highest) [owner, highest] = [workerId, own]
  }
  return owner
}
