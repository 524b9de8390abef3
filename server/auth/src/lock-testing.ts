import { sql } from 'kysely'
import { expect } from 'vitest'
import type { AuthUnderTest } from './auth-testing.ts'

/** Something of the database that others have to wait for until it is let go. */
export interface Held extends AsyncDisposable {
  /** Resolves once that many others wait for something. */
  waiting(many: number): Promise<void>
  release(): Promise<void>
}

/**
 * Runs that statement (`lock table …`, `select … for update`) and keeps what it locked, so that a request stops just
 * there: what happens at the same moment is the same in every run.
 */
export async function hold({ owner }: Pick<AuthUnderTest, 'owner'>, statement: string): Promise<Held> {
  const tx = await owner.startTransaction().execute()
  await sql.raw(statement).execute(tx)
  const release = async (): Promise<void> => {
    if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
  }
  return {
    waiting: (many) =>
      expect.poll(() => waitingIn(owner), { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(many),
    release,
    [Symbol.asyncDispose]: release,
  }
}

async function waitingIn(owner: AuthUnderTest['owner']): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(distinct pid)::int as waiting from pg_locks where not granted`.execute(owner)
  return rows[0]?.waiting ?? 0
}
