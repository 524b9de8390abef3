import pg from 'pg'
import { silentLogger } from '../../log/index.ts'
import { type DataFolder, openDataFolder } from '../../startup/index.ts'
import { clientConfig, type DatabaseConnection } from '../connection.ts'
import {
  type EmbeddedPasswords,
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
  startEmbeddedPostgres,
} from './index.ts'

/** Different ones, so that no role gets in by the password of another. */
export const PASSWORDS: EmbeddedPasswords = {
  superuser: "of superuser '",
  owner: 'of owner',
  app: 'of app',
  auth: 'of auth',
  media: 'of media',
  sealer: 'of sealer',
  alerts: 'of alerts',
  eraser: 'of eraser',
  jobs: 'of jobs',
}

/** PostgreSQL on a data folder, as the product starts it. */
export interface RunningPostgres extends AsyncDisposable {
  readonly postgres: EmbeddedPostgres
  readonly folder: DataFolder
}

export async function startPostgres(
  path: string,
  more: Partial<EmbeddedPostgresSettings> = {},
): Promise<RunningPostgres> {
  const folder = await openDataFolder(path)
  try {
    const postgres = await startEmbeddedPostgres({
      dataFolder: folder,
      passwords: PASSWORDS,
      log: silentLogger,
      ...more,
    })
    return {
      postgres,
      folder,
      async [Symbol.asyncDispose]() {
        await postgres[Symbol.asyncDispose]()
        await folder[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    throw error
  }
}

/** Under the owner. */
export async function query(connection: DatabaseConnection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(clientConfig(connection, 'owner'))
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
