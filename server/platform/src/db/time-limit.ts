import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** What takes longer, milliseconds, is given up from here to the end of the transaction; see `isStatementTimeout`. */
export const limitTime = async (tx: Tx, ms: number): Promise<void> => {
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx)
}
