import { type DatabaseConnection, type Db, findEmbeddedPostgres, openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { StartRefused } from '@sightline/platform/startup'
import type { Config, GivenSecrets } from '../config.ts'

/**
 * The installation's database under its owner, beside the product that runs on it.
 * @throws StartRefused where it does not run.
 */
export async function openRunningDatabase(config: Config, given: GivenSecrets): Promise<Db & AsyncDisposable> {
  const { databaseUrl } = given
  // The planes' passwords are for the planes; the owner's is in the address.
  const passwords = { app: '', auth: '', media: '', sealer: '', alerts: '', eraser: '', jobs: '' }
  const connection =
    databaseUrl === undefined
      ? await findEmbeddedPostgres(config.dataFolder)
      : ({ kind: 'url', url: databaseUrl, passwords } as const)
  if (connection === undefined) {
    throw new StartRefused(
      `No Sightline runs on the data folder ${config.dataFolder}: start it first, or set SIGHTLINE_DATA_DIR to its folder.`,
    )
  }
  return openOwnersPool(connection, 'sightline-client')
}

/** @param applicationName as operators see it in `pg_stat_activity`. */
export const openOwnersPool = (connection: DatabaseConnection, applicationName: string): Db =>
  openDatabase({ connection, role: 'owner', maxConnections: 2, applicationName, log: silentLogger })
