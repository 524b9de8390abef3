import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@sightline/platform/db'
import { type OnvifCommander, restartDevice } from '../source/index.ts'
import { beginJob, type DeviceLogRecord, endJob, type OpenDeviceJob, saveProgress } from './device-store.ts'

export interface DeviceJobDeps {
  readonly job: OpenDeviceJob
  readonly commander: OnvifCommander
  readonly db: Db
  /** Gets the lines of the device's log. */
  readonly note: (line: Pick<DeviceLogRecord, 'level' | 'event' | 'detail'>) => void
  readonly now: () => number
  readonly signal: AbortSignal
}

/** How long a restart takes (specification §9). */
const RESTART_MS = 120_000
/** A device that isn't back by then has failed. */
const LATEST_MS = 10 * 60_000
const LOOK_EVERY_MS = 3000
/** A device that still responds this long after it was asked didn't restart at once. */
const DOWN_WITHIN_MS = 20_000

/**
 * Carries out a job of a recorder. A worker that starts while one runs continues it, and doesn't begin it again: a device that is
 * restarted twice is away twice as long.
 */
export async function runDeviceJob(deps: DeviceJobDeps): Promise<void> {
  const { job, commander, db, note, now, signal } = deps
  let startedAt = job.startedAt ?? now()
  if (job.state === 'queued') {
    startedAt = now()
    if (!(await beginJob(db, job.jobId, startedAt))) return
    const restarted = await restartDevice(commander, AbortSignal.any([signal, AbortSignal.timeout(RESTART_MS)]))
    if (signal.aborted) return
    if (!restarted.ok) {
      note({ level: 'error', event: 'rebootFailed', detail: restarted.failure.detail })
      return await endJob(db, job.jobId, now(), restarted.failure.detail)
    }
    note({ level: 'info', event: 'rebootStarted', detail: 'the device was asked to restart' })
  }
  const isBack = await waitUntilBack(deps, startedAt)
  if (signal.aborted) return
  if (isBack) {
    note({ level: 'info', event: 'rebootFinished', detail: `after ${Math.round((now() - startedAt) / 1000)} seconds` })
    return await endJob(db, job.jobId, now())
  }
  const detail = "the device didn't respond within 10 minutes after its restart"
  note({ level: 'error', event: 'rebootFailed', detail })
  await endJob(db, job.jobId, now(), detail)
}

/** Waits until the device responds again; false if it doesn't, or if we stop. */
async function waitUntilBack({ job, commander, db, now, signal }: DeviceJobDeps, startedAt: number): Promise<boolean> {
  let wasAway = false
  while (!signal.aborted && now() - startedAt < LATEST_MS) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return false
    const clock = await commander.client.readClock()
    const elapsed = now() - startedAt
    if (clock.ok && (wasAway || elapsed > DOWN_WITHIN_MS)) return true
    wasAway ||= !clock.ok
    await saveProgress(db, job.jobId, Math.min(95, Math.round((elapsed / RESTART_MS) * 100)))
  }
  return false
}
