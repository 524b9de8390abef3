import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { bothEngines, type TestDatabase } from '../db-testing/index.ts'
import { silentLogger } from '../log/index.ts'
import { StartError } from '../startup/index.ts'
import { type Migration, migrate, readMigrations } from './index.ts'

const step = (name: string, text: string): Migration => ({
  name,
  sql: text,
  sha256: createHash('sha256').update(text).digest('hex'),
})

const FIRST = step('299901010000-first', 'create table first_step (n int)')
const SECOND = step('299901010001-second', 'create table second_step (n int)')

const apply = async (database: TestDatabase, ...more: Migration[]) =>
  migrate({ connection: database.connection, log: silentLogger, migrations: [...(await readMigrations()), ...more] })

const tablesOf = async (database: TestDatabase): Promise<readonly unknown[]> => {
  const { rows } = await sql<{
    relname: string
  }>`select relname from pg_class where relname like '%\\_step' order by 1`.execute(database.db('owner').plain)
  return rows.map((row) => row.relname)
}

describe.each(bothEngines)('%s', (_, open) => {
  test('missing steps are applied once, in order', async () => {
    await using database = await open()
    expect(await apply(database, FIRST, SECOND)).toEqual([FIRST.name, SECOND.name])
    expect(await apply(database, FIRST, SECOND)).toEqual([])
    expect(await tablesOf(database)).toEqual(['first_step', 'second_step'])
  })

  test('concurrent processes apply each step once', async () => {
    await using database = await open()
    const applied = await Promise.all([1, 2, 3, 4].map(() => apply(database, FIRST, SECOND)))
    expect(applied.flat().toSorted()).toEqual([FIRST.name, SECOND.name])
  })

  test('a step that was changed after it was applied is refused', async () => {
    await using database = await open()
    await apply(database, FIRST)
    const changed = step(FIRST.name, 'create table other_step (n int)')
    await expect(apply(database, changed)).rejects.toThrow(/299901010000-first was changed after it was applied/)
    expect(await tablesOf(database)).toEqual(['first_step'])
  })

  test('a database of a newer Sightline is refused and left unchanged', async () => {
    await using database = await open()
    await apply(database, SECOND)
    const refusal = apply(database, FIRST).catch((error: unknown) => error)
    expect(await refusal).toBeInstanceOf(StartError)
    await expect(apply(database, FIRST)).rejects.toThrow(/last used by a newer Sightline .*299901010001-second/)
    expect(await tablesOf(database)).toEqual(['second_step'])
  })

  test('a failed step leaves no change, and reports its name and line', async () => {
    await using database = await open()
    const broken = step('299901010002-broken', 'create table broken_step (n int);\n\nselect 1 from nowhere')
    await expect(apply(database, FIRST, broken)).rejects.toThrow('migration 299901010002-broken failed at line 3')
    expect(await tablesOf(database)).toEqual(['first_step'])
  })
})

test('a file without the name of a step is an error, not ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-migrations-'))
  await writeFile(join(folder, '20261121-short-date.sql'), '')
  await expect(readMigrations(folder)).rejects.toThrow(/20261121-short-date\.sql: expected <yyyymmddhhmm>-<name>\.sql/)
  await rm(folder, { recursive: true })
})
