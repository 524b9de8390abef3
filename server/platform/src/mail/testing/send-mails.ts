import { systemClock } from '../../clock/index.ts'
import type { TestDatabase } from '../../db-testing/index.ts'
import { runJobs } from '../../jobs/testing/index.ts'
import { silentLogger } from '../../log/index.ts'
import { type MailTaskDeps, mailTasks } from '../index.ts'

/** Sends what is in the outbox of that database and due. */
export async function sendMails(
  database: TestDatabase,
  given: Pick<MailTaskDeps, 'encryption' | 'deliver'> & Partial<MailTaskDeps>,
): Promise<void> {
  const tasks = mailTasks({ db: database.db('auth'), clock: systemClock, log: silentLogger, ...given })
  await runJobs(database.connection, tasks)
}
