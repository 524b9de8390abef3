import type { Db, Tx } from '@sightline/platform/db'
import { tokenSha256 as sha256 } from '@sightline/platform/sessions'
import { sql } from 'kysely'

/** What ended; open streams and remembered answers are dropped by it. */
export interface Revocation {
  readonly userId?: number
  readonly tokenSha256?: Buffer
}
export type OnRevoked = (revocation: Revocation) => void

/** Kinds of provider records that are, or lead to, a token. */
const TOKEN_KINDS = ['AccessToken', 'RefreshToken', 'AuthorizationCode']

export interface Sessions {
  /** Ends the token, and what was granted together with it; false where there is no such token. */
  endToken(hash: Buffer): Promise<boolean>
  /** Everything that one authorization gave out. */
  endGrant(grantId: string): Promise<void>
  /** One browser's sign-in with every token that came from it. */
  endSignIn(sessionUid: string): Promise<void>
  /** Every token and sign-in of a user, except that token. */
  endUser(userId: number, exceptTokenId?: number): Promise<void>
  /** Forgets what is over. Returns how many rows went. */
  sweep(): Promise<number>
}

/** Ends tokens and sign-ins; each change is one transaction, and is told after it is durable. */
export function sessions(db: Db, onRevoked: OnRevoked): Sessions {
  const tell = (ended: readonly Buffer[]): void => {
    for (const tokenSha256 of ended) onRevoked({ tokenSha256 })
  }
  return {
    async endToken(hash) {
      const ended = await db.transaction(async (tx) => {
        const row = await tx
          .deleteFrom('auth.access_sessions')
          .where('token_sha256', '=', hash)
          .returning('grant_id')
          .executeTakeFirst()
        await tx
          .deleteFrom('auth.provider_records')
          .where('kind', '=', 'AccessToken')
          .where('id_sha256', '=', hash)
          .execute()
        if (row === undefined) return undefined
        return row.grant_id === null ? [hash] : [hash, ...(await endGrantIn(tx, row.grant_id))]
      })
      tell(ended ?? [])
      return ended !== undefined
    },
    async endGrant(grantId) {
      tell(await db.transaction((tx) => endGrantIn(tx, grantId)))
    },
    async endSignIn(sessionUid) {
      tell(await db.transaction((tx) => endSignInIn(tx, sessionUid)))
    },
    async endUser(userId, exceptTokenId) {
      await db.transaction((tx) => endUserIn(tx, userId, exceptTokenId))
      onRevoked({ userId })
    },
    sweep: () => sweep(db),
  }
}

async function endGrantIn(tx: Tx, grantId: string): Promise<Buffer[]> {
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

async function endSignInIn(tx: Tx, sessionUid: string): Promise<Buffer[]> {
  const records = await tx
    .deleteFrom('auth.provider_records')
    .where('uid', '=', sessionUid)
    .returning(['kind', 'id_sha256'])
    .execute()
  const hashes = records.filter((row) => row.kind === 'AccessToken').map((row) => row.id_sha256)
  if (hashes.length === 0) return []
  const tokens = await tx
    .deleteFrom('auth.access_sessions')
    .where('token_sha256', 'in', hashes)
    .returning('token_sha256')
    .execute()
  return tokens.map((row) => row.token_sha256)
}

async function endUserIn(tx: Tx, userId: number, exceptTokenId: number | undefined): Promise<void> {
  const kept = await tx
    .selectFrom('auth.access_sessions')
    .select(['token_sha256', 'grant_id'])
    .where('user_id', '=', userId)
    .where('token_id', '=', exceptTokenId ?? 0)
    .executeTakeFirst()
  await tx
    .deleteFrom('auth.access_sessions')
    .where('user_id', '=', userId)
    .where('token_id', '!=', exceptTokenId ?? 0)
    .execute()
  const keptRecords =
    kept === undefined ? [] : [kept.token_sha256, ...(kept.grant_id === null ? [] : [sha256(kept.grant_id)])]
  await tx
    .deleteFrom('auth.provider_records')
    .where(sql<string>`payload->>'accountId'`, '=', String(userId))
    .$if(keptRecords.length > 0, (records) => records.where('id_sha256', 'not in', keptRecords))
    .execute()
}

async function sweep(db: Db): Promise<number> {
  const over = sql<boolean>`expires_at < now()`
  const gone = await Promise.all([
    db.plain.deleteFrom('auth.provider_records').where(over).executeTakeFirst(),
    db.plain.deleteFrom('auth.access_sessions').where(over).executeTakeFirst(),
    db.plain.deleteFrom('auth.failures').where(sql<boolean>`window_ends_at < now()`).executeTakeFirst(),
  ])
  return gone.reduce((sum, result) => sum + Number(result.numDeletedRows), 0)
}
