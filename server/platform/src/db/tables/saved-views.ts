import type { DefaultedInstant } from '../instant.ts'
import type { Json, Nullable } from './column-kinds.ts'

/** Camera groups, sequences and layouts; see the migration `saved-views`. */
export interface SavedViewsTable {
  account_id: number
  saved_view_id: number
  kind: 'cameraGroup' | 'sequence' | 'layout'
  user_id: Nullable<number>
  name: string
  content: Json<unknown>
  created_at: DefaultedInstant
}
