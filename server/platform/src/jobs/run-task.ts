import type { JobHelpers, TaskList } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from '../log/index.ts'
import { abandonJob, postpone } from './jobs-store.ts'
import type { JobFailure, JobOutcome, JobTasks, RunningJob } from './tasks.ts'

export interface RunDeps {
  /** Under the role `jobs`. */
  readonly pool: Pool
  readonly log: Logger
  readonly signal: AbortSignal
}

/** The tasks as the queue calls them. */
export const toTaskList = (tasks: JobTasks, deps: RunDeps): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => {
      // Every caller that enqueues a task passes the payload of its type, and jobs can't be written in any other way.
      const run = task.run as (payload: unknown, job: RunningJob) => Promise<JobOutcome>
      return [name, (payload: unknown, { job }: JobHelpers) => runJob({ name, run, payload, job }, deps)]
    }),
  )

interface Job {
  readonly name: string
  readonly payload: unknown
  readonly run: (payload: unknown, job: RunningJob) => Promise<JobOutcome>
  readonly job: JobHelpers['job']
}

async function runJob({ name, run, payload, job }: Job, { pool, log, signal }: RunDeps): Promise<void> {
  const { id: jobId, attempts: attempt } = job
  const about = { task: name, jobId, attempt }
  let outcome: JobOutcome
  try {
    outcome = await run(payload, { jobId, attempt, signal })
  } catch (err) {
    log.error({ ...about, err }, 'a job failed because of a bug or an unavailable service')
    throw new Error(reasonOf(err), { cause: err })
  }
  if (outcome.ok) return
  const { reason, retry } = outcome.failure
  log.warn({ ...about, reason, retry: retry.kind }, 'a job failed')
  await writeRetry(pool, job, retry)
  throw new Error(withoutAddresses(reason))
}

async function writeRetry(pool: Pool, job: JobHelpers['job'], retry: JobFailure['retry']): Promise<void> {
  if (retry.kind === 'backoff') return
  if (retry.kind === 'never') return abandonJob(pool, job.id)
  return postpone(pool, job, { at: retry.at, isAttempt: retry.kind === 'notBefore' })
}

/**
 * Shown to administrators with the job. An error's message may quote a row, so only its kind is stored; the log has the
 * rest.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  return `${error.name}${code}`
}

const withoutAddresses = (reason: string): string => reason.replaceAll(/\S*@\S*/g, '…').slice(0, 300)
