import type { Recording } from '@sightline/contract/recording-list'
import { toDateTime } from '@sightline/contract/wire'
import { instant, matchAny, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A row of the database is one hour of a run at most; a run may have begun that long before a span it reaches into. */
const LONGEST_ROW_MS = 2 * 3_600_000

interface RunRow {
  camera_id: number
  run_id: string
  started_at: number
  ended_at: number
  is_open: boolean
  kind: Recording['type']
  store: string
  locked: boolean
}

type FoundRecording = Omit<Recording, 'urls'>

/** A run is locked if the joined locks of its camera cover all of it. */
const wholeRuns = sql`
  select r.camera_id, r.run_id, min(r.started_at) as started_at, max(r.ended_at) as ended_at, bool_or(r.is_open) as is_open,
         min(r.kind) as kind, min(r.store) as store,
         (select coalesce(range_agg(tstzrange(l.started_at, l.ended_at)), '{}') @> tstzrange(min(r.started_at), max(r.ended_at))
            from footage_locks l where l.account_id = r.account_id and l.camera_id = r.camera_id) as locked
    from recording_runs r`

/** The runs of the cameras' main streams that touch the span, oldest first; each whole, also outside of the span. */
export async function loadRecordings(
  tx: Tx,
  of: {
    readonly accountId: number
    readonly cameraIds: readonly number[]
    readonly from: number
    readonly till: number
  },
): Promise<FoundRecording[]> {
  const { accountId, cameraIds, from, till } = of
  const { rows } = await sql<RunRow>`
    with touched as (
      select distinct camera_id, run_id from recording_runs
       where account_id = ${accountId} and camera_id = ${matchAny(cameraIds)} and stream = 'main'
         and started_at < ${instant(till)} and started_at > ${instant(from - LONGEST_ROW_MS)} and ended_at > ${instant(from)})
    ${wholeRuns} join touched t on t.camera_id = r.camera_id and t.run_id = r.run_id
     where r.account_id = ${accountId} and r.stream = 'main'
     group by r.account_id, r.camera_id, r.run_id
    having max(r.ended_at) > min(r.started_at)
     order by started_at, camera_id, run_id`.execute(tx)
  return rows.map(toRecording)
}

export async function findRecording(
  tx: Tx,
  of: { readonly accountId: number; readonly cameraId: number; readonly runId: string },
): Promise<FoundRecording | undefined> {
  const { rows } = await sql<RunRow>`
    ${wholeRuns}
     where r.account_id = ${of.accountId} and r.camera_id = ${of.cameraId} and r.stream = 'main' and r.run_id = ${of.runId}
     group by r.account_id, r.camera_id, r.run_id
    having max(r.ended_at) > min(r.started_at)`.execute(tx)
  const [row] = rows
  return row === undefined ? undefined : toRecording(row)
}

const toRecording = (row: RunRow): FoundRecording => ({
  recordingId: `${row.camera_id}-${row.run_id}`,
  cameraId: row.camera_id,
  startTime: toDateTime(row.started_at),
  endTime: toDateTime(row.ended_at),
  inProgress: row.is_open,
  type: row.kind,
  storage: row.store === 'edge' ? 'edge' : 'cloud',
  locked: row.locked,
})
