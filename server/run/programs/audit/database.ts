import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, startEmbeddedPostgres } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { type DataFolder, openDataFolder, StartError } from '@sightline/platform/startup'
import type { Config, EnvironmentSecrets } from '../../compose/config.ts'
import { openOwnersPool, openRunningDatabase } from '../../compose/running-database.ts'
import { loadSecrets } from '../../compose/secrets.ts'

/**
 * The installation's database as its owner, whether the product is running or not. For a stopped one, starts the
 * built-in PostgreSQL on the data folder, which is locked until disposed.
 *
 * @throws StartError if there is none.
 */
export async function openOwnerDatabase(config: Config, given: EnvironmentSecrets): Promise<Db & AsyncDisposable> {
  if (given.databaseUrl !== undefined) return openRunningDatabase(config, given)
  if (!existsSync(join(config.dataFolder, 'postgres', 'cluster'))) {
    throw new StartError(
      `There is no Sightline data in ${config.dataFolder}. Set SIGHTLINE_DATA_DIR to the data folder of your Sightline.`,
    )
  }
  // A killed process may leave its socket, so the lock decides.
  const dataFolder = await openDataFolder(config.dataFolder).catch((error: unknown) => {
    if (error instanceof StartError) return undefined
    throw error
  })
  return dataFolder === undefined ? openRunningDatabase(config, given) : openStoppedDatabase(dataFolder)
}

async function openStoppedDatabase(dataFolder: DataFolder): Promise<Db & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  opening.use(dataFolder)
  // Not readSecrets: the folder of a stopped Sightline is locked here, so secrets missing from an earlier version are
  // added.
  const { databasePasswords: passwords } = await loadSecrets(dataFolder)
  const postgres = opening.use(await startEmbeddedPostgres({ dataFolder, passwords, log: silentLogger }))
  const db = opening.use(openOwnersPool(postgres.connection, 'sightline-audit'))
  const parts = opening.move()
  return { ...db, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
