import type { WriterLease } from '../recording/index.ts'

/** How long a lease lasts without renewal: another worker may record ten seconds after this one fell silent (R8). */
export const LEASE_MS = 10_000
export const RENEW_EVERY_MS = 3000
/** A writer stops a little before its lease is over, because clocks of two machines differ. */
const MARGIN_MS = 1000

export interface KeptLease extends WriterLease {
  /** Another worker took over, or the database could not be asked for too long. */
  readonly lost: AbortSignal
  stop(): void
}

/**
 * Keeps a camera's lease renewed. `take` is told whether it renews what is held; it answers the fence, or undefined while another worker has the camera; it rejects
 * when the database is away, which is survived until the lease runs out. Resolves once the lease is held.
 */
export async function keepLease(
  take: (renew: boolean) => Promise<number | undefined>,
  timing: {
    readonly monotonic: () => number
    readonly wait: (ms: number) => Promise<void>
    readonly signal: AbortSignal
  },
): Promise<KeptLease | undefined> {
  const { monotonic, wait, signal } = timing
  let fence: number | undefined
  let heldUntil = 0
  const renew = async (): Promise<boolean> => {
    const asked = monotonic()
    try {
      const answer = await take(fence !== undefined)
      if (answer === undefined || (fence !== undefined && answer !== fence)) return false
      fence = answer
      heldUntil = asked + LEASE_MS - MARGIN_MS
      return true
    } catch {
      // The database is away: nothing is renewed, but what is held is held until it runs out.
      return fence !== undefined && monotonic() < heldUntil
    }
  }
  while (!signal.aborted && !(await renew())) await wait(RENEW_EVERY_MS)
  if (signal.aborted || fence === undefined) return undefined
  const lost = new AbortController()
  const stopped = new AbortController()
  const keep = async () => {
    while (!stopped.signal.aborted && !signal.aborted) {
      await wait(RENEW_EVERY_MS)
      if (stopped.signal.aborted || signal.aborted) return
      if (!(await renew())) {
        lost.abort('restart')
        return
      }
    }
  }
  void keep()
  return { fence, isHeld: () => monotonic() < heldUntil, lost: lost.signal, stop: () => stopped.abort() }
}
