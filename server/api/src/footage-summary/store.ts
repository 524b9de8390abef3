import { instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { SpanShare, SummarySpan } from './rules.ts'

export interface WantedSummary extends SummarySpan {
  readonly accountId: number
  readonly cameraId: number
}

/** A row is one hour of footage at most. */
const LONGEST_ROW_MS = 2 * 3_600_000

/** Whether anything of a camera was recorded in a time. */
export async function hasFootage(tx: Tx, of: WantedSummary): Promise<boolean> {
  const found = await tx
    .selectFrom('recording_runs')
    .select('camera_id')
    .where('account_id', '=', of.accountId)
    .where('camera_id', '=', of.cameraId)
    .where('started_at', '>', instant(of.from - LONGEST_ROW_MS))
    .where('started_at', '<', instant(of.till))
    .where('ended_at', '>', instant(of.from))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How much was recorded in each of the spans. */
export async function readShares(
  tx: Tx,
  { accountId, cameraId }: WantedSummary,
  spans: readonly SummarySpan[],
): Promise<readonly SpanShare[]> {
  const shares: SpanShare[] = []
  for (const { from, till } of spans) {
    const { rows } = await sql<{ ms: number }>`
      select coalesce(sum(extract(epoch from least(ended_at, ${instant(till)}) - greatest(started_at, ${instant(from)}))), 0)::float8 * 1000 as ms
        from recording_runs
       where account_id = ${accountId} and camera_id = ${cameraId} and stream = 'main'
         and started_at > ${instant(from - LONGEST_ROW_MS)} and started_at < ${instant(till)} and ended_at > ${instant(from)}`.execute(
      tx,
    )
    shares.push({ from, till, recordedMs: Math.round(rows[0]?.ms ?? 0) })
  }
  return shares
}
