/** On which disk footage lies: each machine keeps what it recorded (docs/decisions/0102). */
import type { StreamName } from '@sightline/contract/streams'
import { type Db, instant, matchAny } from '@sightline/platform/db'
import { sql } from 'kysely'
import { clipEnd, EDGE_MS } from './clip-end.ts'

export interface WantedFootage {
  readonly accountId: number
  readonly cameraId: number
  readonly stream: StreamName
  /** Milliseconds since 1970. */
  readonly time: number
}

/** Stands for a run where there is none. */
const NO_RUN = '0'.repeat(32)
/** A row is one hour and one part long at most. */
const LONGEST_ROW = '2 hours'

/**
 * The disk with the footage of a time, or else with the next footage after it; undefined if there is none. If two machines
 * recorded the same time, the one that began later: it took the camera over, so its fence is the higher one.
 */
export async function findDisk({ plain }: Db, wanted: WantedFootage): Promise<string | undefined> {
  const { accountId, cameraId, stream, time } = wanted
  const of = sql`r.account_id = ${accountId} and r.camera_id = ${cameraId} and r.stream = ${stream} and r.run_id <> ${NO_RUN}`
  const at = instant(time + EDGE_MS)
  const { rows } = await sql<{ store: string }>`
    with there as (
      select store, run_id from recording_runs r
       where ${of} and started_at <= ${at} and started_at > ${at}::timestamptz - ${LONGEST_ROW}::interval and ended_at > ${at}
    ), first as (
      select store, (select min(started_at) from recording_runs r where ${of} and r.run_id = there.run_id) as began from there
    ), next as (
      select store from recording_runs r where ${of} and started_at > ${at} order by started_at limit 1
    )
    select store from (select store, 1 as rank, began from first union all select store, 2, null from next) as found
     order by rank, began desc limit 1`.execute(plain)
  return rows[0]?.store
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

/** Whether a disk has footage of a camera. */
export async function hasFootage({ plain }: Db, cameraId: number, disk: string): Promise<boolean> {
  const row = await plain
    .selectFrom('recording_runs')
    .innerJoin('cameras', (join) =>
      join
        .onRef('cameras.account_id', '=', 'recording_runs.account_id')
        .onRef('cameras.camera_id', '=', 'recording_runs.camera_id'),
    )
    .select('recording_runs.run_id')
    .where('recording_runs.camera_id', '=', matchAny([cameraId]))
    .where('recording_runs.store', '=', disk)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What a viewer's credential is for. */
export interface FootageAddress {
  readonly cameraId: number
  /** Of a ticket; without one, `time` decides. */
  readonly ticketSha256: Buffer | undefined
  readonly time: number | undefined
  readonly stream: StreamName | undefined
}

/** The footage that a viewer wants to play; undefined for live video, and for what no credential allows. */
export async function findWantedFootage(
  { plain }: Db,
  { cameraId, ticketSha256, time, stream }: FootageAddress,
  now: number,
): Promise<WantedFootage | undefined> {
  if (ticketSha256 !== undefined) {
    const ticket = await plain
      .selectFrom('stream_tickets')
      .select(['account_id', 'camera_id', 'use', 'stream', 'from_at'])
      .where('ticket_sha256', '=', ticketSha256)
      .executeTakeFirst()
    if (ticket === undefined || ticket.camera_id !== cameraId) return undefined
    const isSnapshot = ticket.use === 'snapshot' && ticket.from_at !== null
    if (ticket.use !== 'playback' && ticket.use !== 'mp4' && !isSnapshot) return undefined
    const { account_id: accountId } = ticket
    return { accountId, cameraId, stream: stream ?? ticket.stream ?? 'main', time: time ?? ticket.from_at ?? now }
  }
  if (time === undefined) return undefined
  const camera = await plain
    .selectFrom('cameras')
    .select('account_id')
    .where('camera_id', '=', matchAny([cameraId]))
    .executeTakeFirst()
  return camera && { accountId: camera.account_id, cameraId, stream: stream ?? 'main', time }
}
