import type { Clock } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

export async function loadPasswordHash(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.plain
    .selectFrom('auth.credentials')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.password_hash
}

/** Sets the password, the first one or another; a sign-in whose password is being checked meanwhile is refused. */
export async function savePasswordHash(
  db: Db,
  clock: Clock,
  given: { readonly userId: number; readonly accountId: number; readonly passwordHash: string },
): Promise<void> {
  const row = { password_hash: given.passwordHash, changed_at: instant(clock.now()) }
  await db.plain
    .insertInto('auth.credentials')
    .values({ user_id: given.userId, account_id: given.accountId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...row, sign_in_generation: sql<number>`auth.credentials.sign_in_generation + 1` }),
    )
    .execute()
}

/** False where the password that was found right is not the user's any more: somebody else changed it first. */
export async function replacePasswordHash(
  tx: Tx,
  clock: Clock,
  given: { readonly userId: number; readonly checkedHash: string; readonly passwordHash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('auth.credentials')
    .set({ password_hash: given.passwordHash, changed_at: instant(clock.now()) })
    .where('user_id', '=', given.userId)
    .where('password_hash', '=', given.checkedHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
