import { spawn } from 'node:child_process'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../startup/index.ts'
import type { Binaries } from './binaries.ts'
import { environment, type Launcher } from './launcher.ts'

/** The superuser of the embedded cluster. Only the supervisor uses it. */
export const SUPERUSER = 'postgres'

/**
 * Creates the cluster if missing. It gets its name only when complete, so an interrupted start is simply repeated.
 *
 * @throws StartError if the existing cluster has another major version.
 */
export async function ensureCluster(cluster: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version !== undefined) return checkVersion(cluster, Number(version), binaries.major)
  const unfinished = `${cluster}.new`
  await rm(unfinished, { recursive: true, force: true })
  // The built-in locale provider sorts the same on every machine and after every upgrade of the system's libraries.
  await run(binaries, launcher, [
    binaries.initdb,
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Rejects all connections until access.ts has written the rules.
    '--auth=reject',
    '--data-checksums',
    '--no-instructions',
  ])
  await rename(unfinished, cluster)
}

function checkVersion(cluster: string, found: number, ours: number): void {
  if (found === ours) return
  const remedy =
    found > ours
      ? 'Start the newer Sightline version that wrote it'
      : 'Start the older Sightline version that wrote it, export the data there and import it here'
  throw new StartError(
    `The data in ${cluster} was written by PostgreSQL ${found}, but this Sightline version includes PostgreSQL ${ours}. ${remedy}.`,
  )
}

async function run(binaries: Binaries, launcher: Launcher, command: readonly string[]): Promise<void> {
  const [program = '', ...words] = [...launcher.prefix, ...command]
  const child = spawn(program, words, {
    uid: launcher.runAs,
    gid: launcher.runAs,
    cwd: '/',
    env: environment(binaries),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${errors.trim()}`)
}

export interface PostgresSettings {
  readonly socketFolder: string
  readonly maxConnections: number
  /** `none` is for temporary databases of tests: a power cut may destroy them. */
  readonly durability: 'full' | 'none'
}

/**
 * Settings for a machine shared with recording: little memory, no TCP, every acknowledged commit on disk. The server's
 * own log omits statements and details, because they quote rows.
 */
export function serverArguments(settings: PostgresSettings): readonly string[] {
  const durable = settings.durability === 'full' ? 'on' : 'off'
  const values = {
    listen_addresses: '',
    unix_socket_directories: settings.socketFolder,
    unix_socket_permissions: '0700',
    max_connections: String(settings.maxConnections),
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
    shared_buffers: '64MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    effective_cache_size: '512MB',
    max_wal_size: '512MB',
    min_wal_size: '64MB',
    // /dev/shm is as small as 64 MB in a container.
    dynamic_shared_memory_type: 'mmap',
    max_parallel_workers_per_gather: '0',
    max_worker_processes: '2',
    max_logical_replication_workers: '0',
    max_wal_senders: '2',
    io_method: 'sync',
    autovacuum_max_workers: '2',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
