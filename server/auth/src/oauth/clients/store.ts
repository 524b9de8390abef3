import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'
import { deleteClientTokens } from '../../sessions/index.ts'
import type { ApiKeyFacts, ClientScope, RegisteredClient } from './registered-client.ts'

const query = (db: Db) => db.plain.selectFrom('auth.clients').selectAll()
type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

const toClient = (row: Row): RegisteredClient => ({
  clientId: row.client_id,
  kind: row.kind,
  name: row.name,
  secretSha256: row.secret_sha256 ?? undefined,
  redirectUris: row.redirect_uris,
  loggedOutUris: row.logged_out_uris,
  // The table's check allows no others.
  scopes: row.scopes as readonly ClientScope[],
  passwordGrant: row.password_grant,
  legacyTokenCallback: row.legacy_token_callback,
  resellerId: row.reseller_id ?? undefined,
  userId: row.user_id ?? undefined,
  apiKey: row.api_key_id === null ? undefined : apiKeyFacts(row, row.api_key_id),
})

function apiKeyFacts(row: Row, apiKeyId: number): ApiKeyFacts {
  const { allowed_addresses: allowedAddresses, previous_secret_sha256: sha256, previous_secret_until: until } = row
  const facts = { apiKeyId, allowedAddresses }
  return sha256 === null || until === null
    ? facts
    : { ...facts, previousSecret: { sha256: sha256.toString('hex'), until } }
}

/** Expired keys don't count. */
export async function findClient(db: Db, clientId: string): Promise<RegisteredClient | undefined> {
  const row = await query(db)
    .where('client_id', '=', clientId)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .executeTakeFirst()
  return row === undefined ? undefined : toClient(row)
}

/** The clients that the operator registered. */
export async function listClients(db: Db): Promise<readonly RegisteredClient[]> {
  return (await query(db).where('api_key_id', 'is', null).orderBy('client_id').execute()).map(toClient)
}

/** The redirect addresses of clients that run in browsers. */
export async function redirectUrisInBrowsers(db: Db): Promise<readonly string[]> {
  const rows = await db.plain.selectFrom('auth.clients').select('redirect_uris').where('kind', '=', 'browser').execute()
  return rows.flatMap((row) => row.redirect_uris)
}

/** False if the id is in use. Runs under the role `owner`, like everything below. */
export async function addClient(db: Db, client: Omit<RegisteredClient, 'apiKey'>): Promise<boolean> {
  const added = await db.plain
    .insertInto('auth.clients')
    .values({
      client_id: client.clientId,
      kind: client.kind,
      name: client.name,
      secret_sha256: client.secretSha256 ?? null,
      redirect_uris: [...client.redirectUris],
      logged_out_uris: [...client.loggedOutUris],
      scopes: [...client.scopes],
      password_grant: client.passwordGrant,
      legacy_token_callback: client.legacyTokenCallback,
      reseller_id: client.resellerId ?? null,
      user_id: client.userId ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('client_id')
    .executeTakeFirst()
  return added !== undefined
}

export interface SecretChange {
  readonly clientId: string
  readonly sha256: Buffer
  /** Ends tokens if the old secret may have leaked; otherwise they stay valid. */
  readonly endTokens: boolean
}

/** False if no such confidential client exists. The previous secret stops working at once. */
export async function replaceSecret(db: Db, { clientId, sha256, endTokens }: SecretChange): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .updateTable('auth.clients')
      .set({ secret_sha256: sha256 })
      .where('client_id', '=', clientId)
      .where('kind', '=', 'confidential')
      .returning('client_id')
      .executeTakeFirst()
    if (changed === undefined) return false
    if (endTokens) await deleteClientTokens(tx, clientId)
    return true
  })
}

/** Removes the client with its tokens and consents; false if it doesn't exist. */
export async function removeClient(db: Db, clientId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await tx
      .deleteFrom('auth.clients')
      .where('client_id', '=', clientId)
      .returning('client_id')
      .executeTakeFirst()
    if (removed === undefined) return false
    await deleteClientTokens(tx, clientId)
    return true
  })
}
