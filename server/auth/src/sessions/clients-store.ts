import type { Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/**
 * Ends what a client was granted. Its row was changed or deleted before, so nothing more is granted; the grants are
 * deleted first, so that this waits for every token that is being created. Returns the hashes of the ended access
 * tokens.
 */
export async function deleteClientTokens(tx: Tx, clientId: string): Promise<readonly Buffer[]> {
  const records = tx
    .deleteFrom('auth.provider_records')
    .where(sql<string>`payload->>'clientId'`, '=', clientId)
    .where(sql<boolean>`payload ? 'clientId'`)
  await records.where('kind', '=', 'Grant').execute()
  const ended = await tx
    .deleteFrom('auth.access_sessions')
    .where('client_id', '=', clientId)
    .returning('token_sha256')
    .execute()
  await records.execute()
  return ended.map((row) => row.token_sha256)
}

/** The same for one user, whose consent was removed before. */
export async function deleteUserClientTokens(
  tx: Tx,
  { userId, clientId }: { readonly userId: number; readonly clientId: string },
): Promise<readonly Buffer[]> {
  const records = tx
    .deleteFrom('auth.provider_records')
    .where(sql<boolean>`payload->>'accountId' = ${String(userId)} and payload ? 'accountId'`)
    .where(sql<boolean>`payload->>'clientId' = ${clientId} and payload ? 'clientId'`)
  await records.where('kind', '=', 'Grant').execute()
  const ended = await tx
    .deleteFrom('auth.access_sessions')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .returning('token_sha256')
    .execute()
  await records.execute()
  return ended.map((row) => row.token_sha256)
}
