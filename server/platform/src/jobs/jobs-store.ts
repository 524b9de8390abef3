import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { EpochMs } from '../clock/index.ts'
import { type Db, instant, type Tx } from '../db/index.ts'

export interface StoredJob {
  readonly task: string
  readonly payload: object
  /** Undefined: as many jobs as are enqueued. */
  readonly jobKey: string | undefined
  readonly runAt: EpochMs | undefined
}

export async function insertJob(tx: Tx, { task, payload, jobKey, runAt }: StoredJob): Promise<void> {
  const at: unknown = runAt === undefined ? null : instant(runAt)
  await sql`select enqueue_job(${task}, ${JSON.stringify(payload)}::jsonb, ${jobKey ?? null}::text, ${at}::timestamptz)`.execute(
    tx,
  )
}

/** Makes a job of that task due, unless one is running. Resets the attempts of a failed one. */
export async function makeDue(pool: Pool, task: string): Promise<void> {
  const key = `${task}:recurring`
  await pool.query(
    `select from graphile_worker.add_job($1, '{}', job_key => $2, job_key_mode => 'unsafe_dedupe', max_attempts => 32000)`,
    [task, key],
  )
  await pool.query(
    `update graphile_worker._private_jobs set attempts = 0, run_at = now()
      where key = $1 and locked_at is null and attempts > 0`,
    [key],
  )
}

/** Records that this worker is alive. Its jobs are locked under its name. */
export async function beat(pool: Pool, workers: readonly string[]): Promise<void> {
  await pool.query(
    `insert into job_workers (worker, seen_at) select worker, now() from unnest($1::text[]) worker
       on conflict (worker) do update set seen_at = now()`,
    [workers],
  )
}

/**
 * Releases the jobs of workers not seen for that long, and returns their number. While the database is down no worker
 * is seen, so for as long after its start none counts as dead.
 */
export async function releaseDeadWorkers(pool: Pool, deadAfterMs: number): Promise<number> {
  const { rows } = await pool.query<{ worker: string }>(
    `with old as (select now() - make_interval(secs => $1::double precision / 1000) as at)
     select distinct j.locked_by as worker from graphile_worker._private_jobs j, old
      where j.locked_at < old.at and pg_postmaster_start_time() < old.at
        and not exists (select from job_workers w where w.worker = j.locked_by and w.seen_at >= old.at)`,
    [deadAfterMs],
  )
  if (rows.length > 0) {
    await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [rows.map(({ worker }) => worker)])
    await pool.query(`select pg_notify('jobs:insert', '{"count":16}')`)
  }
  await pool.query(`delete from job_workers where seen_at < now() - interval '1 hour'`)
  return rows.length
}

export async function removeWorkers(pool: Pool, workers: readonly string[]): Promise<void> {
  await pool.query('delete from job_workers where worker = any ($1::text[])', [workers])
}

/**
 * What follows is written to the job while it runs; the queue, which writes down that it failed, adds its own pause of
 * e^attempts seconds to the time.
 */
export async function postpone(
  pool: Pool,
  job: { readonly id: string; readonly attempts: number },
  { at, isAttempt }: { readonly at: EpochMs; readonly isAttempt: boolean },
): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs
        set attempts = $2::int, run_at = $3::timestamptz - exp(least($2::int, 10)) * interval '1 second'
      where id = $1`,
    [job.id, isAttempt ? job.attempts : job.attempts - 1, new Date(at).toISOString()],
  )
}

export async function abandonJob(pool: Pool, id: string): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set attempts = max_attempts where id = $1', [id])
}

/** The state of one task's jobs. */
export interface JobFigures {
  readonly task: string
  readonly waiting: number
  readonly running: number
  /** Permanently failed: they wait for an administrator. */
  readonly failed: number
  /** How long the oldest runnable job has been waiting. */
  readonly longestWaitMs: number
}

const state = (name: 'waiting' | 'running' | 'failed'): RawBuilder<boolean> =>
  ({
    running: sql<boolean>`j.locked_at is not null`,
    waiting: sql<boolean>`j.locked_at is null and j.attempts < j.max_attempts`,
    failed: sql<boolean>`j.locked_at is null and j.attempts >= j.max_attempts`,
  })[name]

/** @param db under the role `jobs`. */
export async function readJobFigures(db: Db): Promise<readonly JobFigures[]> {
  const { rows } = await sql<JobFigures>`
    select t.identifier as task,
           count(*) filter (where ${state('waiting')})::int as waiting,
           count(*) filter (where ${state('running')})::int as running,
           count(*) filter (where ${state('failed')})::int as failed,
           greatest(0, coalesce(max(extract(epoch from now() - j.run_at) * 1000) filter (where ${state('waiting')}), 0))::float8
             as "longestWaitMs"
      from graphile_worker._private_tasks t
      left join graphile_worker._private_jobs j on j.task_id = t.id
     group by t.identifier order by t.identifier`.execute(db.plain)
  return rows
}
