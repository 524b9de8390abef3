import { type DatabaseConnection, type Db, findEmbeddedPostgres, openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { StartError } from '@sightline/platform/startup'
import type { Config, EnvironmentSecrets } from './config.ts'
import { readSecrets } from './secrets.ts'

/**
 * The installation's database under its owner, while the product runs.
 *
 * @throws StartError if it isn't running.
 */
export async function openRunningDatabase(config: Config, given: EnvironmentSecrets): Promise<Db & AsyncDisposable> {
  const { databaseUrl } = given
  const connection =
    databaseUrl === undefined
      ? await findEmbeddedPostgres(config.dataFolder, () => ownersPassword(config.dataFolder))
      : // The owner's password is in the address; the planes' are for the planes.
        ({ kind: 'url', url: databaseUrl, passwords: {} } as const)
  if (connection === undefined) {
    throw new StartError(
      `Sightline is not running on the data folder ${config.dataFolder}. Start it first, or set SIGHTLINE_DATA_DIR to its data folder.`,
    )
  }
  return openOwnersPool(connection, 'sightline-client')
}

async function ownersPassword(dataFolder: string): Promise<{ readonly owner: string }> {
  const { owner } = (await readSecrets(dataFolder)).databasePasswords
  return { owner }
}

/** @param applicationName as operators see it in `pg_stat_activity`. */
export const openOwnersPool = (connection: DatabaseConnection, applicationName: string): Db =>
  openDatabase({ connection, role: 'owner', maxConnections: 2, applicationName, log: silentLogger })
