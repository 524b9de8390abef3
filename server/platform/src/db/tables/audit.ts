import type { DefaultedInstant, Instant } from '../instant.ts'
import type { JsonObject, Nullable, NullableJson, ReadOnly } from './column-kinds.ts'

export interface AuditLogTable {
  account_id: number
  audit_log_id: number
  at: DefaultedInstant
  user_id: Nullable<number>
  client_id: Nullable<string>
  action: string
  target_kind: Nullable<string>
  target_id: Nullable<number>
  before: NullableJson<JsonObject>
  after: NullableJson<JsonObject>
  address: Nullable<string>
  actor_name: Nullable<string>
  staff_id: Nullable<number>
  api_key_id: Nullable<number>
  salt: Nullable<Buffer>
}

export interface AuditUnsealedTable {
  position: ReadOnly<number>
  account_id: number
  audit_log_id: number
}

export interface AuditChainTable {
  account_id: number
  sequence: number
  audit_log_id: number
  checkpoint: number
  commitments: Buffer
  line_sha256: Buffer
  hash: Buffer
}

export interface AuditCheckpointsTable {
  number: number
  at: Instant
  line: string
}
