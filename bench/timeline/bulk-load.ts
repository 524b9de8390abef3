import type { Db, Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

interface Definition {
  readonly drop: string
  readonly create: string
}

/**
 * Fills a table while it has no indexes, then creates them as they were: several times as fast as adding each row to each
 * index. The indexes are a little denser than those that grow row by row.
 */
export async function loadWithoutIndexes(tx: Tx, table: string, fill: () => Promise<unknown>): Promise<void> {
  const { rows: definitions } = await sql<Definition>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
      from pg_constraint where conrelid = ${table}::regclass and contype in ('p', 'u')
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index where indrelid = ${table}::regclass
       and not exists (select from pg_constraint c where c.conindid = indexrelid)`.execute(tx)
  await sql`set local statement_timeout = 0`.execute(tx)
  for (const { drop } of definitions) await sql.raw(drop).execute(tx)
  await fill()
  await sql`set local maintenance_work_mem = '1GB'`.execute(tx)
  for (const { create } of definitions) await sql.raw(create).execute(tx)
}

/** As autovacuum leaves a table; on a busy machine it takes longer than a call's statement may. */
export const vacuum = ({ plain }: Db, table: string): Promise<void> =>
  plain.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
