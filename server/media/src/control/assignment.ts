import { createHash } from 'node:crypto'

/** A worker that a camera may be assigned to. */
export interface AssignableWorker {
  readonly workerId: string
  /** The name of its machine's disk. */
  readonly disk: string
}

/** The machine with the front, whose own disk is named differently (docs/decisions/0132). */
const FRONT_MACHINE = 'front'
export const FRONT_DISK = 'disk'

/** The machine that a disk belongs to. */
export const machineOfDisk = (disk: string): string => (disk === FRONT_DISK ? FRONT_MACHINE : disk)

/**
 * The workers that may serve a camera: those of the machines that reach it; all of them if none of those lives, or if every
 * machine reaches it.
 */
export function listCandidates(workers: readonly AssignableWorker[], machines: readonly string[]): readonly string[] {
  const reaching = workers.filter(({ disk }) => machines.includes(machineOfDisk(disk)))
  return (reaching.length === 0 ? workers : reaching).map(({ workerId }) => workerId)
}

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
