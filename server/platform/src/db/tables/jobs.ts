import type { Instant } from '../instant.ts'
import type { JsonObject, ReadOnly } from './column-kinds.ts'

export interface JobTasksTable {
  task: ReadOnly<string>
  enqueued_by: ReadOnly<readonly string[]>
  max_attempts: ReadOnly<number>
}

export interface JobWorkersTable {
  worker: string
  seen_at: Instant
}

/** The queue in the provider's scope; empty in any other. */
export interface AdministeredJobsView {
  job_id: number
  task: string
  payload: JsonObject
  state: JobState
  /** Recreated by the process that runs it. */
  is_recurring: boolean
  attempts: number
  max_attempts: number
  created_at: Instant
  run_at: Instant
  last_error: string | null
}

type JobState = 'waiting' | 'running' | 'retrying' | 'failed'
