import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** A database lock that blocks others until it is released. */
export interface HeldLock extends AsyncDisposable {
  /** Resolves once that many connections wait for something; rejects after half a minute. */
  waiting(many: number): Promise<void>
  release(): Promise<void>
}

const POLL_MS = 5
const PATIENCE_MS = 30_000

/**
 * Runs that statement (`lock table …`, `select … for update`) and keeps its lock, so that a request stops exactly
 * there: concurrent events are the same in every run.
 */
export async function hold({ owner }: { readonly owner: Db['plain'] }, statement: string): Promise<HeldLock> {
  const tx = await owner.startTransaction().execute()
  await sql.raw(statement).execute(tx)
  const release = async (): Promise<void> => {
    if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
  }
  return { waiting: (many) => untilWaiting(owner, many), release, [Symbol.asyncDispose]: release }
}

/** Resolves once that many connections wait for a lock; rejects after half a minute. */
export async function untilWaiting(owner: Db['plain'], many: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(distinct pid)::int as waiting from pg_locks where not granted`.execute(owner)
    const waiting = rows[0]?.waiting ?? 0
    if (waiting >= many) return
    if (Date.now() > until) throw new Error(`${waiting} connections wait for a lock, ${many} were expected to`)
    await sleep(POLL_MS)
  }
}
