import { DatabaseClock } from './database-clock.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import { Membership } from './membership.ts'
import { beatWorker } from './membership-store.ts'

/** This worker among those that share the cameras, and the time that their leases are judged by. */
export function joinWorkers(
  { workerId, disk, peers = [], leaseDb, now, recalled }: MediaWorkerDeps & { readonly disk: string },
  onChange: () => void,
): { readonly membership: Membership; readonly leaseNow: () => number } {
  const clock = new DatabaseClock(now)
  const beat = async () => {
    const { living, databaseNow } = await beatWorker(leaseDb, { workerId, disk })
    clock.set(databaseNow)
    return living
  }
  const monotonic = () => performance.now()
  const known = recalled?.workers
  return {
    membership: new Membership({ workerId, disk, peers, known, beat, onChange, monotonic }),
    leaseNow: clock.now,
  }
}
