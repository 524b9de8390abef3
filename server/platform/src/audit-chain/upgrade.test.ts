import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate, openDatabase, readMigrations, withDatabase } from '../db/index.ts'
import { testDatabase } from '../db-testing/index.ts'
import { silentLogger } from '../log/index.ts'
import { testLog } from './chain-testing.ts'

const CHAIN = '202611211801-audit-chain'

test('entries older than the chains are signed after the upgrade, in order of time, each with a salt', async () => {
  await using server = await testDatabase()
  await sql`create database earlier`.execute(server.db('owner').plain)
  const connection = withDatabase(server.connection, 'earlier')
  const migrations = await readMigrations()
  const to = (steps: typeof migrations) => migrate({ connection, log: silentLogger, migrations: steps })
  await to(migrations.filter(({ name }) => name < CHAIN))
  const open = (role: 'owner' | 'sealer') =>
    openDatabase({ connection, role, maxConnections: 1, applicationName: 'test', log: silentLogger })
  await using owner = open('owner')
  await using sealer = open('sealer')
  for (const [id, minute] of [
    [7, 3],
    [8, 1],
    [9, 2],
  ]) {
    await sql`
      insert into audit_log (account_id, audit_log_id, action, address, at)
      values (1001, ${id}, 'login', '192.0.2.1', '2026-11-21 10:00Z'::timestamptz + ${minute} * interval '1 minute')`.execute(
      owner.plain,
    )
  }
  await to(migrations)
  const database = { ...server, db: (role: string) => (role === 'sealer' ? sealer : owner) }
  await using log = await testLog(database)
  await log.seal()
  expect(await log.verify()).toEqual([])
  const rows = await owner.plain.selectFrom('audit_chain').select('audit_log_id').orderBy('sequence').execute()
  expect(rows.map((row) => row.audit_log_id)).toEqual([8, 9, 7])
  const { rows: salts } = await sql`select distinct salt from audit_log where octet_length(salt) = 16`.execute(
    owner.plain,
  )
  expect(salts).toHaveLength(3)
})
