import type { Instant, NullableInstant } from '../instant.ts'
import type { Nullable, NullableJson, ReadOnly } from './column-kinds.ts'

export interface InstallationTable {
  key: string
  value: string
}

export interface IdBlocksTable {
  name: string
  next: number
}

export interface SchemaMigrationsTable {
  name: ReadOnly<string>
  sha256: ReadOnly<string>
  applied_at: ReadOnly<number>
}

export interface IdempotencyKeysTable {
  account_id: number
  user_id: number
  key_sha256: Buffer
  request_sha256: Buffer
  claim_id: Nullable<string>
  claimed_until: NullableInstant
  reply_status: Nullable<number>
  reply_headers: NullableJson<Readonly<Record<string, string>>>
  reply_body: Nullable<string>
  expires_at: Instant
}
