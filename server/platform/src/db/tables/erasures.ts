import type { Instant, NullableInstant } from '../instant.ts'
import type { ReadOnly } from './column-kinds.ts'

export interface ErasuresTable {
  /** The account's id if the whole account is erased. */
  user_id: number
  account_id: number
  removed_at: Instant
  /** Their log entries stay until then. */
  erase_after: Instant
  sign_in_erased_at: NullableInstant
  log_erased_at: NullableInstant
  /** Set only for whole accounts. */
  footage_erased_at: NullableInstant
}

export interface ErasedPeopleView {
  user_id: ReadOnly<number>
  account_id: ReadOnly<number>
  erase_after: ReadOnly<number>
}
