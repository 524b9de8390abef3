import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../log/index.ts'
import type { DataFolder } from '../../startup/index.ts'
import type { DatabaseConnection, RolePasswords } from '../connection.ts'
import { DATABASE, type EmbeddedPasswords, OWNER, prepareAccess, setPasswords } from './access.ts'
import { completeBinaries } from './binaries.ts'
import { ensureCluster, serverArguments } from './cluster.ts'
import { chooseLauncher, type Launcher, listLaunchers } from './launcher.ts'
import { startPostmaster } from './postmaster.ts'
import { findSocketFolder, makeSocketFolder } from './socket-folder.ts'
import { restartPauseMs, supervise } from './supervisor.ts'

export type { EmbeddedPasswords } from './access.ts'
export type { Launcher } from './launcher.ts'
export { listLaunchers } from './launcher.ts'

export interface EmbeddedPostgresSettings {
  readonly dataFolder: DataFolder
  readonly passwords: EmbeddedPasswords
  readonly log: Logger
  readonly maxConnections?: number
  /** `none` only for temporary databases, as in tests. Default `full`. */
  readonly durability?: 'full' | 'none'
  /** Ways to run the server, best first; what suits the present user unless told otherwise. */
  readonly launchers?: readonly Launcher[]
  /** The pause before a crashed server is started again, by failures in a row. Default: from 200 ms to 30 s. */
  readonly restartPauseMs?: (failures: number) => number
  /** Cancels the first start. */
  readonly signal?: AbortSignal
}

/** A PostgreSQL of our own in the data folder, started again whenever it crashes, for as long as it takes. */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: DatabaseConnection
  /** The server's current state. */
  readonly pid: () => number
  /** Why it isn't running; undefined while it is. */
  readonly problem: () => string | undefined
}

/**
 * The PostgreSQL of a data folder in use by another process of ours, or undefined.
 *
 * @param readPasswords called only if one is running.
 */
export async function findEmbeddedPostgres(
  dataFolder: string,
  readPasswords: () => Promise<RolePasswords>,
): Promise<DatabaseConnection | undefined> {
  const folder = await findSocketFolder(join(dataFolder, 'postgres'))
  if (folder === undefined) return undefined
  return { kind: 'socket', folder, database: DATABASE, owner: OWNER, passwords: await readPasswords() }
}

/**
 * Starts PostgreSQL on `<data folder>/postgres`, creating the cluster and the empty database at the first start.
 * Every role needs its password, also on the socket, which is in a folder that only our user can enter: a compromised
 * plane can connect only under its own role, bound by grants and row policies.
 *
 * @throws StartError with instructions if the first start fails. Later ones are repeated until they succeed.
 */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const { dataFolder, log, passwords, signal } = settings
  const folder = join(dataFolder.path, 'postgres')
  const cluster = join(folder, 'cluster')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const binaries = await completeBinaries(join(folder, 'cache'))
  const launchers = settings.launchers ?? listLaunchers(process.getuid?.() ?? 1)
  const launcher = await chooseLauncher(launchers, binaries, folder)
  await ensureCluster(cluster, binaries, launcher)
  const access = { cluster, passwords, fileOwner: launcher.fileOwner }
  const hasPasswords = await prepareAccess(access)
  const socketFolder = await makeSocketFolder(folder, launcher.fileOwner)
  const start = async (cancel: AbortSignal | undefined) => {
    await socketFolder.ensure()
    return await startPostmaster(
      {
        cluster,
        binaries,
        launcher,
        log,
        arguments: serverArguments({
          socketFolder: socketFolder.path,
          maxConnections: settings.maxConnections ?? 100,
          durability: settings.durability ?? 'full',
        }),
      },
      cancel,
    )
  }
  const supervised = supervise(await start(signal), { start, log, pauseMs: settings.restartPauseMs ?? restartPauseMs })
  if (!hasPasswords) await setPasswords(socketFolder.path, access)
  const { superuser: _, ...rolePasswords } = passwords
  return {
    connection: {
      kind: 'socket',
      folder: socketFolder.path,
      database: DATABASE,
      owner: OWNER,
      passwords: rolePasswords,
    },
    pid: supervised.pid,
    problem: supervised.problem,
    async [Symbol.asyncDispose]() {
      await supervised.stop()
      await socketFolder.remove()
    },
  }
}
