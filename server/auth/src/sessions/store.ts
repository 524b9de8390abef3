import { SIGN_IN_DAYS } from '@sightline/contract/sign-in-history'
import type { Db, Tx } from '@sightline/platform/db'
import { tokenSha256 as sha256 } from '@sightline/platform/sessions'
import { sql } from 'kysely'

/** Kinds of provider records that are, or lead to, a token. */
const TOKEN_KINDS = ['AccessToken', 'RefreshToken', 'AuthorizationCode']

/** Ends a token and its whole grant; returns the hashes of all ended tokens, undefined if it doesn't exist. */
export async function deleteTokenRows(tx: Tx, hash: Buffer): Promise<Buffer[] | undefined> {
  const row = await tx
    .selectFrom('auth.access_sessions')
    .select('grant_id')
    .where('token_sha256', '=', hash)
    .executeTakeFirst()
  const ended = row === undefined || row.grant_id === null ? [] : await deleteGrantRows(tx, row.grant_id)
  await tx.deleteFrom('auth.access_sessions').where('token_sha256', '=', hash).execute()
  await tx.deleteFrom('auth.provider_records').where('kind', '=', 'AccessToken').where('id_sha256', '=', hash).execute()
  if (row === undefined) return undefined
  return [hash, ...ended.filter((other) => !other.equals(hash))]
}

/** The grant is locked first: a concurrent issue of its token finishes before, and that token is included. */
export async function deleteGrantRows(tx: Tx, grantId: string): Promise<Buffer[]> {
  await tx
    .deleteFrom('auth.provider_records')
    .where('kind', '=', 'Grant')
    .where('id_sha256', '=', sha256(grantId))
    .execute()
  const tokens = await tx
    .deleteFrom('auth.access_sessions')
    .where('grant_id', '=', grantId)
    .returning('token_sha256')
    .execute()
  await tx
    .deleteFrom('auth.provider_records')
    .where('grant_id', '=', grantId)
    .where('kind', 'in', TOKEN_KINDS)
    .execute()
  return tokens.map((row) => row.token_sha256)
}

/** The session is locked first, like the grant in {@link deleteGrantRows}: a token being issued for it is included. */
export async function deleteSignInRows(tx: Tx, sessionUid: string): Promise<Buffer[]> {
  await tx.deleteFrom('auth.provider_records').where('kind', '=', 'Session').where('uid', '=', sessionUid).execute()
  const ofSignIn = tx
    .selectFrom('auth.provider_records')
    .select('id_sha256')
    .where('uid', '=', sessionUid)
    .where('kind', '=', 'AccessToken')
  const tokens = await tx
    .deleteFrom('auth.access_sessions')
    .where('token_sha256', 'in', ofSignIn)
    .returning('token_sha256')
    .execute()
  await tx.deleteFrom('auth.provider_records').where('uid', '=', sessionUid).execute()
  return tokens.map((row) => row.token_sha256)
}

/** Sign-ins in progress: the page that they wait for, or the return from it, names the user. */
async function endInteractionsIn(tx: Tx, userId: number): Promise<void> {
  const accountId = String(userId)
  await tx
    .deleteFrom('auth.provider_records')
    .where('kind', '=', 'Interaction')
    .where(
      sql<boolean>`${accountId} in (
        payload->'session'->>'accountId', payload->'result'->'login'->>'accountId',
        payload->'lastSubmission'->'login'->>'accountId')
      or payload->'result'->'fits' @> ${JSON.stringify([{ userId }])}::jsonb`,
    )
    .execute()
}

