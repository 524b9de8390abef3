import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { clientConfig, type DatabaseConnection } from './connection.ts'

/** The newest step of graphile-worker's own schema in the version that package.json pins. */
export const JOB_SCHEMA_VERSION = 20

/** Loads what a new database needs, a tenth of a second of work that PostgreSQL need not wait for. */
export const loadJobSchema = () => import('graphile-worker')

/**
 * Brings the tables of the job queue up to date, in a schema of their own, under the owner's role: the role that runs jobs may
 * create nothing. Call it while no other process migrates. The package is loaded only where a step is missing.
 */
export async function installJobSchema(client: pg.Client, connection: DatabaseConnection, log: Logger): Promise<void> {
  if ((await installedVersion(client)) >= JOB_SCHEMA_VERSION) return
  const { Logger: JobLogger, runMigrations } = await loadJobSchema()
  const settings = { ...clientConfig(connection, 'owner'), application_name: 'sightline-migrations' }
  // As for our own steps (migrations.ts): what a power cut takes away, the next start applies again.
  const pool = new pg.Pool({ ...settings, max: 1, options: '-c synchronous_commit=off' })
  const ignore = () => undefined
  pool.on('error', ignore)
  pool.on('connect', (connected) => connected.on('error', ignore))
  try {
    const logger = new JobLogger(() => (_level, message) => log.debug(`job queue: ${message}`))
    await runMigrations({ pgPool: pool, logger })
  } finally {
    await pool.end()
  }
}

async function installedVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('graphile_worker.migrations') is not null as present`,
  )
  if (rows[0]?.present !== true) return 0
  const { rows: newest } = await client.query<{ id: number | null }>(
    'select max(id)::int as id from graphile_worker.migrations',
  )
  return newest[0]?.id ?? 0
}
