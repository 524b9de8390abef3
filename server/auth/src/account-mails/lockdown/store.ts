import type { LockdownLoss } from '@sightline/contract/lockdown'
import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { findFactor, removeRecentFactors } from '../../factors/mfa/index.ts'
import { listPasskeys } from '../../factors/passkeys/index.ts'
import { deleteClientTokens } from '../../sessions/index.ts'

/** Blocks sign-in as that user; `emailFolded` is known to be the user's address. */
export async function beginLockdown(
  tx: Tx,
  of: { readonly userId: number; readonly accountId: number; readonly emailFolded: string; readonly now: EpochMs },
): Promise<void> {
  const row = { account_id: of.accountId, email_folded: of.emailFolded, at: instant(of.now) }
  await tx
    .insertInto('auth.lockdowns')
    .values({ user_id: of.userId, ...row })
    // A running lockdown keeps its address: the first one most likely predates the intruder.
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  await tx.deleteFrom('email_changes').where('user_id', '=', of.userId).execute()
  await tx.deleteFrom('auth.known_devices').where('user_id', '=', of.userId).execute()
}

/**
 * Removes a second factor that was turned on since then and passkeys added since then, because they may not be the
 * user's.
 */
export async function removeNewFactors(tx: Tx, userId: number, since: EpochMs): Promise<void> {
  await removeRecentFactors(tx, userId, since)
  await tx.deleteFrom('auth.passkeys').where('user_id', '=', userId).where('created_at', '>=', instant(since)).execute()
}

/** Ends the API keys that the user created, with their tokens. */
export async function endUserKeys(tx: Tx, userId: number): Promise<void> {
  const keys = await tx
    .selectFrom('auth.clients')
    .select('client_id')
    .where('user_id', '=', userId)
    .where('api_key_id', 'is not', null)
    .orderBy('client_id')
    .forUpdate()
    .execute()
  for (const { client_id: clientId } of keys) {
    await tx.deleteFrom('auth.clients').where('client_id', '=', clientId).execute()
    await deleteClientTokens(tx, clientId)
  }
}

/** Removes the user's push registrations; each browser registers again at the next sign-in. */
export async function forgetPushDevices(tx: Tx, userId: number): Promise<void> {
  await sql`select auth.forget_push_devices(${userId})`.execute(tx)
}

/** Ends support access if that user is the owner of the account. */
export async function closeSupportAccess(tx: Tx, userId: number): Promise<void> {
  await sql`select auth.close_support_of_owner(${userId})`.execute(tx)
}

/** What a lockdown ends in addition to the sessions. */
export async function loadLockdownLoss(db: Db, userId: number, now: EpochMs): Promise<Omit<LockdownLoss, 'sessions'>> {
  const [keys, passkeys, factor, push, support, change] = await Promise.all([
    db.plain
      .selectFrom('auth.clients')
      .select('name')
      .where('user_id', '=', userId)
      .where('api_key_id', 'is not', null)
      .orderBy('name')
      .execute(),
    listPasskeys(db.plain, userId),
    findFactor(db.plain, userId),
    sql<{ devices: number }>`select auth.push_devices_of(${userId}) as devices`.execute(db.plain),
    sql<{ open: boolean }>`select auth.lets_support_in(${userId}, ${instant(now)}) as open`.execute(db.plain),
    db.plain
      .selectFrom('email_changes')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('expires_at', '>', instant(now))
      .executeTakeFirst(),
  ])
  return {
    apiKeys: keys.map(({ name }) => name),
    passkeys: passkeys.map(({ name }) => name),
    passkeysAreSecondFactor: factor?.asksPasskeys === true && factor.on === undefined,
    pushDevices: push.rows[0]?.devices ?? 0,
    supportAccess: support.rows[0]?.open === true,
    emailChange: change !== undefined,
  }
}
