import type { EpochMs } from '../clock/index.ts'
import type { Tx } from '../db/index.ts'
import { insertJob } from './jobs-store.ts'
import type { JobPayloads, TaskName } from './tasks.ts'

export interface NewJob<Name extends TaskName> {
  readonly task: Name
  readonly payload: JobPayloads[Name]
  /** One job of the task with that key at a time: while it waits, runs or has failed for good, no other is added. */
  readonly jobKey?: string
  /** Defaults to now. */
  readonly runAt?: EpochMs
}

/**
 * Adds a job in the caller's transaction: both are stored, or neither.
 *
 * @throws if the transaction's role can't enqueue that task.
 */
export const enqueue = <Name extends TaskName>(tx: Tx, { task, payload, jobKey, runAt }: NewJob<Name>): Promise<void> =>
  insertJob(tx, { task, payload, jobKey, runAt })
