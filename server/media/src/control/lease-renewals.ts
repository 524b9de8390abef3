import type { Renewal } from './lease-keeper.ts'
import type { HeldLease } from './lease-store.ts'

interface Waiting {
  readonly lease: HeldLease
  readonly answer: PromiseWithResolvers<Renewal>
}

/**
 * Renews the leases of all cameras over one connection: while one statement runs, everything that is due waits and is
 * renewed in the next one, so that many cameras need as few statements as one.
 */
export function leaseRenewals(
  renew: (leases: readonly HeldLease[]) => Promise<ReadonlyMap<number, Renewal>>,
): (lease: HeldLease) => Promise<Renewal> {
  let waiting: Waiting[] = []
  let isRunning = false
  const run = async () => {
    isRunning = true
    // Leases that fall due in the same turn of the event loop are included.
    await Promise.resolve()
    for (let batch = waiting; batch.length > 0; batch = waiting) {
      waiting = []
      try {
        const answers = await renew(batch.map(({ lease }) => lease))
        for (const { lease, answer } of batch) answer.resolve(answers.get(lease.cameraId) ?? 'takeover')
      } catch (cause) {
        for (const { answer } of batch) answer.reject(cause)
      }
    }
    isRunning = false
  }
  return (lease) => {
    const answer = Promise.withResolvers<Renewal>()
    waiting.push({ lease, answer })
    if (!isRunning) void run()
    return answer.promise
  }
}
