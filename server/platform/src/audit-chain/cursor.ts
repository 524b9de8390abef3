import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/index.ts'

const AT_ONCE = 1000

/** The rows of a query, a thousand at a time, however many there are. Under a name that no other cursor of the transaction has. */
export async function* readBatches<Row>(tx: Tx, name: string, query: RawBuilder<Row>): AsyncGenerator<readonly Row[]> {
  await sql`declare ${sql.ref(name)} no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(AT_ONCE)} from ${sql.ref(name)}`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) break
  }
  await sql`close ${sql.ref(name)}`.execute(tx)
}
