import type { Clock } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'

export interface ConsentKey {
  readonly userId: number
  readonly clientId: string
}

/** The scopes for which that person has let that client in; none where they never have. */
export async function consentedScopes(db: Db, { userId, clientId }: ConsentKey): Promise<readonly string[]> {
  const row = await db.plain
    .selectFrom('auth.consents')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.scopes ?? []
}

/** Remembers a consent beside what was allowed before. */
export async function saveConsent(
  db: Db,
  clock: Clock,
  given: ConsentKey & { readonly scopes: readonly string[] },
): Promise<void> {
  const given_at = instant(clock.now())
  await db.plain
    .insertInto('auth.consents')
    .values({ user_id: given.userId, client_id: given.clientId, scopes: [...given.scopes], given_at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id']).doUpdateSet({
        scopes: sql<string[]>`array(select distinct unnest(auth.consents.scopes || excluded.scopes) order by 1)`,
        given_at,
      }),
    )
    .execute()
}
