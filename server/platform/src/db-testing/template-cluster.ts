import { createHash } from 'node:crypto'
import { chmodSync, constants, cpSync, existsSync } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { MS_PER_DAY } from '../clock/index.ts'
import {
  clientConfig,
  type DatabaseConnection,
  type EmbeddedPasswords,
  migrate,
  readMigrations,
  startEmbeddedPostgres,
} from '../db/index.ts'
import { silentLogger } from '../log/index.ts'
import { openDataFolder } from '../startup/index.ts'

/** Change it when the way the template is created changes. */
const TEMPLATE_VERSION = 4

const one = 'test-only'
/** The same everywhere, so that every copy of the template opens with them. */
export const TEST_PASSWORDS: EmbeddedPasswords = {
  superuser: one,
  owner: one,
  app: one,
  auth: one,
  media: one,
  sealer: one,
  alerts: one,
  eraser: one,
  jobs: one,
}

/**
 * A data folder with a fresh, migrated cluster, copied from a template that is created once per schema in
 * `node_modules/.cache` (or the temporary folder if that is read-only). The caller removes it.
 */
export async function copyOfTemplate(): Promise<string> {
  const template = await ensureTemplate()
  const copy = await mkdtemp(join(tmpdir(), 'sightline-test-'))
  // The synchronous copy is one native call and five times as fast as the other for these 1,000 small files.
  // It forgets the modes of folders, and PostgreSQL insists on this one.
  cpSync(template, copy, { recursive: true })
  chmodSync(join(copy, 'postgres', 'cluster'), 0o700)
  return copy
}

async function ensureTemplate(): Promise<string> {
  const migrations = await readMigrations()
  const version = createHash('sha256').update(`${TEMPLATE_VERSION} ${process.version} ${process.getuid?.()}`)
  for (const { sha256 } of migrations) version.update(sha256)
  const cache = await cacheFolder()
  const template = join(cache, `database-${version.digest('hex').slice(0, 16)}`)
  if (existsSync(template)) return template
  const unfinished = await mkdtemp(join(cache, 'unfinished-'))
  {
    await using dataFolder = await openDataFolder(unfinished)
    await using postgres = await startEmbeddedPostgres({
      dataFolder,
      passwords: TEST_PASSWORDS,
      log: silentLogger,
      durability: 'none',
    })
    await migrate({ connection: postgres.connection, log: silentLogger, migrations })
    await dropUnusedDatabases(postgres.connection)
  }
  await removeUnused(cache)
  try {
    await rename(unfinished, template)
  } catch (cause) {
    // Another test process was faster; its template is as good.
    if (!existsSync(template)) throw cause
    await rm(unfinished, { recursive: true, force: true })
  }
  return template
}

/** What no test connects to: 300 of the 1,300 files of every copy. `template1` stays, for tests that create a database. */
async function dropUnusedDatabases(connection: DatabaseConnection): Promise<void> {
  const login = { user: 'postgres', password: TEST_PASSWORDS.superuser }
  const client = new pg.Client({ ...clientConfig(connection, 'owner'), ...login })
  await client.connect()
  try {
    await client.query('alter database template0 is_template false')
    await client.query('drop database template0')
  } finally {
    await client.end()
  }
}

const UNUSED_MS = MS_PER_DAY

/** Templates of older schemas, and incomplete ones of killed test runs. */
export async function removeUnused(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name)
    if (!/^(?:database|unfinished)-/.test(name)) continue
    const changedAt = await changeOf(folder)
    if (changedAt === undefined || Date.now() - changedAt < UNUSED_MS) continue
    await rm(folder, { recursive: true, force: true })
  }
}

/** When it was changed; undefined if another run has finished or removed it meanwhile. */
async function changeOf(folder: string): Promise<number | undefined> {
  try {
    return (await stat(folder)).mtimeMs
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

async function cacheFolder(): Promise<string> {
  const root = join(import.meta.dirname, '../../../..')
  const preferred = join(root, 'node_modules/.cache/sightline')
  try {
    await mkdir(preferred, { recursive: true })
    await access(preferred, constants.W_OK)
    return preferred
  } catch {
    const fallback = join(tmpdir(), `sightline-cache-${process.getuid?.()}`)
    await mkdir(fallback, { recursive: true, mode: 0o700 })
    return fallback
  }
}
