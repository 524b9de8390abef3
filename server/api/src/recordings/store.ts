import { instant, matchAny, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { cutAtLocks, type Lock, type StoredRunSlice } from './rules.ts'
import type { StoredSums, Tail } from './sums.ts'

/** A row is one hour and one part long at most, so only rows that began shortly before a span can reach into it. */
const LONGEST_ROW_MS = 2 * 3_600_000

export interface CameraSpan {
  readonly accountId: number
  readonly cameraIds: readonly number[]
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
}

/** What a span shows of one camera. */
export interface SpanOfCamera {
  /** Oldest first. */
  readonly slices: readonly StoredRunSlice[]
  /** The last slice that ended at or before the span: why the span begins with a gap, if it does. */
  readonly before: { readonly end: number; readonly endReason: string | null } | undefined
}

const NOTHING: SpanOfCamera = { slices: [], before: undefined }

/**
 * Slices of footage of the cameras' main streams that touch the span. The queries are sent together, and are plain SQL:
 * building them takes as long as reading a day does.
 */
export async function loadSpans(tx: Tx, of: CameraSpan): Promise<(cameraId: number) => SpanOfCamera> {
  const [rows, before, locksOf] = await Promise.all([loadSlices(tx, of), loadPreviousSlices(tx, of), loadLocks(tx, of)])
  const slices = Map.groupBy(rows, (row) => row.camera_id)
  const spans = new Map(
    of.cameraIds.map((cameraId) => [
      cameraId,
      {
        before: before.get(cameraId),
        slices: (slices.get(cameraId) ?? []).flatMap((row) => {
          const slice = {
            start: row.started_at,
            end: row.ended_at,
            isOpen: row.is_open,
            type: row.kind,
            origin: row.origin,
            storage: row.store === 'edge' ? ('edge' as const) : ('cloud' as const),
            endReason: row.end_reason,
          }
          const pieces = cutAtLocks(slice, locksOf(cameraId))
          return pieces.map((piece) => (piece.end === slice.end ? piece : { ...piece, isOpen: false, endReason: null }))
        }),
      },
    ]),
  )
  return (cameraId) => spans.get(cameraId) ?? NOTHING
}

interface SliceRow {
  camera_id: number
  started_at: number
  ended_at: number
  is_open: boolean
  kind: 'continuous' | 'event'
  origin: 'camera' | 'card'
  store: string
  end_reason: string | null
}

async function loadSlices(tx: Tx, { accountId, cameraIds, from, till }: CameraSpan): Promise<readonly SliceRow[]> {
  const { rows } = await sql<SliceRow>`
    select camera_id, started_at, ended_at, is_open, kind, origin, store, end_reason
      from recording_runs
     where account_id = ${accountId} and camera_id = ${matchAny(cameraIds)} and stream = 'main'
       and started_at < ${instant(till)} and started_at > ${instant(from - LONGEST_ROW_MS)} and ended_at > ${instant(from)}
     order by camera_id, started_at`.execute(tx)
  return rows
}

/** The locks of the cameras that touch the span, oldest first. */
async function loadLocks(
  tx: Tx,
  of: Omit<CameraSpan, 'till'> & Partial<Pick<CameraSpan, 'till'>>,
): Promise<(cameraId: number) => readonly Lock[]> {
  const until = of.till === undefined ? sql`'infinity'` : instant(of.till)
  const { rows } = await sql<{ camera_id: number; started_at: number; ended_at: number }>`
    select camera_id, started_at, ended_at from footage_locks
     where account_id = ${of.accountId} and camera_id = ${matchAny(of.cameraIds)}
       and ended_at > ${instant(of.from)} and started_at < ${until}
     order by started_at`.execute(tx)
  const cameras = Map.groupBy(rows, (row) => row.camera_id)
  return (cameraId) => (cameras.get(cameraId) ?? []).map((row) => ({ start: row.started_at, end: row.ended_at }))
}

async function loadPreviousSlices(tx: Tx, { accountId, cameraIds, from }: CameraSpan) {
  const { rows } = await sql<{ camera_id: number; ended_at: number; end_reason: string | null }>`
    select c.camera_id, r.ended_at, r.end_reason
      from unnest(${[...cameraIds]}::bigint[]) as c (camera_id)
      cross join lateral (
        select x.ended_at, x.end_reason from recording_runs x
         where x.account_id = ${accountId} and x.camera_id = c.camera_id and x.stream = 'main'
           and x.started_at < ${instant(from)} and x.ended_at <= ${instant(from)}
         order by x.started_at desc limit 1) r`.execute(tx)
  return new Map(rows.map((row) => [row.camera_id, { end: row.ended_at, endReason: row.end_reason }]))
}

export type SumInterval = 'hour' | 'day'

const DAY_MS = 86_400_000
const HOURS = 24

interface SumRow {
  camera_id: number
  layer: StoredSums['layer']
  reason: string
  /** Days since 1970. */
  days: readonly number[]
  ms: readonly number[]
}

/** Sums of the cameras' main streams; limits are multiples of the interval. */
export async function loadSums(
  tx: Tx,
  of: CameraSpan & { readonly interval: SumInterval },
): Promise<(cameraId: number) => readonly StoredSums[]> {
  const days = [Math.floor(of.from / DAY_MS), Math.ceil(of.till / DAY_MS) - 1]
  const perDay = of.interval === 'day' ? 1 : HOURS
  // The hours of the days, one day after the other. Both lists of a row are in the order of reading; sorting would cost
  // more than reading does.
  const values =
    perDay === 1
      ? sql`array_agg(ms)`
      : sql`(select array_agg(ms order by at) from unnest(array_agg(hours)) with ordinality as h (ms, at))`
  const { rows } = await sql<SumRow>`
    select camera_id, layer, reason, array_agg(day - date '1970-01-01') as days, ${values} as ms
      from recording_days
     where account_id = ${of.accountId} and camera_id = ${matchAny(of.cameraIds)} and stream = 'main'
       and day between date '1970-01-01' + ${days[0]}::integer and date '1970-01-01' + ${days[1]}::integer
     group by camera_id, layer, reason`.execute(tx)
  const cameras = Map.groupBy(rows, (row) => row.camera_id)
  return (cameraId) =>
    (cameras.get(cameraId) ?? []).map(({ layer, reason, days: numbers, ms }) => ({
      layer,
      reason,
      intervals: ms.map((value, index) => ({
        number: (numbers[Math.floor(index / perDay)] ?? 0) * perDay + (index % perDay),
        ms: value,
      })),
    }))
}

interface TailRow {
  camera_id: number
  started_at: number
  ended_at: number
  is_open: boolean
  kind: 'continuous' | 'event'
  end_reason: string | null
}

/** Of two workers, both may have written last: enough rows to find the one that ended last. */
const LAST_ROWS = 4

/** What the stored sums don't have: open runs, and why the last run ended. */
export async function loadTails(
  tx: Tx,
  { accountId, cameraIds }: Pick<CameraSpan, 'accountId' | 'cameraIds'>,
): Promise<(cameraId: number) => Tail> {
  const { rows } = await sql<TailRow>`
    select c.camera_id, r.*
      from unnest(${[...cameraIds]}::bigint[]) as c (camera_id)
      cross join lateral (
        (select x.started_at, x.ended_at, x.is_open, x.kind, x.end_reason from recording_runs x
          where x.account_id = ${accountId} and x.camera_id = c.camera_id and x.stream = 'main' and not x.is_open
          order by x.started_at desc limit ${LAST_ROWS})
        union all
        select x.started_at, x.ended_at, x.is_open, x.kind, x.end_reason from recording_runs x
         where x.account_id = ${accountId} and x.camera_id = c.camera_id and x.stream = 'main' and x.is_open) r
     order by c.camera_id, r.started_at, r.ended_at`.execute(tx)
  const cameras = Map.groupBy(rows, (row) => row.camera_id)
  const oldest = Math.min(...rows.filter((row) => row.is_open).map((row) => row.started_at))
  const locksOf = Number.isFinite(oldest) ? await loadLocks(tx, { accountId, cameraIds, from: oldest }) : () => []
  return (cameraId) => toTail(cameras.get(cameraId) ?? [], locksOf(cameraId))
}

function toTail(rows: readonly TailRow[], locks: readonly Lock[]): Tail {
  let last: Tail['last']
  for (const { is_open, ended_at, end_reason } of rows) {
    if (!is_open && ended_at >= (last?.end ?? ended_at)) last = { end: ended_at, endReason: end_reason }
  }
  const open = rows
    .filter((row) => row.is_open)
    .flatMap((row) => cutAtLocks({ start: row.started_at, end: row.ended_at, kind: row.kind }, locks))
  return { last, open }
}
