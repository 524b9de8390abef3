import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DatabaseConnection, type Db, openDatabase, startEmbeddedPostgres } from '@sightline/platform/db'
import { copyOfTemplate, TEST_PASSWORDS } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { openDataFolder } from '@sightline/platform/startup'
import { findOwner } from '../../server/media/src/control/assignment.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, listTree, type RunningProduct, repository, startProduct } from '../running-product.ts'

/** A PostgreSQL that several machines can reach: here by a socket that all processes of the test can open. */
export interface SharedDatabase extends AsyncDisposable {
  /** `DATABASE_URL`. */
  readonly url: string
  /** Under its owner. */
  readonly db: Db
}

async function sharedDatabase(): Promise<SharedDatabase> {
  const folder = await copyOfTemplate()
  const dataFolder = await openDataFolder(folder)
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    passwords: TEST_PASSWORDS,
    log: silentLogger,
    durability: 'none',
    maxConnections: 200,
  })
  const { connection } = postgres
  if (connection.kind !== 'socket') throw new Error('the test’s own database is reached by a socket')
  const url = new URL(`postgres://${connection.owner}:${TEST_PASSWORDS.owner}@localhost/${connection.database}`)
  url.searchParams.set('host', connection.folder)
  const db = openDatabase({ ...owner(connection), maxConnections: 2 })
  return {
    url: url.href,
    db,
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
      await dataFolder[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const owner = (connection: DatabaseConnection) =>
  ({ connection, role: 'owner', applicationName: 'chaos', log: silentLogger }) as const

/** The front of an installation, which other machines can join. */
export interface Front extends AsyncDisposable {
  readonly product: RunningProduct
  readonly dataFolder: string
  /** Where machines connect. */
  readonly workerPort: number
  readonly database: SharedDatabase
  /** `npm run workers -- …`; resolves with what it prints, rejects with its sentence. */
  workers(...words: readonly string[]): Promise<string>
  /** Adds a machine; resolves with its data folder, which has its credentials. */
  addMachine(name: string): Promise<string>
  startMachine(dataFolder: string, settings?: MachineSettings): Machine
}

export interface MachineSettings {
  readonly environment?: Readonly<Record<string, string>>
  /** Words before the program, such as a network namespace's. */
  readonly under?: readonly string[]
}

/** A running `npm run worker`. */
export interface Machine extends AsyncDisposable {
  readonly dataFolder: string
  readonly process: ChildProcess
  readonly output: () => string
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

interface FrontSettings {
  /** Whether the demonstration's cameras run. They do unless said. */
  readonly cameras?: boolean
  /** Where machines connect. */
  readonly listenHost?: string
}

export async function startFront(
  environment: Readonly<Record<string, string>> = {},
  { cameras = true, listenHost = '127.0.0.1' }: FrontSettings = {},
): Promise<Front> {
  const database = await sharedDatabase()
  const dataFolder = await newDataFolder()
  const workerPort = await freePort()
  const own = { DATABASE_URL: database.url, SIGHTLINE_DATA_DIR: dataFolder }
  const product = await startProduct({
    dataFolder,
    port: await freePort(),
    cameras,
    environment: { ...own, SIGHTLINE_WORKER_LISTEN: `${listenHost}:${workerPort}`, ...environment },
  })
  const folders: string[] = []
  const workers = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['server/run/programs/workers.ts', ...words], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? '', ...own },
    })
    return stdout
  }
  return {
    product,
    dataFolder,
    workerPort,
    database,
    workers,
    async addMachine(name) {
      const folder = await newDataFolder()
      folders.push(folder)
      await workers('add', name, '--file', join(folder, 'made.json'))
      await rename(join(folder, 'made.json'), join(folder, 'worker.json'))
      await chmod(join(folder, 'worker.json'), 0o600)
      return folder
    },
    startMachine: (folder, settings = {}) => startMachine(folder, { url: database.url, workerPort, ...settings }),
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      for (const folder of [dataFolder, ...folders]) await rm(folder, { recursive: true, force: true })
    },
  }
}

function startMachine(
  dataFolder: string,
  { url, workerPort, environment, under = [] }: MachineSettings & { readonly url: string; readonly workerPort: number },
): Machine {
  const address = new URL(url)
  // The owner's password stays on the machine of the front.
  address.username = ''
  address.password = ''
  const [command = '', ...words] = [...under, process.execPath, 'server/run/programs/worker.ts']
  const child = spawn(command, words, {
    cwd: repository,
    env: {
      PATH: process.env.PATH ?? '',
      SIGHTLINE_DATA_DIR: dataFolder,
      SIGHTLINE_FRONT: `127.0.0.1:${workerPort}`,
      SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8',
      SIGHTLINE_METRICS_PORT: '0',
      SIGHTLINE_LOG: 'info,json',
      DATABASE_URL: address.href,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    dataFolder,
    process: child,
    output: () => output,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

/** A name for a machine with one worker, which serves the camera beside the front's one worker and the other machines'. */
export function machineThatGets(cameraId: number, others: readonly string[] = []): string {
  const workers = ['media-1', ...others.map((other) => `${other}-1`)]
  for (let number = 1; ; number++)
    if (findOwner(cameraId, [...workers, `m${number}-1`]) === `m${number}-1`) return `m${number}`
}

/** The program and its workers. */
export const listProcesses = ({ process: { pid } }: Machine): Promise<readonly number[]> => listTree(pid ?? 0)
