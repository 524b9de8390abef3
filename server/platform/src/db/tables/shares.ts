import type { Generated } from 'kysely'
import type { Instant, NullableInstant } from '../instant.ts'
import type { Nullable } from './column-kinds.ts'

/** Links to copies of footage; see the migration `shares`. */
export interface SharesTable {
  account_id: number
  share_id: number
  export_id: number
  user_id: number
  secret_sha256: Buffer
  password_hash: Nullable<Buffer>
  is_public: boolean
  name: Generated<string>
  created_at: Instant
  expires_at: Instant
  ended_at: NullableInstant
}

/** Each time that a share was opened. */
export interface ShareViewsTable {
  account_id: number
  ticket_sha256: Buffer
  share_id: number
  user_id: Nullable<number>
  token_sha256: Nullable<Buffer>
  address: string
  viewed_at: Instant
  expires_at: Instant
}
