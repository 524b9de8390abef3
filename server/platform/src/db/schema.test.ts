import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../db-testing/index.ts'

interface ColumnRow {
  readonly relation: string
  readonly columns: readonly string[]
}

const TABLES = join(import.meta.dirname, 'tables')

/** Every file that defines the columns of a table or view. */
async function declarations(): Promise<string> {
  const tables = (await readdir(TABLES)).map((file) => join(TABLES, file))
  // Base interfaces before those that extend them.
  const ordered = [...tables.filter((file) => file.endsWith('session-row.ts')), ...tables]
  return (
    await Promise.all([...ordered, join(import.meta.dirname, 'schema.ts')].map((file) => readFile(file, 'utf8')))
  ).join('\n')
}

/** Reads `interface XTable { column: … }` and `name: XTable` out of the source: types are gone when the test runs. */
async function declaredColumns(): Promise<Record<string, readonly string[]>> {
  const bodies = new Map<string, string>()
  const interfaces = (await declarations()).matchAll(/interface (\w+)(?: extends (\w+))? \{\n([\s\S]*?)\n\}/g)
  for (const [, name = '', above = '', body = ''] of interfaces) {
    bodies.set(name, `${bodies.get(above) ?? ''}\n${body}`)
  }
  const members = (body: string) => [...body.matchAll(/^ {2}(?:readonly )?'?([\w.]+)'?: ([^\n]+)$/gm)]
  return Object.fromEntries(
    members(bodies.get('Database') ?? '').map(([, table = '', type = '']) => [
      table,
      members(bodies.get(type) ?? '')
        .map(([, column = '']) => column)
        .sort(),
    ]),
  )
}

test('the table types name exactly the tables and columns that the migrations create', async () => {
  await using database = await testDatabase()
  const { rows } = await sql<ColumnRow>`
    select case when n.nspname = 'public' then c.relname else n.nspname || '.' || c.relname end as relation,
           array_agg(a.attname::text order by a.attname) as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname in ('public', 'auth') and c.relkind in ('r', 'v', 'p') and not c.relispartition
     group by 1`.execute(database.db('owner').plain)
  expect(await declaredColumns()).toEqual(
    Object.fromEntries(rows.map(({ relation, columns }) => [relation, [...columns].sort()])),
  )
})
