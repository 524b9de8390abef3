import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { StartError } from '../startup/index.ts'
import { clientConfig, type DatabaseConnection, PLANE_ROLES, roleName } from './connection.ts'
import { hasState, isUniqueViolation } from './db-errors.ts'
import { installJobSchema } from './job-schema.ts'

/** One step of the schema's history. Forward only: what has been applied anywhere never changes. */
export interface Migration {
  /** `<yyyymmddhhmm>-<name>`, without the ending. */
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')

const CONNECT_TIMEOUT_MS = 10_000

const FILE_NAME = /^\d{12}-[a-z0-9-]+\.sql$/

/** All steps in order. Throws on a file that is not named as one. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      if (!FILE_NAME.test(file)) throw new Error(`migration ${file}: expected <yyyymmddhhmm>-<name>.sql`)
      const sql = await readFile(join(folder, file), 'utf8')
      return { name: file.slice(0, -'.sql'.length), sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export interface MigrateSettings {
  readonly connection: DatabaseConnection
  readonly log: Logger
  readonly migrations: readonly Migration[]
}

/**
 * Migrates the schema under the owner's role: creates the planes' roles, then applies each missing step in its own
 * transaction. Several processes may do this at once; one works, the others wait.
 *
 * @returns the names of the steps applied now.
 * @throws StartError if the database is newer than this code, or an applied step has changed since.
 */
export async function migrate(settings: MigrateSettings): Promise<readonly string[]> {
  const client = new pg.Client({
    ...clientConfig(settings.connection, 'owner'),
    application_name: 'sightline-migrations',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    await checkServer(client)
    await ensureRoles(client, settings.connection)
    // A power cut may lose the last steps, whole and in order, and the next start applies them again. Otherwise a first
    // start would wait for the disk after each.
    await client.query('set synchronous_commit = off')
    await ensureHistory(client)
    await ensureJobSchema(client, settings)
    // For a new database the number of steps is enough.
    const level = (await hasSteps(client)) ? 'info' : 'debug'
    const applied: string[] = []
    for (;;) {
      const began = performance.now()
      const name = await applyNext(client, settings.migrations)
      if (name === undefined) break
      settings.log[level]({ ms: Math.round(performance.now() - began) }, `database: ${name}`)
      applied.push(name)
    }
    await ensureIdKey(client)
    return applied
  } finally {
    await client.end()
  }
}

const OLDEST_MAJOR = 15

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major >= OLDEST_MAJOR) return
  throw new StartError(`The database server is PostgreSQL ${major}. Sightline needs version ${OLDEST_MAJOR} or newer.`)
}

/** Roles belong to the whole server, so another database may have created them, or be creating them now. */
async function ensureRoles(client: pg.Client, connection: DatabaseConnection): Promise<void> {
  for (const role of PLANE_ROLES) {
    const name = roleName(role)
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
    if (rowCount === 0) {
      await client.query(`create role ${name} login noinherit`).catch((error: unknown) => {
        if (!hasState(error, '42710') && !isUniqueViolation(error)) throw error
      })
    }
    const password = connection.passwords[role]
    // On the built-in PostgreSQL the roles that were there have their passwords since its start (embedded-postgres/access.ts).
    const isSet = connection.kind === 'socket' && rowCount !== 0
    if (password !== undefined && !isSet) await setPassword(client, name, password)
  }
}

async function setPassword(client: pg.Client, role: string, password: string): Promise<void> {
  const statement = `alter role ${role} password ${client.escapeLiteral(password)}`
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(statement)
      return
    } catch (error) {
      // Two processes that set it at the same time: "tuple concurrently updated" (XX000).
      if (attempt === 5 || !hasState(error, 'XX000')) throw error
    }
  }
}

async function ensureHistory(client: pg.Client): Promise<void> {
  const create = `create table if not exists schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz(3) not null default now()
  )`
  await client.query(create).catch((error: unknown) => {
    // "if not exists" doesn't help two that create it at the same time (duplicate table, or a duplicate in the
    // catalog).
    if (!hasState(error, '42P07') && !isUniqueViolation(error)) throw error
  })
}

async function hasSteps(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from schema_migrations limit 1')
  return rowCount !== 0
}

/** Steps grant rights on the tables of the job queue, so those are created first. */
async function ensureJobSchema(client: pg.Client, { connection, log, migrations }: MigrateSettings): Promise<void> {
  await client.query('begin')
  try {
    await client.query('lock table schema_migrations in exclusive mode')
    const { rows } = await client.query<AppliedMigration>('select name, sha256 from schema_migrations')
    const refusal = whyNot(rows, migrations)
    if (refusal !== undefined) throw new StartError(refusal)
    await installJobSchema(client, connection, log)
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

async function applyNext(client: pg.Client, migrations: readonly Migration[]): Promise<string | undefined> {
  await client.query('begin')
  try {
    // Waits for another process that migrates; readers aren't blocked. An advisory lock would not work on every engine.
    await client.query('lock table schema_migrations in exclusive mode')
    const { rows } = await client.query<AppliedMigration>('select name, sha256 from schema_migrations')
    const refusal = whyNot(rows, migrations)
    if (refusal !== undefined) throw new StartError(refusal)
    const done = new Set(rows.map((row) => row.name))
    const next = migrations.find((migration) => !done.has(migration.name))
    if (next !== undefined) await apply(client, next)
    await client.query('commit')
    return next?.name
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function apply(client: pg.Client, { name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
  } catch (cause) {
    throw new Error(`migration ${name} failed${describePosition(cause, sql)}`, { cause })
  }
}

function describePosition(cause: unknown, sql: string): string {
  const position = cause instanceof pg.DatabaseError ? Number(cause.position) : Number.NaN
  return Number.isNaN(position) ? '' : ` at line ${sql.slice(0, position).split('\n').length}`
}

interface AppliedMigration {
  readonly name: string
  readonly sha256: string
}

/** Why this code must not touch a database with that history; undefined if it may. */
function whyNot(applied: readonly AppliedMigration[], known: readonly Migration[]): string | undefined {
  const hashes = new Map(known.map((migration) => [migration.name, migration.sha256]))
  const unknown = applied.find((row) => !hashes.has(row.name))
  if (unknown !== undefined) {
    return `The database was last used by a newer Sightline version (unknown migration ${unknown.name}). Start that version, or restore a backup from before the upgrade.`
  }
  const changed = applied.find((row) => hashes.get(row.name) !== row.sha256)
  if (changed !== undefined) {
    return `The migration ${changed.name} was changed after it was applied to this database. Restore the file and add a new migration instead.`
  }
  return undefined
}

/** Key under which `idSource` keeps its permutation secret in table `installation`. */
export const ID_KEY_NAME = 'id_key'

async function ensureIdKey(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('installation') is not null as has_table`)
  if (!rows[0].has_table) return
  await client.query('insert into installation (key, value) values ($1, $2) on conflict (key) do nothing', [
    ID_KEY_NAME,
    randomBytes(16).toString('hex'),
  ])
}
