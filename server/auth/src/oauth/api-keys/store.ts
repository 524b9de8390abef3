import type { ApiKeyScope } from '@sightline/contract/api-keys'
import type { ScopedReseller } from '@sightline/contract/rights'
import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, isCheckViolation, isUniqueViolation, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { KeySecret, KeySettings, StoredKey } from './rules.ts'

const query = (from: Pick<Db['plain'], 'selectFrom'>, organisationId: number) =>
  from
    .selectFrom('auth.clients as k')
    .leftJoin('auth.people as p', 'p.user_id', 'k.user_id')
    .selectAll('k')
    .select('p.name as user_name')
    .where('k.account_id', '=', organisationId)
    .where('k.api_key_id', 'is not', null)

type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

function toKey(row: Row): StoredKey {
  const { api_key_id, user_id, secret_sha256, previous_secret_sha256: sha256, previous_secret_until: until } = row
  // The table's checks allow no other.
  if (api_key_id === null || user_id === null || secret_sha256 === null) {
    throw new Error(`client ${row.client_id} is an incomplete API key`)
  }
  return {
    apiKeyId: api_key_id,
    clientId: row.client_id,
    name: row.name,
    scopes: row.scopes as readonly ApiKeyScope[],
    provisioning: row.provisioning,
    expiresAt: row.expires_at,
    allowedAddresses: row.allowed_addresses,
    userId: user_id,
    userName: row.user_name ?? '',
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    secret: {
      sha256: secret_sha256,
      isUsed: row.secret_used,
      previous: sha256 === null || until === null ? undefined : { sha256, until },
    },
  }
}

/** Keys of an account or a reseller, expired or not. */
export async function listKeys(db: Db, organisationId: number): Promise<readonly StoredKey[]> {
  return (await query(db.plain, organisationId).orderBy('k.name').execute()).map(toKey)
}

export interface ApiKeyRef {
  readonly organisationId: number
  readonly apiKeyId: number
}

/** Locks the key until the transaction ends. */
export async function lockKey(tx: Tx, { organisationId, apiKeyId }: ApiKeyRef): Promise<StoredKey | undefined> {
  const row = await query(tx, organisationId).where('k.api_key_id', '=', apiKeyId).forUpdate('k').executeTakeFirst()
  return row === undefined ? undefined : toKey(row)
}

export async function findKey(db: Db, { organisationId, apiKeyId }: ApiKeyRef): Promise<StoredKey | undefined> {
  const row = await query(db.plain, organisationId).where('k.api_key_id', '=', apiKeyId).executeTakeFirst()
  return row === undefined ? undefined : toKey(row)
}

const settingsRow = ({ name, scopes, provisioning, expiresAt, allowedAddresses }: KeySettings) => ({
  name,
  scopes: [...scopes],
  provisioning,
  expires_at: expiresAt === null ? null : instant(expiresAt),
  allowed_addresses: [...allowedAddresses],
})

export interface NewKey extends ApiKeyRef {
  readonly clientId: string
  readonly userId: number
  readonly secretSha256: Buffer
  readonly settings: KeySettings
  readonly createdAt: EpochMs
}

/** The violated constraint of the key table; undefined for other errors. */
export function tableProblem(error: unknown): 'nameIsTaken' | 'tooMany' | undefined {
  if (isUniqueViolation(error, 'api_keys_by_name')) return 'nameIsTaken'
  return isCheckViolation(error, 'limit_of_api_keys') ? 'tooMany' : undefined
}

/** @throws errors that {@link tableProblem} recognizes. */
export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx
    .insertInto('auth.clients')
    .values({
      client_id: key.clientId,
      kind: 'confidential',
      secret_sha256: key.secretSha256,
      redirect_uris: [],
      logged_out_uris: [],
      password_grant: false,
      legacy_token_callback: false,
      api_key_id: key.apiKeyId,
      account_id: key.organisationId,
      user_id: key.userId,
      created_by: key.userId,
      created_at: instant(key.createdAt),
      ...settingsRow(key.settings),
    })
    .execute()
}

/** @throws errors that {@link tableProblem} recognizes. */
export async function saveSettings(tx: Tx, apiKeyId: number, settings: KeySettings): Promise<void> {
  await tx.updateTable('auth.clients').set(settingsRow(settings)).where('api_key_id', '=', apiKeyId).execute()
}

export async function saveSecret(tx: Tx, apiKeyId: number, { sha256, isUsed, previous }: KeySecret): Promise<void> {
  await tx
    .updateTable('auth.clients')
    .set({
      secret_sha256: sha256,
      secret_used: isUsed,
      previous_secret_sha256: previous?.sha256 ?? null,
      previous_secret_until: previous === undefined ? null : instant(previous.until),
    })
    .where('api_key_id', '=', apiKeyId)
    .execute()
}

export async function removeKey(tx: Tx, apiKeyId: number): Promise<void> {
  await tx.deleteFrom('auth.clients').where('api_key_id', '=', apiKeyId).execute()
}

export async function findReseller(db: Db, resellerId: number): Promise<ScopedReseller | undefined> {
  const row = await db.plain
    .selectFrom('resellers')
    .select(['reseller_id', 'distributor_id'])
    .where('reseller_id', '=', resellerId)
    .executeTakeFirst()
  return row === undefined ? undefined : { resellerId: row.reseller_id, distributorId: row.distributor_id }
}

export interface KeyUse {
  readonly clientId: string
  /** By the present secret, not by the one before it. */
  readonly isPresentSecret: boolean
  readonly at: EpochMs
}

/** Records, to the minute, when a key last got a token; repeats within a minute write nothing. */
export async function noteKeyUse(db: Db, { clientId, isPresentSecret, at }: KeyUse): Promise<void> {
  const minute = instant(at - (at % 60_000))
  await db.plain
    .updateTable('auth.clients')
    .set({ last_used_at: minute, secret_used: sql<boolean>`secret_used or ${isPresentSecret}` })
    .where('client_id', '=', clientId)
    .where('api_key_id', 'is not', null)
    .where(sql<boolean>`last_used_at is distinct from ${minute} or secret_used < ${isPresentSecret}`)
    .execute()
}
