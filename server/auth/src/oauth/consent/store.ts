import type { Clock, EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

export interface ConsentKey {
  readonly userId: number
  readonly clientId: string
}

/** The scopes that the user has granted the client; empty without consent. */
export async function consentedScopes(db: Db, { userId, clientId }: ConsentKey): Promise<readonly string[]> {
  const row = await db.plain
    .selectFrom('auth.consents')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.scopes ?? []
}

/** Adds a consent to the earlier ones. */
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

export interface ConsentRow {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly given_at: EpochMs
  readonly last_used_at: EpochMs | null
}

/** All applications that the user connected, by name. Last use comes from sessions that are still stored. */
export async function listConsents(db: Db, userId: number): Promise<readonly ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select c.client_id, c.name, k.scopes, k.given_at,
           (select max(greatest(a.created_at, s.last_seen_at))
              from auth.access_sessions a
              left join auth.user_sessions s on s.session_id = a.session_id and s.client_id = a.client_id
             where a.user_id = k.user_id and a.client_id = k.client_id) as last_used_at
      from auth.consents k
      join auth.clients c on c.client_id = k.client_id
     where k.user_id = ${userId}
     order by lower(c.name), c.client_id`.execute(db.plain)
  return rows
}

/** False if it doesn't exist. Waits for an authorization that relies on it. */
export async function removeConsent(tx: Tx, { userId, clientId }: ConsentKey): Promise<boolean> {
  const removed = await tx
    .deleteFrom('auth.consents')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return removed.numDeletedRows > 0n
}

/** Whether that user still allows that client; locked until the transaction ends. */
export async function holdConsent(tx: Tx, { userId, clientId }: ConsentKey): Promise<boolean> {
  const row = await tx
    .selectFrom('auth.consents')
    .select('client_id')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}
