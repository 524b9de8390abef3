import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type Arranger, HOUR_MS, type TreeIds } from './arrange.ts'

/** A queued job about an account, for an email that does not exist; due in an hour. */
export async function addJob(
  { owner, canaries }: Arranger,
  { accountId }: Pick<TreeIds, 'accountId'>,
): Promise<number> {
  const payload = JSON.stringify({ accountId, mailId: 1 })
  await sql`select enqueue_job('sendMail', ${payload}::jsonb, null, ${instant(Date.now() + HOUR_MS)})`.execute(owner)
  const { rows } = await sql<{ id: number }>`select max(id) as id from graphile_worker._private_jobs`.execute(owner)
  const id = rows[0]?.id ?? 0
  canaries.mark({ kind: 'job', id })
  return id
}
