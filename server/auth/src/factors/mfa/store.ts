import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'

/** The stored second factor of a user: an app, required passkeys, or both. */
export interface StoredFactor {
  readonly userId: number
  readonly accountId: number
  /** Of an app that is on, or waits for its first code. */
  readonly seedSealed: Buffer | undefined
  readonly createdAt: EpochMs
  /** The app. */
  readonly on: { readonly lastStep: number; readonly seedSealed: Buffer; readonly since: EpochMs } | undefined
  /** A passkey is required after the password, with or without an app. */
  readonly asksPasskeys: boolean
  readonly passkeysSince: EpochMs | undefined
  /** As soon as either is on. */
  readonly recoverySalt: Buffer | undefined
  /** When the recovery codes were created, before or after the factor was switched on. */
  readonly recoverySince: EpochMs | undefined
}

const factorOf = (from: Pick<Db['plain'], 'selectFrom'>, userId: number) =>
  from.selectFrom('auth.two_factor').selectAll().where('user_id', '=', userId)

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof factorOf>['executeTakeFirst']>>>

const toFactor = (row: Row): StoredFactor => ({
  userId: row.user_id,
  accountId: row.account_id,
  seedSealed: row.seed_sealed ?? undefined,
  createdAt: row.created_at,
  on:
    row.last_step === null || row.seed_sealed === null || row.enabled_at === null
      ? undefined
      : { lastStep: row.last_step, seedSealed: row.seed_sealed, since: row.enabled_at },
  asksPasskeys: row.passkeys_since !== null,
  passkeysSince: row.passkeys_since ?? undefined,
  recoverySalt: row.recovery_salt ?? undefined,
  recoverySince: row.recovery_since ?? undefined,
})

export async function findFactor(
  from: Pick<Db['plain'], 'selectFrom'>,
  userId: number,
): Promise<StoredFactor | undefined> {
  const row = await factorOf(from, userId).executeTakeFirst()
  return row === undefined ? undefined : toFactor(row)
}

/** The same, locked until the transaction ends. */
export async function lockFactor(tx: Tx, userId: number): Promise<StoredFactor | undefined> {
  const row = await factorOf(tx, userId).forUpdate().executeTakeFirst()
  return row === undefined ? undefined : toFactor(row)
}

/** Stores a seed that waits for its first code, unless there is one that is on or newer than `oldest`. */
export async function offerSeed(
  into: Pick<Db['plain'], 'insertInto'>,
  given: Pick<StoredFactor, 'userId' | 'accountId' | 'createdAt'> & {
    readonly seedSealed: Buffer
    readonly oldest: EpochMs
  },
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
        .where(({ or, eb }) =>
          or([
            eb('auth.two_factor.seed_sealed', 'is', null),
            eb('auth.two_factor.created_at', '<', instant(given.oldest)),
          ]),
        ),
    )
    .execute()
}

/** Switches the app on in a transaction that locks its row; earlier recovery codes become invalid. */
export async function enableFactor(
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
    .set({ enabled_at: instant(now), last_step: step, recovery_salt: recoverySalt, recovery_since: instant(now) })
    .where('user_id', '=', userId)
    .execute()
  await storeRecoveryCodes(tx, userId, codeHashes)
}

async function storeRecoveryCodes(tx: Tx, userId: number, codeHashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('auth.recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('auth.recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Replaces the recovery codes in a transaction that locks the factor. */
export async function replaceRecoveryCodes(
  tx: Tx,
  given: {
    readonly userId: number
    readonly now: EpochMs
    readonly fresh: { readonly recoverySalt: Buffer; readonly codeHashes: readonly Buffer[] }
  },
): Promise<void> {
  const { userId, now, fresh } = given
  await tx
    .updateTable('auth.two_factor')
    .set({ recovery_salt: fresh.recoverySalt, recovery_since: instant(now) })
    .where('user_id', '=', userId)
    .execute()
  await storeRecoveryCodes(tx, userId, fresh.codeHashes)
}

/** Deletes the seed, and the recovery codes unless passkeys are required. */
export async function removeApp(tx: Tx, { userId, asksPasskeys }: StoredFactor): Promise<void> {
  if (!asksPasskeys) return removeFactor(tx, userId)
  await tx
    .updateTable('auth.two_factor')
    .set({ enabled_at: null, last_step: null, seed_sealed: null })
    .where('user_id', '=', userId)
    .execute()
}

async function removeFactor(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.two_factor').where('user_id', '=', userId).execute()
}

/** The same; whether it was on. */
export async function takeFactor(tx: Tx, userId: number): Promise<boolean> {
  const factor = await lockFactor(tx, userId)
  await removeFactor(tx, userId)
  return factor?.on !== undefined
}

/**
 * Removes factors switched on since then, recovery codes created since, and a pending seed. Compares when each was
 * switched on, because the seed can be older, or newer if another is offered.
 */
export async function removeRecentFactors(tx: Tx, userId: number, since: EpochMs): Promise<void> {
  const row = await factorOf(tx, userId).forUpdate().executeTakeFirst()
  if (row === undefined) return
  const wasOn = (at: EpochMs | null): boolean => at !== null && at < since
  if (wasOn(row.enabled_at)) {
    if (!wasOn(row.passkeys_since)) await stopAskingForPasskeys(tx, toFactor(row))
  } else {
    await removeApp(tx, { ...toFactor(row), asksPasskeys: wasOn(row.passkeys_since) })
  }
  // An activated app replaced them even if it is off again: the user doesn't have the stored ones.
  if (!wasOn(row.recovery_since)) await tx.deleteFrom('auth.recovery_codes').where('user_id', '=', userId).execute()
}

/** Whether there were any. Here, because they are a factor, and who loses all factors loses them together. */
export async function takePasskeys(tx: Tx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('auth.passkeys').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** From now on a passkey is required after the password. If recovery codes exist already, `fresh` are ignored. */
export async function askForPasskeys(
  tx: Tx,
  given: {
    readonly userId: number
    readonly accountId: number
    readonly now: EpochMs
    readonly fresh: { readonly recoverySalt: Buffer; readonly codeHashes: readonly Buffer[] } | undefined
  },
): Promise<void> {
  const { userId, accountId, fresh } = given
  const now = instant(given.now)
  const recovery = fresh === undefined ? {} : { recovery_salt: fresh.recoverySalt, recovery_since: now }
  const row = { passkeys_since: now, ...recovery }
  const { numUpdatedRows } = await tx
    .updateTable('auth.two_factor')
    .set(row)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    const one = { user_id: userId, account_id: accountId, created_at: now, ...row }
    await tx.insertInto('auth.two_factor').values(one).execute()
  }
  if (fresh !== undefined) await storeRecoveryCodes(tx, userId, fresh.codeHashes)
}

/** The recovery codes are gone then, unless there is an app. */
export async function stopAskingForPasskeys(tx: Tx, { userId, on }: StoredFactor): Promise<void> {
  if (on === undefined) return removeFactor(tx, userId)
  await tx.updateTable('auth.two_factor').set({ passkeys_since: null }).where('user_id', '=', userId).execute()
}

/** Of several concurrent uses of that step's code, or a later one, one gets true. */
export async function takeStep(
  tx: Tx,
  given: Pick<StoredFactor, 'userId'> & { readonly seedSealed: Buffer; readonly step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('auth.two_factor')
    .set({ last_step: given.step })
    .where('user_id', '=', given.userId)
    // The factor hasn't been switched off and on again since the code was compared.
    .where('seed_sealed', '=', given.seedSealed)
    .where('last_step', '<', given.step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of several concurrent uses of that code, one gets true. */
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
