import { Logger as QueueLogger, runTaskListOnce } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import { clientConfig, type DatabaseConnection, type Db } from '../../db/index.ts'
import { type Logger, silentLogger } from '../../log/index.ts'
import { makeDue } from '../jobs-store.ts'
import { toTaskList } from '../run-task.ts'
import type { JobTasks } from '../tasks.ts'

/** Runs what recurs once, and everything that is due, as one process would; returns when nothing is left that may run. */
export async function runJobs(
  connection: DatabaseConnection,
  tasks: JobTasks,
  log: Logger = silentLogger,
): Promise<void> {
  const pool = new pg.Pool({ ...clientConfig(connection, 'jobs'), max: 2 })
  // The server may end a connection before it has read that we did.
  pool.on('error', () => undefined)
  pool.on('connect', (connected) => connected.on('error', () => undefined))
  const client = await pool.connect()
  try {
    for (const [task, { everyMs }] of Object.entries(tasks)) if (everyMs !== undefined) await makeDue(pool, task)
    const list = toTaskList(tasks, { pool, log, signal: new AbortController().signal })
    const logger = new QueueLogger(() => () => undefined)
    await runTaskListOnce({ logger, noHandleSignals: true }, list, client).promise
  } finally {
    client.release()
    await pool.end()
  }
}

/** Makes waiting jobs due now. */
export async function bringForward({ plain }: Pick<Db, 'plain'>): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(plain)
}

export interface JobRow {
  readonly task: string
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
  readonly lastError: string | null
  readonly isRunning: boolean
  /** Seconds until it may run; negative if it may run now. */
  readonly waitS: number
}

/** All jobs, or those of that task, oldest first. */
export async function listJobs({ plain }: Pick<Db, 'plain'>, task?: string): Promise<readonly JobRow[]> {
  const { rows } = await sql<JobRow>`
    select t.identifier as task, j.payload, j.attempts, j.max_attempts as "maxAttempts", j.last_error as "lastError",
           j.locked_at is not null as "isRunning", extract(epoch from j.run_at - now())::float8 as "waitS"
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where ${task ?? null}::text is null or t.identifier = ${task ?? null} order by j.id`.execute(plain)
  return rows
}
