import { FencedError } from './segment-writer.ts'

/** Whether a lease that ran out is still ours: `unanswered` where nobody could say so in time. */
export type LeaseAnswer = 'held' | 'taken' | 'stopped' | 'unanswered'

/** Who may write a stream. The fence counts up with each change of hands. */
export interface WriterLease {
  readonly fence: number
  /** Asked before every write: a writer that slept through its lease writes nothing before it is confirmed. */
  isHeld(): boolean
  /** Asks whether anybody else had it since, for so long at most. */
  confirm(patienceMs: number): Promise<LeaseAnswer>
}

/** The lease ran out, and nobody could say whether another writer has it. */
export class UnconfirmedLeaseError extends Error {
  override readonly name = 'UnconfirmedLeaseError'
}

/** Footage waits in memory for so long while a lease is confirmed: of 200 cameras of 4 Mbit/s that is 1 GB. */
const CONFIRM_WITHIN_MS = 10_000

/**
 * Resolves once it is sure that nobody else wrote since the lease ran out. What arrives meanwhile waits in the hub, so that a worker
 * that was late loses nothing.
 * @throws Fenced when another writer has it, Unconfirmed when that could not be found out.
 */
export async function confirmLease(lease: WriterLease): Promise<void> {
  const answer = await lease.confirm(CONFIRM_WITHIN_MS)
  if (answer === 'held') return
  if (answer === 'taken') throw new FencedError(`another writer has taken the lease with fence ${lease.fence}`)
  throw new UnconfirmedLeaseError(`the lease with fence ${lease.fence} expired and could not be confirmed`)
}
