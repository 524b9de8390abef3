import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../log/index.ts'
import type { DataFolder } from '../../startup/index.ts'
import type { DatabaseConnection, RolePasswords } from '../connection.ts'
import { DATABASE, type EmbeddedPasswords, OWNER, prepareAccess, setPasswords } from './access.ts'
import { completeBinaries } from './binaries.ts'
import { ensureCluster, serverArguments } from './cluster.ts'
import { chooseLauncher, type Launcher, listLaunchers } from './launcher.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { findSocketFolder, makeSocketFolder } from './socket-folder.ts'

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
  readonly signal?: AbortSignal
}

/** A PostgreSQL of our own in the data folder, started again when it crashes. */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: DatabaseConnection
  /** The server's current state. */
  readonly pid: () => number
  /** Resolves with the reason when the server crashed and could not be started again. */
  readonly failed: Promise<string>
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
 * @throws StartError with instructions.
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
  const start = () =>
    startPostmaster(
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
      signal,
    )
  const supervised = supervise(await start(), start, log)
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
    failed: supervised.failed,
    async [Symbol.asyncDispose]() {
      await supervised.stop()
      await socketFolder.remove()
    },
  }
}

/** Attempts in a row before giving up, each after a longer pause. */
const RESTARTS = 5
const RESTART_PAUSE_MS = 200
const HEALTHY_MS = 60_000

/** Keeps a server running: starts it again when it ends without being asked to. */
function supervise(first: Postmaster, start: () => Promise<Postmaster>, log: Logger) {
  let current = first
  let isStopping = false
  const untilStopped = async (): Promise<string> => {
    for (let crashes = 1; ; crashes += 1) {
      const since = Date.now()
      const how = await current.ended
      if (isStopping) return 'stopped'
      if (Date.now() - since > HEALTHY_MS) crashes = 1
      if (crashes > RESTARTS) return `PostgreSQL crashed ${crashes} times in a row, last with ${how}`
      log.error({ how }, 'PostgreSQL stopped unexpectedly; restarting it')
      await sleep(RESTART_PAUSE_MS * crashes)
      current = await start()
      if (isStopping) await current.stop()
    }
  }
  const over = untilStopped().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  return {
    pid: () => current.pid,
    failed: over.then((reason) => (isStopping ? new Promise<string>(() => undefined) : reason)),
    async stop() {
      isStopping = true
      await current.stop()
      await over
    },
  }
}
