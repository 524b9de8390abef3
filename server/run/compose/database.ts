import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseConnection } from '@sightline/platform/db'
import { loadJobSchema, migrate, readMigrations, startEmbeddedPostgres } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { type DataFolder, StartError } from '@sightline/platform/startup'
import type { EnvironmentSecrets } from './config.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Secrets } from './secrets.ts'

export interface DatabaseStart {
  readonly parts: Lifecycle
  readonly dataFolder: DataFolder
  readonly secrets: Secrets
  readonly given: EnvironmentSecrets
  /** Each has connections of its own. */
  readonly mediaWorkers: number
  readonly log: Logger
}

export interface ProductDatabase {
  readonly connection: DatabaseConnection
  /** Why the built-in PostgreSQL isn't running, in one sentence; none while it runs, and none for the operator's own. */
  readonly problems: () => readonly string[]
}

/** Of everything but the media workers. */
const CONNECTIONS = 96
const CONNECTIONS_PER_WORKER = 8

/** Starts the built-in PostgreSQL, or connects to the operator's own, and migrates its schema. */
export async function startDatabase(start: DatabaseStart): Promise<ProductDatabase> {
  const database = await connect(start)
  const began = performance.now()
  const applied = await migrateOrRefuse(database.connection, start)
  const steps = applied.length === 0 ? 'is up to date' : `updated with ${applied.length} new migrations`
  start.log.info({ ms: Math.round(performance.now() - began) }, `database schema ${steps}`)
  return database
}

async function connect({
  parts,
  dataFolder,
  secrets,
  given,
  mediaWorkers,
  log,
}: DatabaseStart): Promise<ProductDatabase> {
  const passwords = secrets.databasePasswords
  if (given.databaseUrl !== undefined)
    return { connection: { kind: 'url', url: given.databaseUrl, passwords }, problems: () => [] }
  // Handled at its use.
  if (!existsSync(join(dataFolder.path, 'postgres', 'cluster'))) loadJobSchema().catch(() => undefined)
  const postgres = await parts.start('PostgreSQL', (signal) =>
    startEmbeddedPostgres({
      dataFolder,
      passwords,
      log,
      signal,
      maxConnections: CONNECTIONS + CONNECTIONS_PER_WORKER * mediaWorkers,
    }),
  )
  return {
    connection: postgres.connection,
    problems: () => [postgres.problem()].filter((problem) => problem !== undefined),
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening at its address',
  ENOTFOUND: 'unknown host name',
  ETIMEDOUT: 'no response',
  '28P01': 'it rejected the password',
  '28000': 'it rejected the user',
  '3D000': 'the database does not exist',
  '42501': 'the user has no permission to create roles and tables',
}

/** The driver's own time limit has no code. */
function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  if ('code' in cause) return String(cause.code)
  return cause.message === 'timeout expired' ? 'ETIMEDOUT' : ''
}

async function migrateOrRefuse(connection: DatabaseConnection, { log }: DatabaseStart): Promise<readonly string[]> {
  const migrations = await readMigrations()
  try {
    return await migrate({ connection, log, migrations })
  } catch (cause) {
    const code = codeOf(cause)
    const reason = REFUSALS[code]
    if (connection.kind === 'socket' || reason === undefined) throw cause
    throw new StartError(`Could not connect to the database in DATABASE_URL: ${reason}.`, { cause })
  }
}
