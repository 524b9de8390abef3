import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, startEmbeddedPostgres } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { type DataFolder, openDataFolder, StartError } from '@sightline/platform/startup'
import type { Config, EnvironmentSecrets } from '../../compose/config.ts'
import { openOwnersPool, openRunningDatabase } from '../../compose/running-database.ts'
import { loadSecrets } from '../../compose/secrets.ts'

/**
 * The installation's database under its owner, whether the product runs on it or not. Of a stopped one the built-in PostgreSQL
 * is started on the data folder, which is held until disposed.
 * @throws StartError where there is none.
 */
export async function openOwnerDatabase(config: Config, given: EnvironmentSecrets): Promise<Db & AsyncDisposable> {
  if (given.databaseUrl !== undefined) return openRunningDatabase(config, given)
  if (!existsSync(join(config.dataFolder, 'postgres', 'cluster'))) {
    throw new StartError(
      `There is no Sightline data in ${config.dataFolder}. Set SIGHTLINE_DATA_DIR to the data folder of your Sightline.`,
    )
  }
  // A socket may be left over from a process that was killed, so the lock is what tells.
  const dataFolder = await openDataFolder(config.dataFolder).catch((error: unknown) => {
    if (error instanceof StartError) return undefined
    throw error
  })
  return dataFolder === undefined ? openRunningDatabase(config, given) : openStoppedDatabase(dataFolder)
}

async function openStoppedDatabase(dataFolder: DataFolder): Promise<Db & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  opening.use(dataFolder)
  // Not readSecrets: the folder of a stopped Sightline is held here, so what an earlier version lacks is added.
  const { databasePasswords: passwords } = await loadSecrets(dataFolder)
  const postgres = opening.use(await startEmbeddedPostgres({ dataFolder, passwords, log: silentLogger }))
  const db = opening.use(openOwnersPool(postgres.connection, 'sightline-audit'))
  const parts = opening.move()
  return { ...db, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
