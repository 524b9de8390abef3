import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import {
  clientConfig,
  type DatabaseConnection,
  type Db,
  migrate,
  openDatabase,
  type Role,
  readMigrations,
  startEmbeddedPostgres,
  withDatabase,
} from '../db/index.ts'
import { silentLogger } from '../log/index.ts'
import { openDataFolder } from '../startup/index.ts'
import { copyOfTemplate, TEST_PASSWORDS } from './template-cluster.ts'

/** A fresh, migrated database of one test or one file. Dispose it in `afterAll`, or with `await using`. */
export interface TestDatabase extends AsyncDisposable {
  readonly connection: DatabaseConnection
  /** The pool of that role; the same one each time. `owner` sees and changes everything, for arranging and looking. */
  db(role: Role): Db
}

/** Connections of each pool of a test database. */
export const POOL_SIZE = 4

export type OpenTestDatabase = () => Promise<TestDatabase>

const { SIGHTLINE_TEST_DATABASE_URL: EXTERNAL_URL, SIGHTLINE_TEST_EVERY_ENGINE: EVERY_ENGINE } =
  // biome-ignore lint/style/noProcessEnv: a test has no composition root; the engine is the tester's choice
  process.env

type Engine = readonly [engine: string, open: OpenTestDatabase]

const embedded: Engine = ['embedded PostgreSQL', openEmbedded]

/**
 * For rules that the engine itself may break: migrations, roles, column types, connections. The external engine is
 * included if SIGHTLINE_TEST_DATABASE_URL names a PostgreSQL whose user may create roles and databases.
 */
export const bothEngines: readonly Engine[] = [
  embedded,
  ...(EXTERNAL_URL === undefined ? [] : ([['external PostgreSQL', () => openExternal(EXTERNAL_URL)]] as const)),
]

/**
 * The engines a suite on the database must pass on: `test.each(engines)('%s: …', async (_, open) => { … })`. `npm test`
 * tries the embedded one, `npm run test:long` both.
 */
export const engines: readonly Engine[] = EVERY_ENGINE === '1' ? bothEngines : [embedded]

/** A database on the embedded engine, for rules that don't depend on the engine. */
export const testDatabase: OpenTestDatabase = openEmbedded

async function openEmbedded(): Promise<TestDatabase> {
  const folder = await copyOfTemplate()
  const dataFolder = await openDataFolder(folder)
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    passwords: TEST_PASSWORDS,
    log: silentLogger,
    durability: 'none',
  })
  return withPools(postgres.connection, async () => {
    const isStopped = postgres[Symbol.asyncDispose]()
    quitServer(postgres.pid())
    await isStopped
    await dataFolder[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Stops a server immediately. Its data is discarded, so it doesn't have to flush memory. */
function quitServer(pid: number): void {
  if (pid <= 0) return
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // Already gone.
  }
}

async function openExternal(url: string): Promise<TestDatabase> {
  // All test processes share the server's roles, so they must agree on the passwords.
  const { superuser: _, owner: __, ...passwords } = TEST_PASSWORDS
  const server: DatabaseConnection = { kind: 'url', url, passwords }
  const name = `sightline_test_${randomBytes(6).toString('hex')}`
  await asOwner(server, `create database ${name}`)
  const connection = withDatabase(server, name)
  await migrate({ connection, log: silentLogger, migrations: await readMigrations() })
  return withPools(connection, () => asOwner(server, `drop database ${name} with (force)`))
}

async function asOwner(connection: DatabaseConnection, statement: string): Promise<void> {
  const client = new pg.Client(clientConfig(connection, 'owner'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withPools(connection: DatabaseConnection, close: () => Promise<void>): TestDatabase {
  const pools = new Map<Role, Db>()
  return {
    connection,
    db(role) {
      const pool =
        pools.get(role) ??
        openDatabase({
          connection,
          role,
          maxConnections: POOL_SIZE,
          applicationName: `test-${role}`,
          log: silentLogger,
        })
      pools.set(role, pool)
      return pool
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool[Symbol.asyncDispose]()))
      await close()
    },
  }
}
