import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bothEngines, type TestDatabase } from '../db-testing/index.ts'
import { parseInt8, parseTimestamp } from './column-types.ts'
import { instant } from './instant.ts'

test('a bigint beyond 2^53 is an error, never a rounded number', () => {
  expect(parseInt8('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
  expect(() => parseInt8('9007199254740993')).toThrow(/9007199254740993 does not fit/)
})

test.each([
  ['1970-01-01 00:00:00+00', 0],
  ['2026-11-21 10:02:11.123+00', Date.UTC(2026, 10, 21, 10, 2, 11, 123)],
  ['2026-11-21 10:02:11.5+00', Date.UTC(2026, 10, 21, 10, 2, 11, 500)],
  ['2026-11-21 10:02:11.123987+00', Date.UTC(2026, 10, 21, 10, 2, 11, 123)],
  ['1969-12-31 23:59:59.9+00', -100],
  ['9999-12-31 00:00:00+00', Date.UTC(9999, 11, 31)],
  ['-infinity', Number.NEGATIVE_INFINITY],
])('timestamptz %s is %d ms', (text, ms) => {
  expect(parseTimestamp(text)).toBe(ms)
})

test.each([
  ['0044-03-15 00:00:00+00 BC'],
  ['2026-11-21 10:02:11+01'],
  ['12026-11-21 10:02:11+00'],
  ['2026-13-21 10:02:11+00'],
])('timestamptz %s is refused rather than misread', (text) => {
  expect(() => parseTimestamp(text)).toThrow(RangeError)
})

test.each(bothEngines)('%s: columns have the documented types', async (_, open) => {
  await using database: TestDatabase = await open()
  const { rows } = await sql`select
      42::bigint as id, array[1, 2]::bigint[] as ids, '2026-02-03'::date as day, 1.50::numeric as price,
      ${instant(1_763_719_331_123)} as at, array['2026-01-01Z']::timestamptz[] as times, '{"a":[1]}'::jsonb as json,
      'infinity'::timestamptz as never, null::timestamptz as nothing`.execute(database.db('app').plain)
  expect(rows).toEqual([
    {
      id: 42,
      ids: [1, 2],
      day: '2026-02-03',
      price: '1.50',
      at: 1_763_719_331_123,
      times: [Date.UTC(2026, 0, 1)],
      json: { a: [1] },
      never: Number.POSITIVE_INFINITY,
      nothing: null,
    },
  ])
})

let database: TestDatabase
beforeAll(async () => {
  database = await bothEngines[0]![1]()
})
afterAll(() => database[Symbol.asyncDispose]())

test('a statement is prepared once per connection, however often it runs', async () => {
  const rows = await database.db('app').transaction(async (tx) => {
    for (let n = 0; n < 5; n += 1) await sql`select ${n}::int as prepared_once`.execute(tx)
    return sql<{ count: number }>`select count(*)::int as count from pg_prepared_statements
      where statement like '%prepared_once%' and statement not like '%pg_prepared_statements%'`.execute(tx)
  })
  expect(rows.rows).toEqual([{ count: 1 }])
})

test("many different statements don't fill up a connection", async () => {
  const rows = await database.db('app').transaction(async (tx) => {
    for (let n = 0; n < 450; n += 1) await sql`select ${sql.raw(String(n))}`.execute(tx)
    return sql<{ count: number }>`select count(*)::int as count from pg_prepared_statements`.execute(tx)
  })
  expect(rows.rows[0]?.count).toBeLessThanOrEqual(400)
})
