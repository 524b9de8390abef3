import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'

/** What is stored of somebody's second factor; one that is not on waits for the first code. */
export interface StoredFactor {
  readonly userId: number
  readonly accountId: number
  readonly seedSealed: Buffer
  readonly createdAt: EpochMs
  readonly on: { readonly lastStep: number; readonly recoverySalt: Buffer } | undefined
}

const factorOf = (from: Pick<Db['plain'], 'selectFrom'>, userId: number) =>
  from.selectFrom('auth.two_factor').selectAll().where('user_id', '=', userId)

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof factorOf>['executeTakeFirst']>>>

const toFactor = (row: Row): StoredFactor => ({
  userId: row.user_id,
  accountId: row.account_id,
  seedSealed: row.seed_sealed,
  createdAt: row.created_at,
  on:
    row.last_step === null || row.recovery_salt === null
      ? undefined
      : { lastStep: row.last_step, recoverySalt: row.recovery_salt },
})

export async function findFactor(
  from: Pick<Db['plain'], 'selectFrom'>,
  userId: number,
): Promise<StoredFactor | undefined> {
  const row = await factorOf(from, userId).executeTakeFirst()
  return row === undefined ? undefined : toFactor(row)
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockFactor(tx: Tx, userId: number): Promise<StoredFactor | undefined> {
  const row = await factorOf(tx, userId).forUpdate().executeTakeFirst()
  return row === undefined ? undefined : toFactor(row)
}

/** Stores a seed that waits for its first code, unless there is one that is on or was made after `oldest`. */
export async function offerSeed(
  into: Pick<Db['plain'], 'insertInto'>,
  given: Pick<StoredFactor, 'userId' | 'accountId' | 'seedSealed' | 'createdAt'> & { readonly oldest: EpochMs },
): Promise<void> {
  const seed = { seed_sealed: given.seedSealed, created_at: instant(given.createdAt) }
  await into
    .insertInto('auth.two_factor')
    .values({ user_id: given.userId, account_id: given.accountId, ...seed })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(seed)
        .where('auth.two_factor.enabled_at', 'is', null)
        .where('auth.two_factor.created_at', '<', instant(given.oldest)),
    )
    .execute()
}

/** Switches it on in a transaction that holds its row. */
export async function switchOn(
  tx: Tx,
  given: {
    readonly userId: number
    readonly now: EpochMs
    readonly step: number
    readonly recoverySalt: Buffer
    readonly codeHashes: readonly Buffer[]
  },
): Promise<void> {
  const { userId, now, step, recoverySalt, codeHashes } = given
  await tx
    .updateTable('auth.two_factor')
    .set({ enabled_at: instant(now), last_step: step, recovery_salt: recoverySalt })
    .where('user_id', '=', userId)
    .execute()
  await tx
    .insertInto('auth.recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Seed and recovery codes are gone then. */
export async function removeFactor(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.two_factor').where('user_id', '=', userId).execute()
}

/** Of several who use that step's code, or a later one, at the same moment, one gets true. */
export async function takeStep(
  tx: Tx,
  given: Pick<StoredFactor, 'userId' | 'seedSealed'> & { readonly step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('auth.two_factor')
    .set({ last_step: given.step })
    .where('user_id', '=', given.userId)
    // Nobody has switched it off and on again since the code was compared.
    .where('seed_sealed', '=', given.seedSealed)
    .where('last_step', '<', given.step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of several who use that code at the same moment, one gets true. */
export async function takeRecoveryCode(tx: Tx, userId: number, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('auth.recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function recoveryCodesLeft(from: Pick<Db['plain'], 'selectFrom'>, userId: number): Promise<number> {
  const row = await from
    .selectFrom('auth.recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.left)
}
