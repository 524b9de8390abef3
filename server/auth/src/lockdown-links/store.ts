import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'

export interface LockdownLink {
  readonly userId: number
  readonly accountId: number
  /** To which the link went. */
  readonly emailFolded: string
  /** When there was something to be told. */
  readonly createdAt: EpochMs
}

export async function insertLink(
  tx: Tx,
  link: LockdownLink & { readonly tokenSha256: Buffer; readonly expiresAt: EpochMs },
): Promise<void> {
  await tx
    .insertInto('auth.lockdown_links')
    .values({
      token_sha256: link.tokenSha256,
      user_id: link.userId,
      account_id: link.accountId,
      email_folded: link.emailFolded,
      created_at: instant(link.createdAt),
      expires_at: instant(link.expiresAt),
    })
    .execute()
}

/**
 * The link of that token, unless its time is over. It outlives another password and another address: whoever is to be shut
 * out by it may have changed both.
 */
export async function findLink(
  from: Pick<Db['plain'], 'selectFrom'>,
  tokenSha256: Buffer,
  now: EpochMs,
): Promise<LockdownLink | undefined> {
  const row = await from
    .selectFrom('auth.lockdown_links')
    .selectAll()
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', instant(now))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id: userId, account_id: accountId, email_folded: emailFolded, created_at: createdAt } = row
  return { userId, accountId, emailFolded, createdAt }
}

/** Takes the link away; of several who have it at once, one gets true. */
export async function removeLink(tx: Tx, tokenSha256: Buffer): Promise<boolean> {
  const gone = await tx
    .deleteFrom('auth.lockdown_links')
    .where('token_sha256', '=', tokenSha256)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Ends every link of a user. */
export async function removeLinksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.lockdown_links').where('user_id', '=', userId).execute()
}
