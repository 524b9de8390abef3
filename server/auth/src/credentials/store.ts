import type { Clock } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'

export async function loadPasswordHash(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.plain
    .selectFrom('auth.credentials')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.password_hash
}

/** Sets the password, the first one or another. */
export async function savePasswordHash(
  db: Db,
  clock: Clock,
  given: { readonly userId: number; readonly accountId: number; readonly passwordHash: string },
): Promise<void> {
  const row = { password_hash: given.passwordHash, changed_at: instant(clock.now()) }
  await db.plain
    .insertInto('auth.credentials')
    .values({ user_id: given.userId, account_id: given.accountId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}
