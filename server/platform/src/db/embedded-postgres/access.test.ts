import { chmodSync, cpSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLogger } from '../../log/index.ts'
import { clientConfig, type DatabaseConnection, PLANE_ROLES, type Role, restrictRole, roleName } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { PASSWORDS, query, startPostgres } from './postgres-testing.ts'

/** A data folder that has been started once and stopped. */
let started: string
let parent: string
beforeAll(async () => {
  started = await mkdtemp(join(tmpdir(), 'sightline-pg-'))
  await (await startPostgres(started))[Symbol.asyncDispose]()
})
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-pg-'))
  cpSync(started, parent, { recursive: true })
  for (const folder of ['postgres', 'postgres/cluster']) chmodSync(join(parent, folder), 0o700)
})
afterEach(() => rm(parent, { recursive: true, force: true }))
afterAll(() => rm(started, { recursive: true, force: true }))

const migrated = async (connection: DatabaseConnection): Promise<DatabaseConnection> => {
  await migrate({ connection, log: silentLogger, migrations: [] })
  return connection
}

const every: readonly Role[] = ['owner', ...PLANE_ROLES]

/** Which roles get in, by these passwords. */
async function admitted(connection: DatabaseConnection): Promise<readonly Role[]> {
  const outcomes = await Promise.all(
    every.map(async (role) => {
      const client = new pg.Client(clientConfig(connection, role))
      const failure = await client.connect().then(
        () => undefined,
        (error: { code?: string }) => error.code ?? String(error),
      )
      await client.end()
      return failure
    }),
  )
  expect(outcomes.filter((code) => code !== undefined && code !== '28P01')).toEqual([])
  return every.filter((_, index) => outcomes[index] === undefined)
}

const withPasswords = (connection: DatabaseConnection, of: (role: Role) => string): DatabaseConnection => ({
  ...connection,
  passwords: Object.fromEntries(every.map((role) => [role, of(role)])),
})

async function superuserGetsIn(connection: DatabaseConnection, password: string | undefined): Promise<boolean> {
  const { host } = clientConfig(connection, 'owner')
  const client = new pg.Client({ host, user: 'postgres', database: 'template1', password })
  const isIn = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end()
  return isIn
}

test('every role connects only with its own password: a wrong one, none and another role’s are refused', async () => {
  await using running = await startPostgres(parent)
  const connection = await migrated(running.postgres.connection)
  expect(await admitted(connection)).toEqual(every)
  expect(await admitted(withPasswords(connection, () => 'wrong'))).toEqual([])
  const neighbours = (role: Role) => PASSWORDS[every[(every.indexOf(role) + 1) % every.length] ?? 'owner']
  expect(await admitted(withPasswords(connection, neighbours))).toEqual([])
  expect(await superuserGetsIn(connection, PASSWORDS.superuser)).toBe(true)
  for (const wrong of ['wrong', PASSWORDS.owner, undefined])
    expect(await superuserGetsIn(connection, wrong)).toBe(false)
})

test('a folder from a version without passwords gets them at the next start and keeps its data', async () => {
  {
    await using first = await startPostgres(parent)
    await query(await migrated(first.postgres.connection), 'create table t as select 7 as n')
    // As that version left it: roles without a password, and trusted connections.
    for (const name of ['sightline_owner', ...PLANE_ROLES.map(roleName)]) {
      await asSuperuser(first.postgres.connection, `alter role ${name} password null`)
    }
    await asSuperuser(first.postgres.connection, 'alter role postgres password null')
  }
  writeFileSync(join(parent, 'postgres/cluster/pg_hba.conf'), 'local all all trust\nlocal replication all trust\n')
  for (const _ of ['upgraded', 'started again']) {
    await using running = await startPostgres(parent)
    const { connection } = running.postgres
    expect(await query(connection, 'select n from t')).toEqual([{ n: 7 }])
    expect(await admitted(connection)).toEqual(every)
    expect(await admitted(withPasswords(connection, () => 'wrong'))).toEqual([])
    expect(await superuserGetsIn(connection, undefined)).toBe(false)
  }
})

test('new secrets replace the old ones at the next start', async () => {
  const others = Object.fromEntries(Object.keys(PASSWORDS).map((role) => [role, `new one of ${role}`]))
  const passwords = { ...PASSWORDS, ...others }
  await using running = await startPostgres(parent, { passwords })
  const connection = await migrated(running.postgres.connection)
  expect(await admitted(connection)).toEqual(every)
  expect(await admitted(withPasswords(connection, (role) => PASSWORDS[role]))).toEqual([])
})

test('a start that was killed while setting passwords is repeated', async () => {
  writeFileSync(join(parent, 'postgres/cluster/pg_hba.conf'), 'local all postgres trust\n')
  await using running = await startPostgres(parent)
  expect(await admitted(await migrated(running.postgres.connection))).toEqual(every)
  expect(await superuserGetsIn(running.postgres.connection, undefined)).toBe(false)
})

test('a process with one role’s connection has no other role’s password', async () => {
  await using running = await startPostgres(parent)
  const restricted = restrictRole(await migrated(running.postgres.connection), 'media')
  expect(JSON.stringify(restricted)).not.toMatch(/of (?!media)/)
  expect(() => clientConfig(restricted, 'owner')).toThrow('this process has no password for the database role owner')
})

async function asSuperuser(connection: DatabaseConnection, statement: string): Promise<void> {
  const { host } = clientConfig(connection, 'owner')
  const client = new pg.Client({ host, user: 'postgres', database: 'template1', password: PASSWORDS.superuser })
  await client.connect()
  await client.query(statement)
  await client.end()
}
