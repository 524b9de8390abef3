import type { Generated } from 'kysely'
import type { DefaultedInstant, Instant, NullableInstant } from '../instant.ts'
import type { DefaultedJson, Nullable, ReadOnly } from './column-kinds.ts'

/** What happened at cameras, in zones and accounts; a partition per month of `at`. */
export interface EventsTable {
  account_id: number
  event_id: Generated<number>
  at: Instant
  ended_at: NullableInstant
  written_at: DefaultedInstant
  type: string
  source_kind: 'camera' | 'device' | 'user' | 'system'
  source_id: Nullable<number>
  source_name: string
  camera_id: Nullable<number>
  zone_id: Nullable<number>
  data: DefaultedJson<Readonly<Record<string, string>>>
  is_read: Generated<boolean>
  is_bookmarked: Generated<boolean>
  note: Generated<string>
  once_key: string
  position: ReadOnly<number>
}
