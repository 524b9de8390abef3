/** How far a file of footage can go: to the end of what one disk has of it (docs/decisions/0104). */
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { EDGE_MS, LONGEST_ROW, NO_RUN, type WantedFootage } from './footage-disk-store.ts'

/** Footage on a disk, an hour at most; times in milliseconds since 1970. */
export interface FootageSlice {
  readonly store: string
  readonly start: number
  readonly end: number
  /** When its run began: of two machines, the one that began later took the camera over. */
  readonly began: number
}

export interface WantedClip extends Omit<WantedFootage, 'time'> {
  readonly from: number
  readonly till: number
}

/** Until when one disk has the footage from a time on, in a span; the span's end if no other disk has footage of it. */
export async function findClipEnd({ plain }: Db, wanted: WantedClip): Promise<number> {
  const { accountId, cameraId, stream, from, till } = wanted
  const of = sql`r.account_id = ${accountId} and r.camera_id = ${cameraId} and r.stream = ${stream} and r.run_id <> ${NO_RUN}`
  const { rows } = await sql<{ store: string; started_at: number; ended_at: number; began: number }>`
    with slices as (
      select store, run_id, started_at, ended_at from recording_runs r
       where ${of} and started_at < ${instant(till)} and ended_at > ${instant(from)}
         and started_at > ${instant(from)}::timestamptz - ${LONGEST_ROW}::interval
    )
    select store, started_at, ended_at,
           (select min(started_at) from recording_runs r where ${of} and r.run_id = slices.run_id) as began
      from slices order by started_at`.execute(plain)
  const slices = rows.map((row) => ({ store: row.store, start: row.started_at, end: row.ended_at, began: row.began }))
  return clipEnd(slices, { from, till })
}

/** @param slices by their start. */
export function clipEnd(
  slices: readonly FootageSlice[],
  { from, till }: { readonly from: number; readonly till: number },
): number {
  const at = from + EDGE_MS
  const there = slices.filter(({ start, end }) => start <= at && end > at).toSorted((a, b) => b.began - a.began)
  const first = there[0] ?? slices.find(({ start }) => start > at)
  if (first === undefined) return till
  let { end } = first
  for (;;) {
    const later = slices.filter((slice) => slice.end > end)
    const own = later.find(({ store, start }) => store === first.store && start <= end + EDGE_MS)
    const next = own ?? later.find((slice) => slice.end > end + EDGE_MS)
    if (next === undefined || end >= till) return till
    if (next.store !== first.store) return end
    end = next.end
  }
}
