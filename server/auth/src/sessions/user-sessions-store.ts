import type { EpochMs } from '@sightline/platform/clock'
import { type Db, type IdSource, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type OriginRow, originColumns, type SessionOrigin } from './request-origin/index.ts'
import { deleteGrantRows, deleteSignInRows } from './store.ts'

/** What ends a session: a browser's sign-in, or one authorization. */
export type SessionBasis =
  | { readonly kind: 'browser'; readonly sessionUid: string }
  | { readonly kind: 'grant'; readonly grantId: string }

export interface NewUserSession {
  readonly userId: number
  readonly basis: SessionBasis
  /** The user who gets a token by it; null before sign-in. */
  readonly clientId: string | null
  readonly origin: SessionOrigin
  readonly now: EpochMs
  /** Of a guest of a public demo. */
  readonly visitor: boolean
}

const groundColumns = (basis: SessionBasis) =>
  basis.kind === 'browser'
    ? { session_uid: basis.sessionUid, grant_id: null }
    : { session_uid: null, grant_id: basis.grantId }

/** Records that a session begins or continues; returns its number, undefined if the user is gone. */
export async function keepSession(tx: Tx, ids: IdSource, given: NewUserSession): Promise<number | undefined> {
  const { userId, basis, clientId, origin, now, visitor } = given
  const person = await tx
    .selectFrom('auth.people')
    .select('account_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (person === undefined) return undefined
  const seen = { user_id: userId, account_id: person.account_id, last_seen_at: instant(now) }
  const goesOn = {
    ...seen,
    ...(clientId === null ? {} : { client_id: clientId }),
    // An app's server that redeems a code would replace the user's browser with its own address.
    ...(basis.kind === 'browser' && origin.device.browser === null ? {} : originColumns(origin)),
  }
  const row = {
    ...seen,
    ...groundColumns(basis),
    ...originColumns(origin),
    client_id: clientId,
    visitor,
    begun_at: instant(now),
  }
  const kept = await tx
    .insertInto('auth.user_sessions')
    .values({ session_id: await ids.next(), ...row })
    .onConflict((conflict) =>
      conflict.column(basis.kind === 'browser' ? 'session_uid' : 'grant_id').doUpdateSet(goesOn),
    )
    .returning('session_id')
    .executeTakeFirstOrThrow()
  return kept.session_id
}

/** When the session of that token began, regardless of refreshes; undefined without a user sign-in. */
export async function findSignInTime(
  from: Pick<Db['plain'], 'selectFrom'>,
  tokenId: number,
): Promise<EpochMs | undefined> {
  const row = await from
    .selectFrom('auth.access_sessions as token')
    .innerJoin('auth.user_sessions as session', 'session.session_id', 'token.session_id')
    .select('session.begun_at')
    .where('token.token_id', '=', tokenId)
    .executeTakeFirst()
  return row?.begun_at
}

export interface UserSessionRow extends OriginRow {
  readonly session_id: number
  readonly session_uid: string | null
  readonly grant_id: string | null
  readonly client_id: string | null
  readonly client_name: string | null
  readonly begun_at: EpochMs
  readonly last_seen_at: EpochMs
  /** Of that token. */
  readonly current: boolean
}

export interface WhoseSessions {
  readonly userId: number
  /** Of the call. */
  readonly tokenId: number
  readonly now: EpochMs
}

/**
 * The user's active sessions, the most recently used first. Excludes support sessions; guests of a demo see only their
 * own.
 */
export async function liveSessions(
  from: Tx | Db['plain'],
  { userId, tokenId, now }: WhoseSessions,
): Promise<readonly UserSessionRow[]> {
  const at = instant(now)
  const { rows } = await sql<UserSessionRow>`
    select s.session_id, s.session_uid, s.grant_id, s.client_id, c.name as client_name, s.begun_at, s.last_seen_at,
           s.browser, s.system, s.device, s.address, s.country, s.city,
           exists (select from auth.access_sessions a where a.session_id = s.session_id and a.token_id = ${tokenId})
             as current
      from auth.user_sessions s
      left join auth.clients c on c.client_id = s.client_id
     where s.user_id = ${userId}
       and (not s.visitor or exists (
         select from auth.access_sessions a where a.session_id = s.session_id and a.token_id = ${tokenId}))
       and (exists (select from auth.provider_records r
                     where r.kind = 'Session' and r.uid = s.session_uid and r.expires_at > ${at})
         or exists (select from auth.access_sessions a where a.session_id = s.session_id and a.expires_at > ${at})
         or exists (select from auth.provider_records r
                     where r.kind = 'RefreshToken' and r.grant_id = s.grant_id
                       and r.consumed_at is null and r.expires_at > ${at}))
     order by s.last_seen_at desc, s.session_id desc`.execute(from)
  return rows
}

/** Ends that session with every token of it; their hashes. */
export async function deleteUserSessionRows(
  tx: Tx,
  session: Pick<UserSessionRow, 'session_id' | 'session_uid' | 'grant_id'>,
): Promise<Buffer[]> {
  const ofBrowser = session.session_uid === null ? [] : await deleteSignInRows(tx, session.session_uid)
  const ofGrant = session.grant_id === null ? [] : await deleteGrantRows(tx, session.grant_id)
  await tx.deleteFrom('auth.user_sessions').where('session_id', '=', session.session_id).execute()
  return [...ofBrowser, ...ofGrant]
}
