import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Cancels statements that take longer (milliseconds) for the rest of the transaction; see `isStatementTimeout`. */
export const limitTime = async (tx: Tx, ms: number): Promise<void> => {
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx)
}
