import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'

/**
 * The user's valid sign-ins, newest first. A refreshable sign-in is listed once, with the newest of its access tokens
 * and the validity of its refresh token. Excludes support sessions (support-sessions/) and visits of a demo.
 */
export async function listTokens(db: Db, caller: { readonly userId: number; readonly tokenId: number }, now: EpochMs) {
  const { rows } = await sql<ListedToken>`
    select token_id, client_id, app_id, created_at, address, expires_at, current from (
      select distinct on (coalesce(s.grant_id, s.token_id::text))
             s.token_id, s.client_id, s.app_id, s.address,
             min(s.created_at) over family as created_at,
             bool_or(s.token_id = ${caller.tokenId}) over family as current,
             greatest(s.expires_at, refresh.expires_at) as expires_at
        from auth.access_sessions s
        left join auth.provider_records refresh
          on refresh.kind = 'RefreshToken' and refresh.grant_id = s.grant_id and refresh.consumed_at is null
       where s.user_id = ${caller.userId} and s.support_staff_id is null and not s.visitor
      window family as (partition by coalesce(s.grant_id, s.token_id::text))
       order by coalesce(s.grant_id, s.token_id::text), s.created_at desc, s.token_id desc) newest
     where expires_at > ${instant(now)}
     order by created_at desc`.execute(db.plain)
  return rows
}

interface ListedToken {
  readonly token_id: number
  readonly client_id: string
  readonly app_id: string
  readonly address: string | null
  readonly created_at: EpochMs
  readonly expires_at: EpochMs
  /** Is the caller's token this one, or an earlier one of the same sign-in? */
  readonly current: boolean
}

/** The hash of one of the user's own tokens; another user's is reported as not found. */
export async function findToken(db: Db, userId: number, tokenId: number): Promise<Buffer | undefined> {
  const row = await db.plain
    .selectFrom('auth.access_sessions')
    .select('token_sha256')
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .where('support_staff_id', 'is', null)
    .where('visitor', '=', false)
    .executeTakeFirst()
  return row?.token_sha256
}
