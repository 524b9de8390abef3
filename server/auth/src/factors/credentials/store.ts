import type { Clock } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

export interface Credentials {
  readonly emailFolded: string
  /** Undefined until the user sets a password. */
  readonly passwordHash: string | undefined
}

export async function loadCredentials(db: Db, userId: number): Promise<Credentials | undefined> {
  const row = await db.plain
    .selectFrom('auth.people as p')
    .leftJoin('auth.credentials as c', 'c.user_id', 'p.user_id')
    .select(['p.email_folded', 'c.password_hash'])
    .where('p.user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? undefined : { emailFolded: row.email_folded, passwordHash: row.password_hash ?? undefined }
}

/** Sets the password, the first or another one; a sign-in whose password is being checked meanwhile is refused. */
export async function savePasswordHash(
  into: Pick<Db['plain'], 'insertInto'>,
  clock: Clock,
  given: { readonly userId: number; readonly accountId: number; readonly passwordHash: string },
): Promise<void> {
  const row = { password_hash: given.passwordHash, changed_at: instant(clock.now()) }
  await into
    .insertInto('auth.credentials')
    .values({ user_id: given.userId, account_id: given.accountId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...row, sign_in_generation: sql<number>`auth.credentials.sign_in_generation + 1` }),
    )
    .execute()
}

/** False if the verified password has been replaced meanwhile. */
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

/** Locks in the same order as switching the second factor on or off. */
export async function removeFactors(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.passkeys').where('user_id', '=', userId).execute()
  await tx.deleteFrom('auth.two_factor').where('user_id', '=', userId).execute()
}

/** Blocks sign-in as that user for good; the id is never reused. */
export async function removeCredentials(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.credentials').where('user_id', '=', userId).execute()
  for (const table of ['auth.lockdowns', 'auth.sign_in_history', 'auth.known_devices'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}
