import type { Instant } from '../instant.ts'
import type { ReadOnly } from './column-kinds.ts'

export interface JobTasksTable {
  task: ReadOnly<string>
  enqueued_by: ReadOnly<readonly string[]>
  max_attempts: ReadOnly<number>
}

export interface JobWorkersTable {
  worker: string
  seen_at: Instant
}
