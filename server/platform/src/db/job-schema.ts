import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { clientConfig, type DatabaseConnection } from './connection.ts'

/** The newest step of graphile-worker's own schema in the version that package.json pins. */
export const JOB_SCHEMA_VERSION = 20

/** Loads the migration code for a new database: a tenth of a second that needn't delay PostgreSQL. */
export const loadJobSchema = () => import('graphile-worker')

/**
 * Migrates the job queue's tables, in their own schema, under the owner's role: the role that runs jobs can't create
 * anything. Call it while no other process migrates. The package is loaded only if a step is missing.
 */
export async function installJobSchema(client: pg.Client, connection: DatabaseConnection, log: Logger): Promise<void> {
  if ((await installedVersion(client)) >= JOB_SCHEMA_VERSION) return
  const { Logger: JobLogger, runMigrations } = await loadJobSchema()
  const settings = { ...clientConfig(connection, 'owner'), application_name: 'sightline-migrations' }
  // As for our own steps (migrations.ts): the next start repeats steps lost in a power cut.
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
