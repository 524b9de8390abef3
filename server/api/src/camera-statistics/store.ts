import { type StatisticsPeriod, type StatisticsPoint, statisticsSpans } from '@sightline/contract/camera-statistics'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

export interface StatisticsRange {
  readonly accountId: number
  readonly cameraId: number
  readonly period: StatisticsPeriod
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
}

/** Of which rows the points of a period are made: minutes are kept for a day. */
const rowSeconds: Readonly<Record<StatisticsPeriod, 60 | 900>> = { hour: 60, day: 60, week: 900 }

/** Oldest first. */
export async function loadPoints(tx: Tx, range: StatisticsRange): Promise<StatisticsPoint[]> {
  const { accountId, cameraId, period, from, till } = range
  const seconds = rowSeconds[period]
  const { point } = statisticsSpans[period]
  const { rows } = await sql<PointRow>`
    select date_bin(make_interval(secs => ${point}), at, ${instant(from)}) as time,
           sum(bytes)::double precision as bytes, (count(*) * ${seconds}::int)::int as seconds,
           avg(latency_ms)::double precision as latency, max(latency_max_ms)::double precision as max_latency,
           sum(dropped)::int as dropped, max(buffer_bytes)::double precision as buffer
      from camera_statistics
     where account_id = ${accountId} and camera_id = ${cameraId} and seconds = ${seconds}
       and at >= ${instant(from)} and at < ${instant(till)}
     group by 1 order by 1`.execute(tx)
  return rows.map(toPoint)
}

interface PointRow {
  readonly time: number
  readonly bytes: number
  /** Of the rows that were summed. */
  readonly seconds: number
  readonly latency: number | null
  readonly max_latency: number | null
  readonly dropped: number
  readonly buffer: number
}

const BITS = 8
const KIBI = 1024
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value))

const toPoint = (row: PointRow): StatisticsPoint => ({
  time: toDateTime(row.time),
  bandwidth: Math.round((row.bytes * BITS) / row.seconds / 1000),
  latency: rounded(row.latency),
  maxLatency: rounded(row.max_latency),
  droppedFrames: row.dropped,
  buffer: Math.round(row.buffer / KIBI),
})
