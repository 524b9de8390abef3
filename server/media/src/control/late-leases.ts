import type { Logger } from '@sightline/platform/log'

const LOG_AFTER_MS = 1000

/** Late renewals, and leases that had expired by then. Both only increase. */
export interface LeaseCounters {
  late: number
  lapsed: number
}

export const newLeaseCounters = (): LeaseCounters => ({ late: 0, lapsed: 0 })

/** Counts late renewals; a busy worker is late for all its cameras together, which is one log line. */
export function lateLeases(counters: LeaseCounters, log: Logger): (byMs: number, state: 'held' | 'lapsed') => void {
  let noted: { late: number; lapsed: number; byMs: number } | undefined
  const write = () => {
    if (noted === undefined) return
    const { late, lapsed, byMs } = noted
    noted = undefined
    const outcome =
      lapsed === 0
        ? 'none had expired'
        : `${lapsed} had expired, but no other worker had taken them: recording continues`
    log.warn(
      { byMs },
      `leases of ${late} cameras were renewed late, because this worker or the database was busy; ${outcome}`,
    )
  }
  return (byMs, state) => {
    counters.late++
    if (state === 'lapsed') counters.lapsed++
    if (noted === undefined) {
      noted = { late: 0, lapsed: 0, byMs: 0 }
      setTimeout(write, LOG_AFTER_MS).unref()
    }
    noted.late++
    if (state === 'lapsed') noted.lapsed++
    noted.byMs = Math.max(noted.byMs, byMs)
  }
}
