import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

export type LinkKind = 'invitation' | 'reset'

export interface NewLink {
  readonly userId: number
  readonly accountId: number
  readonly kind: LinkKind
  readonly tokenSha256: Buffer
  readonly emailFolded: string
  readonly expiresAt: EpochMs
}

/** Writes the link down; one of the same kind that the user had is over. */
export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  const row = {
    account_id: link.accountId,
    token_sha256: link.tokenSha256,
    email_folded: link.emailFolded,
    sign_in_generation: await generationOf(tx, link.userId),
    expires_at: instant(link.expiresAt),
  }
  await tx
    .insertInto('auth.password_links')
    .values({ user_id: link.userId, kind: link.kind, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(row))
    .execute()
}

async function generationOf(tx: Tx, userId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('auth.credentials')
    .select('sign_in_generation')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.sign_in_generation ?? null
}

/** A link that works at this moment, and whose it is. */
export interface LiveLink {
  readonly userId: number
  readonly accountId: number
  readonly kind: LinkKind
  readonly email: string
  readonly isStaff: boolean
}

/**
 * The link of that token, unless it is over: by its time, or because address or sign-ins of the user are others by now,
 * or because that person may not sign in at all.
 */
export async function findLink(
  from: Pick<Db['plain'], 'selectFrom'>,
  tokenSha256: Buffer,
  now: EpochMs,
): Promise<LiveLink | undefined> {
  const row = await from
    .selectFrom('auth.password_links as l')
    .innerJoin('auth.people as p', (on) =>
      on.onRef('p.user_id', '=', 'l.user_id').onRef('p.account_id', '=', 'l.account_id'),
    )
    .leftJoin('auth.credentials as c', 'c.user_id', 'l.user_id')
    .select(['l.user_id', 'l.account_id', 'l.kind', 'p.email', 'p.is_staff'])
    .where('l.token_sha256', '=', tokenSha256)
    .where('l.expires_at', '>', instant(now))
    .whereRef('p.email_folded', '=', 'l.email_folded')
    .where(sql<boolean>`c.sign_in_generation is not distinct from l.sign_in_generation`)
    .where('p.barred', '=', false)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id: userId, account_id: accountId, kind, email, is_staff: isStaff } = row
  return { userId, accountId, kind, email, isStaff }
}

/** Ends every link of a user. */
export async function removeLinksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.password_links').where('user_id', '=', userId).execute()
}

/** Takes the link away; of several who have it at once, one gets true. */
export async function removeLink(tx: Tx, tokenSha256: Buffer): Promise<boolean> {
  const gone = await tx
    .deleteFrom('auth.password_links')
    .where('token_sha256', '=', tokenSha256)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** A new password is what a lockdown waits for. */
export async function endLockdown(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.lockdowns').where('user_id', '=', userId).execute()
}
