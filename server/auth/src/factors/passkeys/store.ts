import { createHash } from 'node:crypto'
import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { MadePasskey, Verifier } from './ceremonies.ts'

export interface StoredPasskey extends Verifier {
  readonly passkeyId: number
  readonly userId: number
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly name: string
  readonly createdAt: EpochMs
  readonly lastUsedAt: EpochMs | undefined
}

type From = Pick<Db['plain'], 'selectFrom'>

const query = (from: From) => from.selectFrom('auth.passkeys').selectAll()
type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

const toPasskey = (row: Row): StoredPasskey => ({
  passkeyId: row.passkey_id,
  userId: row.user_id,
  credentialId: row.credential_id,
  rpId: row.rp_id,
  userHandle: row.user_handle,
  publicKey: row.public_key,
  signCount: row.sign_count,
  transports: row.transports,
  isBackupEligible: row.backup_eligible,
  isBackedUp: row.backed_up,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
})

/** A user's passkeys, oldest first. */
export async function listPasskeys(from: From, userId: number): Promise<readonly StoredPasskey[]> {
  const rows = await query(from).where('user_id', '=', userId).orderBy('passkey_id').execute()
  return rows.map(toPasskey)
}

export async function findByCredential(from: From, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  const row = await query(from).where('credential_id', '=', credentialId).executeTakeFirst()
  return row === undefined ? undefined : toPasskey(row)
}

/** A user's passkey, locked until the transaction ends. */
export async function lockPasskey(
  tx: Tx,
  of: { readonly userId: number; readonly passkeyId: number },
): Promise<StoredPasskey | undefined> {
  const row = await query(tx)
    .where('passkey_id', '=', of.passkeyId)
    .where('user_id', '=', of.userId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : toPasskey(row)
}

/** Locks the user's passkeys and settings until the transaction ends. */
export async function holdPasskeys(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`passkeys of ${userId}`}, 0))`.execute(tx)
}

/** False if the credential is already registered. */
export async function addPasskey(
  tx: Tx,
  given: {
    readonly passkeyId: number
    readonly userId: number
    readonly accountId: number
    readonly rpId: string
    readonly userHandle: Buffer
    readonly made: MadePasskey
    readonly name: string
    readonly now: EpochMs
  },
): Promise<boolean> {
  const { made } = given
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('auth.passkeys')
    .values({
      passkey_id: given.passkeyId,
      user_id: given.userId,
      account_id: given.accountId,
      credential_id: made.credentialId,
      rp_id: given.rpId,
      user_handle: given.userHandle,
      public_key: made.publicKey,
      sign_count: made.signCount,
      transports: [...made.transports],
      aaguid: made.aaguid,
      backup_eligible: made.isBackupEligible,
      backed_up: made.isBackedUp,
      name: given.name,
      created_at: instant(given.now),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function noteUse(
  tx: Tx,
  given: {
    readonly passkeyId: number
    readonly signCount: number
    readonly isBackedUp: boolean
    readonly now: EpochMs
  },
): Promise<void> {
  await tx
    .updateTable('auth.passkeys')
    .set({ sign_count: given.signCount, backed_up: given.isBackedUp, last_used_at: instant(given.now) })
    .where('passkey_id', '=', given.passkeyId)
    .execute()
}

export async function renamePasskey(tx: Tx, passkeyId: number, name: string): Promise<void> {
  await tx.updateTable('auth.passkeys').set({ name }).where('passkey_id', '=', passkeyId).execute()
}

export async function removePasskey(tx: Tx, passkeyId: number): Promise<void> {
  await tx.deleteFrom('auth.passkeys').where('passkey_id', '=', passkeyId).execute()
}

/** The purpose of a challenge and its sign-in or token: no other can answer it. */
export interface ChallengeContext {
  readonly purpose: 'signIn' | 'secondStep' | 'confirm' | 'register'
  readonly boundTo: string
}

export interface PasskeyChallenge {
  readonly challenge: Buffer
  /** For `register`: the authenticator's id for the user. */
  readonly userHandle: Buffer | undefined
}

const boundHash = ({ boundTo }: ChallengeContext): Buffer => createHash('sha256').update(boundTo).digest()

/** Replaces the previous one. */
export async function keepChallenge(
  { plain }: Db,
  place: ChallengeContext,
  given: PasskeyChallenge & { readonly expiresAt: EpochMs },
): Promise<void> {
  const row = {
    challenge: given.challenge,
    user_handle: given.userHandle ?? null,
    expires_at: instant(given.expiresAt),
  }
  await plain
    .insertInto('auth.passkey_challenges')
    .values({ purpose: place.purpose, bound_sha256: boundHash(place), ...row })
    .onConflict((conflict) => conflict.columns(['purpose', 'bound_sha256']).doUpdateSet(row))
    .execute()
}

/** The first caller gets it, right or wrong; undefined if it doesn't exist or has expired. */
export async function takeChallenge(
  { plain }: Db,
  place: ChallengeContext,
  now: EpochMs,
): Promise<PasskeyChallenge | undefined> {
  const row = await plain
    .deleteFrom('auth.passkey_challenges')
    .where('purpose', '=', place.purpose)
    .where('bound_sha256', '=', boundHash(place))
    .returning(['challenge', 'user_handle', 'expires_at'])
    .executeTakeFirst()
  if (row === undefined || row.expires_at <= now) return undefined
  return { challenge: row.challenge, userHandle: row.user_handle ?? undefined }
}
