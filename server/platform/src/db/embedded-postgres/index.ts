import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../log/index.ts'
import type { DataFolder } from '../../startup/index.ts'
import type { DatabaseConnection } from '../connection.ts'
import { completeBinaries } from './binaries.ts'
import { ensureCluster, SUPERUSER, serverArguments } from './cluster.ts'
import { chooseLauncher, type Launcher, launchersFor } from './launcher.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { findSocketFolder, makeSocketFolder } from './socket-folder.ts'

export type { Launcher } from './launcher.ts'
export { launchersFor } from './launcher.ts'

const DATABASE = 'sightline'
const OWNER = 'sightline_owner'

export interface EmbeddedPostgresSettings {
  readonly dataFolder: DataFolder
  readonly log: Logger
  readonly maxConnections?: number
  /** `none` only for databases that may be lost, as in tests. Default `full`. */
  readonly durability?: 'full' | 'none'
  /** Ways to run the server, best first; what suits the present user unless told otherwise. */
  readonly launchers?: readonly Launcher[]
  readonly signal?: AbortSignal
}

/** A PostgreSQL of our own in the data folder, started again when it crashes. */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: DatabaseConnection
  /** Of the server at this moment. */
  readonly pid: () => number
  /** Resolves with the reason when the server crashed and could not be started again. */
  readonly failed: Promise<string>
}

/** The PostgreSQL of a data folder that another process of ours runs at this moment; undefined where none does. */
export async function findEmbeddedPostgres(dataFolder: string): Promise<DatabaseConnection | undefined> {
  const folder = await findSocketFolder(join(dataFolder, 'postgres'))
  return folder === undefined ? undefined : { kind: 'socket', folder, database: DATABASE, owner: OWNER }
}

/**
 * Starts PostgreSQL on `<data folder>/postgres`, making the cluster and the empty database at the first start.
 *
 * Whoever can open the socket is trusted under any role: it lies in a folder only our user can enter, that user could
 * read the files and the secrets as well, so a password would protect nothing. The roles stay apart all the same:
 * each plane connects under its own and the grants and row policies bind it.
 * @throws StartRefused with what to do.
 */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const { dataFolder, log, signal } = settings
  const folder = join(dataFolder.path, 'postgres')
  const cluster = join(folder, 'cluster')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const binaries = await completeBinaries(join(folder, 'cache'))
  const launchers = settings.launchers ?? launchersFor(process.getuid?.() ?? 1)
  const launcher = await chooseLauncher(launchers, binaries, folder)
  await ensureCluster(cluster, binaries, launcher)
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
  await ensureDatabase(socketFolder.path)
  return {
    connection: { kind: 'socket', folder: socketFolder.path, database: DATABASE, owner: OWNER },
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
      if (crashes > RESTARTS) return `PostgreSQL ended ${crashes} times in a row, last with ${how}`
      log.error({ how }, 'PostgreSQL ended unexpectedly, starting it again')
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

async function ensureDatabase(socketFolder: string): Promise<void> {
  const client = new pg.Client({ host: socketFolder, user: SUPERUSER, database: 'postgres' })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select exists (select from pg_roles where rolname = '${OWNER}') as has_owner,
              exists (select from pg_database where datname = '${DATABASE}') as has_database`,
    )
    if (!rows[0].has_owner) await client.query(`create role ${OWNER} login createrole createdb`)
    if (!rows[0].has_database) await client.query(`create database ${DATABASE} owner ${OWNER}`)
  } finally {
    await client.end()
  }
}
