import { checkFence, FencedError } from './fence.ts'

/**
 * `lapsed`: not renewed in time, because the worker or the database was busy or away; another writer may have taken over.
 * `taken`: another one has.
 */
export type LeaseState = 'held' | 'lapsed' | 'taken'

/** Who should write a stream. The fence increases with each new owner. */
export interface WriterLease {
  readonly fence: number
  /** Asked before every write. A lapsed lease does not stop a writer, but it then looks for a newer fence in the folder. */
  readonly state: LeaseState
}

/** @throws FencedError if another writer has taken over; otherwise the error of the file system. */
export async function checkLease({ fence, state }: WriterLease, folder: string): Promise<void> {
  if (state === 'taken') throw new FencedError(`another writer has taken the lease with fence ${fence}`)
  if (state === 'lapsed') await checkFence(folder, fence)
}
