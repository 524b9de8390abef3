import type { Job, JobCounts, JobState } from '@sightline/contract/jobs'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type KeysetPage, type KeysetQuestion, keysetPage, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import { type Selectable, sql } from 'kysely'

export const PROVIDER = PROVIDER_ID

export interface JobFilter {
  readonly state?: JobState | undefined
  readonly task?: string | undefined
}

const jobsOf = (tx: Tx, { state, task }: JobFilter) => {
  const all = tx.selectFrom('administered_jobs as j')
  const ofState = state === undefined ? all : all.where('j.state', '=', state)
  return task === undefined ? ofState : ofState.where('j.task', '=', task)
}

const query = (tx: Tx, filter: JobFilter = {}) => jobsOf(tx, filter).selectAll('j')

export type ListedJobRow = Selectable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>>

export const toJob = (row: ListedJobRow): Job => ({
  jobId: row.job_id,
  task: row.task,
  state: row.state,
  recurring: row.is_recurring,
  payload: row.payload as Readonly<Record<string, number>>,
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  createdAt: toDateTime(row.created_at),
  nextRunAt: row.state === 'running' || row.state === 'failed' ? null : toDateTime(row.run_at),
  lastError: row.last_error,
})

/** Times are truncated to milliseconds here, so the previous page must be found with truncated times too. */
const createdAt = sql<number>`date_trunc('milliseconds', j.created_at)`

export const pageOfJobs = (tx: Tx, filter: JobFilter, question: KeysetQuestion): Promise<KeysetPage<ListedJobRow>> =>
  keysetPage(
    query(tx, filter),
    {
      by: createdAt,
      key: sql<number>`j.job_id`,
      toSql: (value) => sql<number>`${instant(Number(value))}::timestamptz`,
    },
    question,
  )

export async function countJobs(tx: Tx, filter: JobFilter): Promise<number> {
  const row = await jobsOf(tx, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function countByTask(tx: Tx): Promise<JobCounts[]> {
  const inState = (state: JobState) => sql<number>`count(*) filter (where j.state = ${state})::int`.as(state)
  return tx
    .selectFrom('administered_jobs as j')
    .select(['j.task', inState('waiting'), inState('running'), inState('retrying'), inState('failed')])
    .groupBy('j.task')
    .orderBy('j.task')
    .execute()
}

export async function findJob(tx: Tx, jobId: number): Promise<Job | undefined> {
  const row = await query(tx).where('j.job_id', '=', jobId).executeTakeFirst()
  return row === undefined ? undefined : toJob(row)
}

/** False if it is running or gone. */
export const retry = (tx: Tx, jobId: number): Promise<boolean> => outcome(tx, sql`retry_job(${jobId})`)
/** False if it is running or gone. */
export const discard = (tx: Tx, jobId: number): Promise<boolean> => outcome(tx, sql`discard_job(${jobId})`)

async function outcome(tx: Tx, call: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select ${call} as done`.execute(tx)
  return rows[0]?.done === true
}
