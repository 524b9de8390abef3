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
  readonly log: Logger
  /** Called when the built-in PostgreSQL is beyond repair. */
  readonly onFailure: (reason: string) => void
}

/** Starts the built-in PostgreSQL, or takes the operator's own, and brings its schema up to date. */
export async function startDatabase(start: DatabaseStart): Promise<DatabaseConnection> {
  const connection = await connect(start)
  const began = performance.now()
  const applied = await migrateOrRefuse(connection, start)
  const steps = applied.length === 0 ? 'is up to date' : `got ${applied.length} new steps`
  start.log.info({ ms: Math.round(performance.now() - began) }, `database schema ${steps}`)
  return connection
}

async function connect({
  parts,
  dataFolder,
  secrets,
  given,
  log,
  onFailure,
}: DatabaseStart): Promise<DatabaseConnection> {
  if (given.databaseUrl !== undefined) {
    return { kind: 'url', url: given.databaseUrl, passwords: secrets.databasePasswords }
  }
  const passwords = secrets.databasePasswords
  // Met where it is used.
  if (!existsSync(join(dataFolder.path, 'postgres', 'cluster'))) loadJobSchema().catch(() => undefined)
  const postgres = await parts.start('PostgreSQL', (signal) =>
    startEmbeddedPostgres({ dataFolder, passwords, log, signal }),
  )
  void postgres.failed.then(onFailure)
  return postgres.connection
}

const REFUSALS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'its host name is unknown',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'it refuses the password',
  '28000': 'it refuses this user',
  '3D000': 'it has no such database',
  '42501': 'its user may not create roles and tables there',
}

async function migrateOrRefuse(connection: DatabaseConnection, { log }: DatabaseStart): Promise<readonly string[]> {
  const migrations = await readMigrations()
  try {
    return await migrate({ connection, log, migrations })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const reason = REFUSALS[code]
    if (connection.kind === 'socket' || reason === undefined) throw cause
    throw new StartError(`The database of DATABASE_URL cannot be used: ${reason}.`, { cause })
  }
}
