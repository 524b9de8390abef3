import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { ChannelKeeper } from './channel-keeper.ts'
import type { DeviceKeeper } from './device-keeper.ts'
import { failOverdueJobs, loadOpenJobs } from './job-store.ts'
import { RunningJobs } from './jobs.ts'
import { joinedRuns } from './joined-runs.ts'

export interface JobKeeperDeps {
  readonly db: Db
  readonly channels: Pick<ChannelKeeper, 'command' | 'isOnline' | 'cameraIds' | 'device' | 'checked'>
  readonly devices: Pick<DeviceKeeper, 'keepJobs'>
  /** Whether this worker does what is to be done once. */
  readonly isFirst: () => boolean
  readonly log: Logger
  readonly now: () => number
}

/** Does the jobs of the cameras and recorders that this worker looks after. */
export interface JobKeeper extends AsyncDisposable {
  /** Reads from the database which jobs there are. */
  refresh(): Promise<void>
  /** The same, with a line in the log if it fails. */
  refreshLater(): void
}

/** The worker that runs a job sees its deadline first and knows better why it failed. */
const GRACE_MS = 30_000

export function jobKeeper({ db, channels, devices, isFirst, log, now }: JobKeeperDeps): JobKeeper {
  const cameras = new Map<number, RunningJobs>()
  let isClosing = false

  const open = (cameraId: number): RunningJobs => {
    const found = cameras.get(cameraId)
    if (found !== undefined) return found
    const target = {
      id: cameraId,
      command: channels.command,
      works: async () => channels.isOnline(cameraId),
      device: () => channels.device(cameraId),
      checked: () => channels.checked(cameraId),
      note: ({ event, detail }: { event: string; detail: string }) => log.info({ cameraId, event }, detail),
    }
    const opened = new RunningJobs({ target, db, now, log })
    cameras.set(cameraId, opened)
    return opened
  }
  const refreshNow = async () => {
    const jobs = await loadOpenJobs(db)
    if (isClosing) return
    devices.keepJobs(jobs)
    const served = new Set(channels.cameraIds())
    const gone = [...cameras].filter(([cameraId]) => !served.has(cameraId))
    for (const [cameraId] of gone) cameras.delete(cameraId)
    for (const { targetId } of jobs) if (served.has(targetId)) open(targetId).keep(jobs)
    await Promise.all(gone.map(([, running]) => running[Symbol.asyncDispose]()))
    if (isFirst() && jobs.some(({ deadline }) => deadline + GRACE_MS < now()))
      await failOverdueJobs(db, now() - GRACE_MS, now())
  }
  const refreshing = joinedRuns(refreshNow)
  return {
    refresh: refreshing.run,
    refreshLater: () => void refreshing.run().catch((err: unknown) => log.warn({ err }, 'could not list jobs')),
    async [Symbol.asyncDispose]() {
      isClosing = true
      await refreshing.settled()
      await Promise.all([...cameras.values()].map((running) => running[Symbol.asyncDispose]()))
    },
  }
}
