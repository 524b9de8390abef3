import type { WorkerPool } from 'graphile-worker'
import pg from 'pg'
import { MS_PER_SECOND, repeatEvery } from '../clock/index.ts'
import { clientConfig, type DatabaseConnection } from '../db/index.ts'
import type { Logger } from '../log/index.ts'
import { beat, makeDue, releaseDeadWorkers, removeWorkers } from './jobs-store.ts'
import { toTaskList } from './run-task.ts'
import type { JobTasks } from './tasks.ts'

/** Tasks that share a concurrency limit, so that slow ones don't delay those of another lane. */
export interface JobLane {
  readonly tasks: JobTasks
  /** Jobs at a time, in this process. */
  readonly concurrency: number
}

export interface JobWorkerSettings {
  readonly connection: DatabaseConnection
  readonly lanes: readonly JobLane[]
  readonly log: Logger
  /** A worker not seen for that long is dead; defaults to 7 seconds. */
  readonly deadAfterMs?: number
}

const BEAT_EVERY_MS = MS_PER_SECOND
/** With one heartbeat and one poll for jobs, its jobs run again within 10 s. */
const DEAD_AFTER_MS = 7 * MS_PER_SECOND
/** How often to poll for due jobs; new jobs are announced. */
const LOOK_EVERY_MS = MS_PER_SECOND
/** What runs when the process stops has that long to end. */
const STOP_MS = 5 * MS_PER_SECOND

/**
 * Runs jobs until disposed. Several processes may: each job runs in one process at a time. The jobs of a killed process
 * are released by the others, or by its successor, and run again.
 */
export async function startJobWorker(settings: JobWorkerSettings): Promise<AsyncDisposable> {
  const { lanes, log, deadAfterMs = DEAD_AFTER_MS } = settings
  // Loading it takes most of a start, so processes without a worker skip it.
  const { Logger: QueueLogger, runTaskList } = await import('graphile-worker')
  const pool = openPool(settings)
  const closing = new AbortController()
  const { signal } = closing
  const logger = new QueueLogger(() => (level, message, meta) => {
    // A failed job is logged with its reason where it runs.
    if (level === 'error' && meta?.failure !== true) log.warn({ reason: message }, 'job queue')
  })
  const options = { logger, pgPool: pool, pollInterval: LOOK_EVERY_MS, noHandleSignals: true }
  const running = lanes.map(({ tasks, concurrency }) =>
    runTaskList({ ...options, concurrency }, toTaskList(tasks, { pool, log, signal }), pool),
  )
  for (const lane of running) lane.promise.catch((err: unknown) => log.error({ err }, 'the job queue stopped'))
  const rounds = startRounds({ pool, lanes, log, deadAfterMs, signal }, running)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all(running.map(stop))
      await rounds
      await removeWorkers(
        pool,
        running.map(({ id }) => id),
      ).catch(() => undefined)
      await pool.end()
    },
  }
}

function openPool({ connection, lanes }: JobWorkerSettings): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(connection, 'jobs'),
    // Each lane listens on its own connection; in addition, one for the heartbeat and some to take and complete jobs.
    max: lanes.length + 4,
    application_name: 'sightline-jobs',
    statement_timeout: 30 * MS_PER_SECOND,
  })
  // A broken connection is replaced; its user learns of it at the next statement.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

interface Rounds extends Required<Pick<JobWorkerSettings, 'lanes' | 'log' | 'deadAfterMs'>> {
  readonly pool: pg.Pool
  readonly signal: AbortSignal
}

/** The beat, the release of dead workers' jobs, and what recurs. */
async function startRounds(
  { pool, lanes, log, deadAfterMs, signal }: Rounds,
  running: readonly WorkerPool[],
): Promise<void> {
  const ids = running.map(({ id }) => id)
  const attempt = (work: () => Promise<void>) => () =>
    work().catch((err: unknown) => {
      if (!signal.aborted) log.warn({ err }, 'could not reach the job queue')
    })
  const look = attempt(async () => {
    await beat(pool, ids)
    const dead = await releaseDeadWorkers(pool, deadAfterMs)
    if (dead > 0) log.warn({ dead }, 'released the jobs of processes that died')
  })
  const recurring = lanes.flatMap(({ tasks }) =>
    Object.entries(tasks).flatMap(([task, { everyMs }]) => (everyMs === undefined ? [] : [{ task, everyMs }])),
  )
  const every = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    // Jobs that became due during a downtime run at the start.
    await work()
    await repeatEvery(signal, everyMs, work)
  }
  await Promise.all([
    every(BEAT_EVERY_MS, look),
    ...recurring.map(({ task, everyMs }) =>
      every(
        everyMs,
        attempt(() => makeDue(pool, task)),
      ),
    ),
  ])
}

async function stop(lane: WorkerPool): Promise<void> {
  const reason = 'the process is stopping'
  const force = async (): Promise<void> => void (await lane.forcefulShutdown(reason))
  const timer = setTimeout(() => force().catch(() => undefined), STOP_MS)
  try {
    await lane.gracefulShutdown(reason)
  } catch {
    // What did not end in time is released, and done by another process.
  } finally {
    clearTimeout(timer)
  }
}
