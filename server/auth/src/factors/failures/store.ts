import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'

/** The counter behind one key, and its limit. */
export interface Counter {
  readonly key: string
  readonly limit: number
}

/** Increments each counter, or none and returns the end of the longest lock. */
export async function countAll(
  db: Db,
  counters: readonly Counter[],
  window: { readonly now: EpochMs; readonly endsAt: EpochMs },
): Promise<EpochMs | undefined> {
  const { now, endsAt } = window
  return db
    .transaction(async (tx) => {
      let lockedUntil: number | undefined
      for (const { key, limit } of counters) {
        const row = await tx
          .insertInto('auth.failures')
          .values({ key, failures: 1, window_ends_at: instant(endsAt) })
          .onConflict((conflict) =>
            conflict.column('key').doUpdateSet({
              failures: sql<number>`case when auth.failures.window_ends_at <= ${instant(now)} then 1
              else auth.failures.failures + 1 end`,
              window_ends_at: sql<number>`case when auth.failures.window_ends_at <= ${instant(now)}
              then excluded.window_ends_at else auth.failures.window_ends_at end`,
            }),
          )
          .returning(['failures', 'window_ends_at'])
          .executeTakeFirstOrThrow()
        if (row.failures > limit) lockedUntil = Math.max(lockedUntil ?? 0, row.window_ends_at)
      }
      if (lockedUntil !== undefined) throw new Locked(lockedUntil)
      return undefined
    })
    .catch((error: unknown) => {
      if (error instanceof Locked) return error.until
      throw error
    })
}

/** Rolls back the count: while locked, further tries neither count nor extend the lock. */
class Locked extends Error {
  readonly until: number
  constructor(until: number) {
    super('locked')
    this.until = until
  }
}

/** When the lock that lasts longest ends; undefined if none is locked. */
export async function longestLock(db: Db, counters: readonly Counter[], now: EpochMs): Promise<EpochMs | undefined> {
  const rows = await db.plain
    .selectFrom('auth.failures')
    .select(['key', 'failures', 'window_ends_at'])
    .where(
      'key',
      'in',
      counters.map((counter) => counter.key),
    )
    .where('window_ends_at', '>', instant(now))
    .execute()
  const full = rows.filter((row) => row.failures >= (counters.find(({ key }) => key === row.key)?.limit ?? 0))
  return full.length === 0 ? undefined : Math.max(...full.map((row) => row.window_ends_at))
}

/**
 * Locks rows in the order of {@link countAll}'s keys; `where key in …` would lock them in any order, and two tries of
 * one user could deadlock.
 */
const inOrder = (keys: readonly string[]) => sql`
  select key from auth.failures where key in (${sql.join(keys)}) order by key collate "C" for update`

export async function subtract(db: Db, counters: readonly Counter[]): Promise<void> {
  const keys = counters.map((counter) => counter.key)
  await sql`
    with counted as (${inOrder(keys)})
    update auth.failures set failures = greatest(failures - 1, 0) from counted where failures.key = counted.key`.execute(
    db.plain,
  )
}

export async function forget(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    with forgotten as (${inOrder(keys)})
    delete from auth.failures using forgotten where failures.key = forgotten.key`.execute(db.plain)
}
