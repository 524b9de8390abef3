import type { ChannelDeps } from './camera-channel.ts'
import type { ChannelKeeperDeps } from './channel-keeper.ts'
import { lateLeases } from './late-leases.ts'
import { LEASE_MS } from './lease-keeper.ts'
import { leaseRenewals } from './lease-renewals.ts'
import { announceSuccessor, renewLeases, takeLease } from './lease-store.ts'
import { claimStatuses } from './membership-store.ts'
import type { CameraToServe } from './store.ts'

type CameraLeasesDeps = Pick<ChannelKeeperDeps, 'db' | 'leaseDb' | 'workerId' | 'leaseNow' | 'now' | 'tally' | 'log'> &
  Pick<ChannelKeeperDeps, 'remembered'>

/** How channels take and renew the leases of their cameras; all of a worker are renewed together. */
export function openLeases({ db, leaseDb, workerId, leaseNow, now, tally, log, remembered }: CameraLeasesDeps) {
  const renew = leaseRenewals((leases) => renewLeases(leaseDb, { workerId, leases, expiresAt: leaseNow() + LEASE_MS }))
  const late = lateLeases(tally.leases, log)
  return ({ accountId, cameraId }: CameraToServe): ChannelDeps['leases'] => {
    const lease = { accountId, cameraId, workerId }
    /** Its status is another worker's, which had the camera while the channel here stayed open. */
    let isForeign = false
    return {
      async take(above) {
        const taken = await takeLease(leaseDb, { ...lease, above, now: leaseNow(), expiresAt: leaseNow() + LEASE_MS })
        if (taken !== undefined) remembered.leased(cameraId, taken.fence)
        isForeign ||= taken?.isTakeover === true
        if (taken === undefined || !isForeign) return taken
        await claimStatuses(db, { workerId, cameraIds: [cameraId], now: now() })
        isForeign = false
        return taken
      },
      announce: () => announceSuccessor(leaseDb, lease),
      renew: (fence) => renew({ cameraId, fence }),
      late,
    }
  }
}
