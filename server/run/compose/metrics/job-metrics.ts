import type { Db } from '@sightline/platform/db'
import { type JobFigures, readJobFigures } from '@sightline/platform/jobs'
import { Gauge, type Registry } from 'prom-client'

export interface JobMetrics {
  /** By task; undefined if the database doesn't answer. */
  figures(): Promise<readonly JobFigures[] | undefined>
  /** The problems for the operator, one sentence each. */
  problems(): Promise<readonly string[]>
}

/** @param db under the role `jobs`. */
export function jobMetrics(db: Db): JobMetrics {
  // An unresponsive database is a separate problem.
  const figures = () => readJobFigures(db).catch(() => undefined)
  return { figures, problems: async () => listJobProblems((await figures()) ?? []) }
}

/** In sentences which tasks have jobs that failed for good. */
export const listJobProblems = (figures: readonly JobFigures[]): readonly string[] =>
  figures
    .filter(({ failed }) => failed > 0)
    .map(({ task, failed }) => `${failed} ${failed === 1 ? 'job' : 'jobs'} of ${task} failed permanently: see the log`)

/** The jobs of each task by state; no lines if the database doesn't respond. */
export function registerJobMetrics(registry: Registry, { figures }: Pick<JobMetrics, 'figures'>): void {
  const gauge = (name: string, help: string, read: (of: JobFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['task'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const found of (await figures()) ?? []) this.set({ task: found.task }, read(found))
      },
    })
  gauge('sightline_jobs_waiting', 'Jobs waiting for their first run or a retry.', ({ waiting }) => waiting)
  gauge('sightline_jobs_running', 'Jobs running.', ({ running }) => running)
  gauge('sightline_jobs_failed', 'Jobs that failed permanently and need an administrator.', ({ failed }) => failed)
  gauge(
    'sightline_jobs_longest_wait_seconds',
    'Time the oldest job that is ready to run has been waiting.',
    ({ longestWaitMs }) => longestWaitMs / 1000,
  )
}
