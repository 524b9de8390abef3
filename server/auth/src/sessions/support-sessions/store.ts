import type { AccountStatus } from '@sightline/contract/rights'
import { MAX_SUPPORT_SESSIONS, MAX_SUPPORT_SESSIONS_PER_USER } from '@sightline/contract/support-sessions'
import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { toCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'

export interface AddressedUser {
  readonly resellerId: number
  readonly accountId: number
  readonly userId: number
}

/** The user to act as, if the three ids in the address belong together. */
export interface SupportTarget extends AddressedUser {
  readonly distributorId: number
  readonly modules: Readonly<Record<string, unknown>>
  readonly accountStatus: AccountStatus
  readonly isUserBlocked: boolean
  readonly showsVideo: boolean
}

export async function findUser(tx: Tx, at: AddressedUser): Promise<SupportTarget | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .innerJoin('resellers as r', 'r.reseller_id', 'a.reseller_id')
    .select(['r.distributor_id', 'r.modules', 'a.status', 'u.blocked', 'a.helpdesk_show_video'])
    .where('u.account_id', '=', at.accountId)
    .where('u.user_id', '=', at.userId)
    .where('a.reseller_id', '=', at.resellerId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...at,
    distributorId: row.distributor_id,
    modules: row.modules,
    accountStatus: row.status,
    isUserBlocked: row.blocked,
    showsVideo: row.helpdesk_show_video,
  }
}

/** The end of the owner's permission; locked, with the number of sessions, until the transaction ends. */
export async function holdGrant(tx: Tx, accountId: number): Promise<EpochMs | null> {
  const { rows } = await sql<{ until: EpochMs | null }>`select auth.hold_support_grant(${accountId}) as until`.execute(
    tx,
  )
  return rows[0]?.until ?? null
}

export interface NewSession extends AddressedUser {
  readonly tokenSha256: Buffer
  readonly tokenId: number
  readonly staffId: number
  readonly clientId: string
  readonly appId: string
  readonly scopes: readonly string[]
  readonly address: string
  readonly createdAt: EpochMs
  readonly expiresAt: EpochMs
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('auth.access_sessions')
    .values({
      token_sha256: session.tokenSha256,
      token_id: session.tokenId,
      user_id: session.userId,
      account_id: session.accountId,
      client_id: session.clientId,
      app_id: session.appId,
      scopes: [...session.scopes],
      address: session.address,
      support_staff_id: session.staffId,
      created_at: instant(session.createdAt),
      expires_at: instant(session.expiresAt),
    })
    .execute()
}

/**
 * Makes room for one more session of this staff member in the account; returns whether the account's limit allows it.
 */
export async function makeRoom(
  tx: Tx,
  { accountId, staffId, now }: { accountId: number; staffId: number; now: EpochMs },
): Promise<boolean> {
  const open = await tx
    .selectFrom('auth.access_sessions')
    .select(['token_sha256', 'support_staff_id'])
    .where('account_id', '=', accountId)
    .where('support_staff_id', 'is not', null)
    .where('expires_at', '>', instant(now))
    .orderBy('created_at', 'desc')
    .execute()
  const own = open.filter((session) => session.support_staff_id === staffId)
  const ending = own.slice(MAX_SUPPORT_SESSIONS_PER_USER - 1).map((session) => session.token_sha256)
  if (ending.length > 0) await tx.deleteFrom('auth.access_sessions').where('token_sha256', 'in', ending).execute()
  return open.length - ending.length < MAX_SUPPORT_SESSIONS
}

export interface OpenSession {
  readonly tokenId: number
  readonly userId: number
  readonly staffId: number
  readonly staffName: string
  readonly organisation: string
  readonly since: EpochMs
  readonly until: EpochMs
  readonly video: 'shown' | 'hidden'
  readonly scopes: readonly string[]
  readonly address: string | null
}

/** The active support sessions in an account; those with missing preconditions don't count. */
export async function openSessions(db: Db, accountId: number, now: EpochMs): Promise<readonly OpenSession[]> {
  const rows = await db.plain
    .selectFrom('sessions as s')
    .innerJoin('auth.access_sessions as t', 't.token_sha256', 's.token_sha256')
    .leftJoin('auth.people as p', 'p.user_id', 's.support_staff_id')
    .selectAll('s')
    .select(['t.created_at', 't.address', 'p.account_name as organisation'])
    .where('s.account_id', '=', accountId)
    .where('s.support_staff_id', 'is not', null)
    .orderBy('t.created_at')
    .execute()
  return rows.flatMap((row) => {
    const caller = toCaller(row, row.token_sha256, now)
    const support = caller?.kind === 'member' ? caller.support : undefined
    if (caller === undefined || support === undefined) return []
    return {
      tokenId: caller.tokenId,
      userId: caller.userId,
      ...support,
      organisation: row.organisation ?? '',
      since: row.created_at,
      until: Math.min(row.expires_at, row.helpdesk_expires_at ?? row.expires_at),
      scopes: row.scopes,
      address: row.address,
    }
  })
}

export interface EndedSession {
  readonly tokenSha256: Buffer
  readonly staffId: number
  readonly userId: number
}

/** Ends one or all of them, including inactive ones. */
export async function deleteSupportSessionRows(
  tx: Tx,
  accountId: number,
  tokenId?: number,
): Promise<readonly EndedSession[]> {
  const rows = await tx
    .deleteFrom('auth.access_sessions')
    .where('account_id', '=', accountId)
    .where('support_staff_id', 'is not', null)
    .$if(tokenId !== undefined, (sessions) => sessions.where('token_id', '=', tokenId ?? 0))
    .returning(['token_sha256', 'support_staff_id', 'user_id'])
    .execute()
  return rows.map((row) => ({
    tokenSha256: row.token_sha256,
    staffId: row.support_staff_id ?? 0,
    userId: row.user_id,
  }))
}
