import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'

/** The user's tokens that are still good, newest first. */
export const listTokens = (db: Db, userId: number, now: EpochMs) =>
  db.plain
    .selectFrom('auth.access_sessions')
    .select(['token_id', 'client_id', 'app_id', 'created_at', 'expires_at', 'address'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', instant(now))
    .orderBy('created_at', 'desc')
    .execute()

/** The hash of one of the user's own tokens; another's is as unknown as none. */
export async function findToken(db: Db, userId: number, tokenId: number): Promise<Buffer | undefined> {
  const row = await db.plain
    .selectFrom('auth.access_sessions')
    .select('token_sha256')
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return row?.token_sha256
}
