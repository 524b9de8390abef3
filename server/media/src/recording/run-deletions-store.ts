/** What deleting footage changes in the log of runs. */
import { instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { DeletedRange, DeletionReason, StreamKey } from './run-log.ts'

/** Replaces a run's id if there is no run: the row has no duration and says why no footage follows it. */
export const NO_RUN = '0'.repeat(32)

export interface RunDeletion {
  readonly stream: StreamKey
  readonly ranges: readonly DeletedRange[]
}

/** Why no footage follows, as rows say it; an erased account has no rows. */
const END_REASONS = {
  retention: 'deletedByRetention',
  quota: 'deletedByQuota',
  space: 'deletedForSpace',
  user: 'deletedByUser',
} as const satisfies Omit<Record<DeletionReason, string>, 'erasure'>

const isDeletion = (endReason: string): boolean => Object.values<string>(END_REASONS).includes(endReason)

/** A stream on one disk. */
type StreamOnDisk = StreamKey & { readonly disk: string }

const rowsOf = ({ accountId, cameraId, stream, disk }: StreamOnDisk) =>
  sql`account_id = ${accountId} and camera_id = ${cameraId} and stream = ${stream} and store = ${disk}`

interface ChangedSpan {
  readonly start: number
  readonly end: number
}

/**
 * Slices inside a deleted range are removed; others keep what is before and after it, with their bytes in proportion.
 * Returns where rows were changed.
 */
export async function applyDeletion(
  tx: Tx,
  { stream: key, ranges, disk }: RunDeletion & { readonly disk: string },
): Promise<readonly ChangedSpan[]> {
  const stream = { ...key, disk }
  const changed: ChangedSpan[] = [...ranges]
  for (const range of ranges) {
    await splitAround(tx, stream, range)
    const ended = await removeInside(tx, stream, range)
    await shorten(tx, stream, range)
    if (range.reason === 'erasure') continue
    changed.push(...(await markGap(tx, stream, range, END_REASONS[range.reason])))
    if (range.reason === 'user' && ended !== undefined) await markEnd(tx, stream, ended)
  }
  return changed
}

/** A slice that contains the whole range becomes two. */
async function splitAround(tx: Tx, stream: StreamOnDisk, range: DeletedRange): Promise<void> {
  const [start, end] = [instant(range.start), instant(range.end)]
  await sql`
    with head as (
      select * from recording_runs
       where ${rowsOf(stream)} and started_at < ${start} and started_at > ${start}::timestamptz - interval '2 hours'
         and ended_at > ${end}
    ), shares as (
      select h.run_id, h.started_at,
             (bytes * extract(epoch from ${start} - h.started_at) / extract(epoch from ended_at - h.started_at))::bigint as before,
             (bytes * extract(epoch from ended_at - ${end}) / extract(epoch from ended_at - h.started_at))::bigint as after
        from head h
    ), tail as (
      insert into recording_runs
             (account_id, camera_id, stream, run_id, started_at, ended_at, is_open, kind, store, bytes, end_reason)
      select h.account_id, h.camera_id, h.stream, h.run_id, ${end}, h.ended_at, h.is_open, h.kind, h.store, s.after, h.end_reason
        from head h join shares s on s.run_id = h.run_id and s.started_at = h.started_at
      on conflict do nothing
    )
    update recording_runs r set ended_at = ${start}, is_open = false, end_reason = null, bytes = s.before
      from shares s
     where ${rowsOf(stream)} and r.run_id = s.run_id and r.started_at = s.started_at`.execute(tx)
}

interface EndedRun {
  readonly end: number
  readonly why: string
}

/** Returns the end of the last run that was removed, if that was its end. */
async function removeInside(tx: Tx, stream: StreamOnDisk, range: DeletedRange): Promise<EndedRun | undefined> {
  const { rows } = await sql<{ ended_at: number; end_reason: string | null }>`
    delete from recording_runs
     where ${rowsOf(stream)} and started_at >= ${instant(range.start)} and ended_at <= ${instant(range.end)}
     returning ended_at, end_reason`.execute(tx)
  const last = rows.toSorted((a, b) => a.ended_at - b.ended_at).at(-1)
  return last?.end_reason == null || isDeletion(last.end_reason)
    ? undefined
    : { end: last.ended_at, why: last.end_reason }
}

async function shorten(tx: Tx, stream: StreamOnDisk, range: DeletedRange): Promise<void> {
  const [start, end] = [instant(range.start), instant(range.end)]
  await sql`
    update recording_runs set started_at = ${end}, bytes = greatest(bytes - ${range.bytes}, 0)
     where ${rowsOf(stream)} and started_at >= ${start} and started_at < ${end} and ended_at > ${end}`.execute(tx)
  await sql`
    update recording_runs set ended_at = ${start}, is_open = false, end_reason = null,
           bytes = (bytes * extract(epoch from ${start} - started_at) / extract(epoch from ended_at - started_at))::bigint
     where ${rowsOf(stream)} and started_at < ${start} and started_at > ${start}::timestamptz - interval '2 hours'
       and ended_at > ${start} and ended_at <= ${end}`.execute(tx)
}

/**
 * Writes down why there is a gap. Nothing is missing before the first footage, so that is no gap; deletions that follow
 * each other have one row. Returns the rows that were removed outside of the range.
 */
async function markGap(
  tx: Tx,
  stream: StreamOnDisk,
  range: DeletedRange,
  why: string,
): Promise<readonly ChangedSpan[]> {
  const start = instant(range.start)
  const { rows } = await sql<{ run_id: string; ended_at: number; end_reason: string | null; footage: boolean }>`
    select run_id, ended_at, end_reason,
           exists (select from recording_runs where ${rowsOf(stream)} and started_at < ${start} and run_id <> ${NO_RUN}) as footage
      from recording_runs where ${rowsOf(stream)} and started_at < ${start} order by started_at desc, ended_at desc limit 1`.execute(
    tx,
  )
  const [before] = rows
  if (before?.footage !== true) {
    const removed = await sql<{ started_at: number }>`
      delete from recording_runs
       where ${rowsOf(stream)} and run_id = ${NO_RUN} and started_at <= ${instant(range.end)}
         and end_reason = any (${Object.values(END_REASONS)})
       returning started_at`.execute(tx)
    return removed.rows.map(({ started_at }) => ({ start: started_at, end: started_at }))
  }
  if (before.ended_at < range.end && !(before.run_id === NO_RUN && before.end_reason === why)) {
    await insertMark(tx, stream, { end: Math.max(range.start, before.ended_at), why })
  }
  return []
}

/** What was missing after a run that a user deleted is missing for its own reason. */
async function markEnd(tx: Tx, stream: StreamOnDisk, ended: EndedRun): Promise<void> {
  const { rows } = await sql`
    select from recording_runs
     where ${rowsOf(stream)} and started_at between ${instant(ended.end)} and ${instant(ended.end + 100)}`.execute(tx)
  if (rows.length === 0) await insertMark(tx, stream, ended)
}

async function insertMark(
  tx: Tx,
  { accountId, cameraId, stream, disk }: StreamOnDisk,
  { end, why }: EndedRun,
): Promise<void> {
  await tx
    .insertInto('recording_runs')
    .values({
      account_id: accountId,
      camera_id: cameraId,
      stream,
      run_id: NO_RUN,
      store: disk,
      started_at: instant(end),
      ended_at: instant(end),
      is_open: false,
      end_reason: why,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'camera_id', 'stream', 'run_id', 'started_at'])
        .doUpdateSet((eb) => ({ end_reason: eb.ref('excluded.end_reason') })),
    )
    .execute()
}
