import type { DeviceJobType } from '@sightline/contract/device-jobs'
import type { CameraCommandAnswer, CameraCommandName, CameraCommandQuestion } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { OnvifCommander } from '../source/index.ts'
import { type MotionChecked, runCheckUp } from './check-up-job.ts'
import { runFirmwareUpgrade } from './firmware-job.ts'
import { runFormat } from './format-job.ts'
import type { OpenJob } from './job-store.ts'
import { runReboot } from './reboot-job.ts'

/** A line about a job for the log of what it is done at. */
export interface JobLine {
  readonly level: 'info' | 'error'
  readonly event: 'rebootStarted' | 'rebootFinished' | 'rebootFailed' | 'firmwareUpgraded' | 'firmwareFailed'
  /** A sentence in English. */
  readonly detail: string
}

/** What a job is done at: a camera or a recorder. */
export interface JobTarget {
  readonly id: number
  command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>): Promise<CameraCommandAnswer<Name>>
  /** Whether it works: a recorder responds, a camera delivers pictures. */
  works(): Promise<boolean>
  /** The client for its requests; undefined without a connection, or without ONVIF. */
  device(): OnvifCommander | undefined
  note(line: JobLine): void
  /** What a check-up looks at; undefined while a camera has no channel, and not there for recorders. */
  readonly checked?: () => MotionChecked | undefined
}

export interface JobDeps {
  readonly job: OpenJob
  readonly target: JobTarget
  readonly db: Db
  readonly now: () => number
  /** Aborts when this worker stops the job, which continues in another worker or after a restart. */
  readonly signal: AbortSignal
}

/** How each job is done. One that runs already is continued, because its worker was restarted; it ends by its deadline. */
const work: Readonly<Record<DeviceJobType, (deps: JobDeps) => Promise<void>>> = {
  reboot: runReboot,
  firmwareUpgrade: runFirmwareUpgrade,
  formatStorage: runFormat,
  checkUp: runCheckUp,
}

/** The jobs that are done at one camera or recorder; each is begun once. */
export class RunningJobs implements AsyncDisposable {
  readonly #deps: Pick<JobDeps, 'target' | 'db' | 'now'> & { readonly log: Logger }
  readonly #running = new Map<number, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(deps: Pick<JobDeps, 'target' | 'db' | 'now'> & { readonly log: Logger }) {
    this.#deps = deps
  }

  /** Those that wait or run, of all cameras and recorders. */
  keep(jobs: readonly OpenJob[]): void {
    const { target, log } = this.#deps
    for (const job of jobs) {
      if (job.targetId !== target.id || this.#running.has(job.jobId) || this.#stopping.signal.aborted) continue
      const { signal } = this.#stopping
      const done = work[job.type]({ ...this.#deps, target: untilStopped(target, signal), job, signal })
        .catch((err: unknown) => log.warn({ err, jobId: job.jobId }, 'a job failed because of a bug'))
        .finally(() => this.#running.delete(job.jobId))
      this.#running.set(job.jobId, done)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running.values())
  }
}

/** The same without waiting for a device once the signal aborts: it may be silent for longer than a stop may take. */
function untilStopped(target: JobTarget, signal: AbortSignal): JobTarget {
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  return {
    ...target,
    works: () => Promise.race([target.works(), stopped.then(() => false)]),
    command: (question) =>
      Promise.race([target.command(question), stopped.then(() => ({ kind: 'timedOut' }) as const)]),
  }
}
