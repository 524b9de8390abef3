import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../db-testing/index.ts'
import { JOB_SCHEMA_VERSION } from './job-schema.ts'

test("the schema version checked at the start is the package's newest, so that an upgrade is installed", async () => {
  await using database = await testDatabase()
  const { rows } = await sql`select max(id)::int as newest from graphile_worker.migrations`.execute(
    database.db('owner').plain,
  )
  expect(rows).toEqual([{ newest: JOB_SCHEMA_VERSION }])
})