export async function deleteUserRows(tx: Tx, userId: number, exceptTokenId: number | undefined): Promise<void> {
  // A concurrent sign-in locks this row: it completes before what follows, or is rejected after.
  await tx
    .updateTable('auth.credentials')
    .set({ sign_in_generation: sql<number>`sign_in_generation + 1` })
    .where('user_id', '=', userId)
    .execute()
  const kept = await tx
    .selectFrom('auth.access_sessions')
    .select(['token_sha256', 'grant_id'])
    .where('user_id', '=', userId)
    .where('token_id', '=', exceptTokenId ?? 0)
    .executeTakeFirst()
  const keptToken = exceptTokenId ?? 0
  const keptGrant = kept?.grant_id ?? ''
  const ofUser = sql<boolean>`payload->>'accountId' = ${String(userId)} and payload ? 'accountId'`
  await endInteractionsIn(tx, userId)
  // Browsers first, then grants, as in deleteGrantRows, so that the next statements find tokens issued meanwhile.
  await tx.deleteFrom('auth.provider_records').where('kind', '=', 'Session').where(ofUser).execute()
  await tx
    .deleteFrom('auth.provider_records')
    .where('kind', '=', 'Grant')
    .where(ofUser)
    .where('id_sha256', '!=', sha256(keptGrant))
    .execute()
  await tx
    .deleteFrom('auth.access_sessions')
    .where('user_id', '=', userId)
    .where('token_id', '!=', keptToken)
    .where(sql<boolean>`grant_id is distinct from ${keptGrant}`)
    .execute()
  // For staff, includes the sessions that they opened in accounts.
  await tx.deleteFrom('auth.access_sessions').where('support_staff_id', '=', userId).execute()
  const keptRecords = kept === undefined ? [] : [kept.token_sha256, sha256(keptGrant)]
  await tx
    .deleteFrom('auth.provider_records')
    .where(ofUser)
    .where(sql<boolean>`grant_id is distinct from ${keptGrant}`)
    .$if(keptRecords.length > 0, (records) => records.where('id_sha256', 'not in', keptRecords))
    .execute()
}

/** While it can be refreshed, a session is listed with its newest access token, expired or not. */
const mayStillBeRefreshed = sql<boolean>`exists (
  select from auth.provider_records r
   where r.kind = 'RefreshToken' and r.grant_id = access_sessions.grant_id
     and r.consumed_at is null and r.expires_at > now())
  and not exists (
  select from auth.access_sessions newer
   where newer.grant_id = access_sessions.grant_id and newer.token_id <> access_sessions.token_id
     and newer.created_at > access_sessions.created_at)`

/** Its tokens are gone, so it is unusable. One that begins now is visible to others before its tokens are. */
const isOverSession = sql<boolean>`last_seen_at < now() - interval '1 hour'
  and not exists (select from auth.provider_records r where r.kind = 'Session' and r.uid = session_uid)
  and not exists (select from auth.access_sessions a where a.session_id = user_sessions.session_id)
  and not exists (select from auth.provider_records r where r.kind = 'RefreshToken' and r.grant_id = user_sessions.grant_id)`

export async function sweep(db: Db): Promise<number> {
  const over = sql<boolean>`expires_at < now()`
  const gone = await Promise.all([
    db.plain.deleteFrom('auth.provider_records').where(over).executeTakeFirst(),
    db.plain
      .deleteFrom('auth.access_sessions')
      .where(over)
      .where(sql<boolean>`not (${mayStillBeRefreshed})`)
      .executeTakeFirst(),
    db.plain.deleteFrom('auth.user_sessions').where(isOverSession).executeTakeFirst(),
    db.plain
      .deleteFrom('auth.sign_in_history')
      .where(sql<boolean>`last_at < now() - ${SIGN_IN_DAYS} * interval '1 day'`)
      .executeTakeFirst(),
    db.plain
      .deleteFrom('auth.known_devices')
      .where(sql<boolean>`last_at < now() - interval '400 days'`)
      .executeTakeFirst(),
    db.plain.deleteFrom('email_changes').where(over).executeTakeFirst(),
    // Offered seeds that were never used.
    db.plain
      .deleteFrom('auth.two_factor')
      .where('enabled_at', 'is', null)
      .where('passkeys_since', 'is', null)
      .where(sql<boolean>`created_at < now() - interval '1 hour'`)
      .executeTakeFirst(),
    db.plain.deleteFrom('auth.passkey_challenges').where(over).executeTakeFirst(),
    db.plain.deleteFrom('auth.failures').where(sql<boolean>`window_ends_at < now()`).executeTakeFirst(),
  ])
  return gone.reduce((sum, result) => sum + Number(result.numDeletedRows), 0)
}

export interface TokenOwner {
  readonly userId: number
  readonly accountId: number
  readonly clientId: string
  /** Of a support session: who acts as that user. */
  readonly supportStaffId: number | undefined
  /** Of a guest of a public demo. */
  readonly isGuest: boolean
}

/** The user of that token, even if it has expired but its row still exists. */
export async function ownerOfToken(db: Db, hash: Buffer): Promise<TokenOwner | undefined> {
  const row = await db.plain
    .selectFrom('auth.access_sessions')
    .select(['user_id', 'account_id', 'client_id', 'support_staff_id', 'visitor'])
    .where('token_sha256', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id: userId, account_id: accountId, client_id: clientId, support_staff_id: staffId } = row
  return { userId, accountId, clientId, supportStaffId: staffId ?? undefined, isGuest: row.visitor }
}
