import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type ActionLinkKind, actionLinkKinds, getLinkRule, opens } from './rules.ts'

export interface ActionLink {
  readonly kind: ActionLinkKind
  readonly userId: number
  readonly accountId: number
  readonly tokenSha256: Buffer
  /** The address that the link was sent to. */
  readonly emailFolded: string
  readonly createdAt: EpochMs
}

export interface NewActionLink extends ActionLink {
  readonly expiresAt: EpochMs
}

/** Stores the link. If a user can have only one of its kind, it replaces the earlier one. */
export async function insertLink(tx: Tx, link: NewActionLink): Promise<void> {
  const { endedBy, isOnlyOne } = getLinkRule(link.kind)
  const row = {
    token_sha256: link.tokenSha256,
    account_id: link.accountId,
    email_folded: link.emailFolded,
    sign_in_generation: endedBy.includes('endOfSignIns') ? await generationOf(tx, link.userId) : null,
    created_at: instant(link.createdAt),
    expires_at: instant(link.expiresAt),
  }
  const insert = tx.insertInto('auth.action_links').values({ user_id: link.userId, kind: link.kind, ...row })
  if (!isOnlyOne) return void (await insert.execute())
  await insert
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).where(sql<boolean>`kind <> 'lockdown'`).doUpdateSet(row),
    )
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

/** A valid link and its user. */
export interface LiveLink extends ActionLink {
  /** As they are now. */
  readonly person: { readonly email: string; readonly isStaff: boolean }
}

/** The link with that token, unless it has expired or is of another kind. */
export async function findLink(
  from: Pick<Db['plain'], 'selectFrom'>,
  asked: { readonly tokenSha256: Buffer; readonly kinds: readonly ActionLinkKind[] },
  now: EpochMs,
): Promise<LiveLink | undefined> {
  const row = await from
    .selectFrom('auth.action_links as l')
    .innerJoin('auth.people as p', 'p.user_id', 'l.user_id')
    .leftJoin('auth.credentials as c', 'c.user_id', 'l.user_id')
    .selectAll('l')
    .select(['p.account_id as own_account', 'p.email', 'p.email_folded as own_email', 'p.is_staff', 'p.barred'])
    .select('c.sign_in_generation as own_generation')
    .where('l.token_sha256', '=', asked.tokenSha256)
    .where('l.kind', 'in', asked.kinds)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { kind, user_id: userId, account_id: accountId, email_folded: emailFolded, created_at: createdAt } = row
  const madeOn = { accountId, emailFolded, generation: row.sign_in_generation }
  const preconditions = { accountId: row.own_account, emailFolded: row.own_email, generation: row.own_generation }
  if (!opens({ kind, expiresAt: row.expires_at, madeOn }, { preconditions, isBlocked: row.barred }, now))
    return undefined
  const { tokenSha256 } = asked
  const person = { email: row.email, isStaff: row.is_staff }
  return { kind, userId, accountId, tokenSha256, emailFolded, createdAt, person }
}

/** Deletes the link; of several concurrent callers one gets true. */
export async function removeLink(tx: Tx, { tokenSha256 }: Pick<ActionLink, 'tokenSha256'>): Promise<boolean> {
  const gone = await tx
    .deleteFrom('auth.action_links')
    .where('token_sha256', '=', tokenSha256)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Ends the links of a user, of those kinds or all of them. */
export async function removeLinks(tx: Tx, userId: number, kinds = actionLinkKinds): Promise<void> {
  await tx.deleteFrom('auth.action_links').where('user_id', '=', userId).where('kind', 'in', kinds).execute()
}

/** The links of a user, expired or not. */
export async function listLinks(
  from: Pick<Db['plain'], 'selectFrom'>,
  of: { readonly userId: number; readonly kinds: readonly ActionLinkKind[] },
): Promise<readonly { readonly kind: ActionLinkKind; readonly expiresAt: EpochMs }[]> {
  const rows = await from
    .selectFrom('auth.action_links')
    .select(['kind', 'expires_at'])
    .where('user_id', '=', of.userId)
    .where('kind', 'in', of.kinds)
    .execute()
  return rows.map(({ kind, expires_at: expiresAt }) => ({ kind, expiresAt }))
}

/**
 * Deletes expired links. Links of address changes are deleted with their change, because two concurrent cleanups could
 * deadlock otherwise.
 */
export const sweepLinks = (from: Pick<Db['plain'], 'deleteFrom'>): Promise<{ readonly numDeletedRows: bigint }> =>
  from
    .deleteFrom('auth.action_links')
    .where(sql<boolean>`expires_at < now()`)
    .where('kind', '!=', 'emailChange')
    .executeTakeFirst()
