import type { Generated } from 'kysely'
import type { Instant, NullableInstant } from '../instant.ts'
import type { Nullable, NullableJson } from './column-kinds.ts'

/** Files of footage that are made in the background; see the migration `exports`. */
export interface ExportsTable {
  account_id: number
  export_id: number
  user_id: number
  camera_ids: readonly number[]
  started_at: Instant
  ended_at: Instant
  format: 'mp4' | 'zip'
  name: Generated<string>
  reason: Generated<string>
  password_sealed: Nullable<Buffer>
  has_password: boolean
  status: Generated<'Queued' | 'Created' | 'InProgress' | 'Done' | 'Failed'>
  progress: Generated<number>
  failure: Nullable<string>
  failure_detail: Nullable<string>
  created_at: Instant
  estimated_bytes: number
  attempt: Generated<number>
  key_sealed: Nullable<Buffer>
  has_sound: Nullable<boolean>
  sound: Nullable<'none' | 'kept' | 'encoded' | 'hidden' | 'replaced' | 'leftOut'>
  overlay: Generated<boolean>
  watermark: Nullable<string>
  logo: Generated<boolean>
  speed: Generated<number>
  exported_at: NullableInstant
  signer: Nullable<string>
  expires_at: NullableInstant
  size_bytes: Nullable<number>
  sha256: Nullable<Buffer>
  removed_at: NullableInstant
  is_shared: Generated<boolean>
  kept_until: NullableInstant
  /** Of an MP4 file: from and till of each. */
  gaps: NullableJson<readonly (readonly [number, number])[]>
}

/** Addresses of downloads. */
export interface ExportLinksTable {
  account_id: number
  ticket_sha256: Buffer
  export_id: number
  token_sha256: Buffer
  expires_at: Instant
  used_at: NullableInstant
}
