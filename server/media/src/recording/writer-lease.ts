import { FencedError } from './segment-writer.ts'

/** Whether an expired lease is still ours: `unanswered` if the database didn't answer in time. */
export type LeaseAnswer = 'held' | 'taken' | 'stopped' | 'unanswered'

/** Who may write a stream. The fence increases with each new owner. */
export interface WriterLease {
  readonly fence: number
  /** Asked before every write: a writer that slept through its lease writes nothing before it is confirmed. */
  isHeld(): boolean
  /** Asks whether anyone else has had it since, waiting at most that long. */
  confirm(patienceMs: number): Promise<LeaseAnswer>
}

/** The lease expired, and it is unknown whether another writer has it. */
export class UnconfirmedLeaseError extends Error {
  override readonly name = 'UnconfirmedLeaseError'
}

/** Footage waits in memory for so long while a lease is confirmed: of 200 cameras of 4 Mbit/s that is 1 GB. */
const CONFIRM_WITHIN_MS = 10_000

/**
 * Resolves once it is certain that no other writer has written since the lease expired. New units wait in the hub
 * meanwhile, so that a late worker loses nothing.
 *
 * @throws Fenced if another writer has it, Unconfirmed if that is unknown.
 */
export async function confirmLease(lease: WriterLease): Promise<void> {
  const answer = await lease.confirm(CONFIRM_WITHIN_MS)
  if (answer === 'held') return
  if (answer === 'taken') throw new FencedError(`another writer has taken the lease with fence ${lease.fence}`)
  throw new UnconfirmedLeaseError(`the lease with fence ${lease.fence} expired and could not be confirmed`)
}
