import { type CameraLogLevel, cameraLogLevel, cameraLogLevels } from '@sightline/contract/camera-logs'
import { type DeviceLogEntry, deviceLogEvent } from '@sightline/contract/device-logs'
import { toDateTime } from '@sightline/contract/wire'
import { type KeysetPage, type KeysetQuestion, keysetPage, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { toInstant } from '../audit-logs/index.ts'
import type { DeviceKey } from '../devices/index.ts'

export interface DeviceLogFilter {
  /** Milliseconds since 1970: earliest, inclusive; latest, exclusive. */
  readonly from?: number | undefined
  readonly till?: number | undefined
  readonly level?: CameraLogLevel | undefined
}

/** The lines of one device that the filter lets through. */
export function selectEntries(tx: Tx, of: DeviceKey, { from, till, level }: DeviceLogFilter) {
  let query = tx
    .selectFrom('device_log')
    .select(['device_log_id', 'at', 'level', 'event', 'detail'])
    .where('account_id', '=', of.accountId)
    .where('device_id', '=', of.deviceId)
  if (from !== undefined) query = query.where('at', '>=', toInstant(from))
  if (till !== undefined) query = query.where('at', '<', toInstant(till))
  if (level !== undefined) query = query.where('level', 'in', cameraLogLevels.slice(cameraLogLevels.indexOf(level)))
  return query
}

const order = {
  by: sql<number>`at`,
  key: sql<number>`device_log_id`,
  toSql: (value: string | number) => sql<number>`${toInstant(Number(value))}`,
}

/** Newest first, or as is asked. */
export const loadEntriesPage = (
  lines: ReturnType<typeof selectEntries>,
  question: KeysetQuestion,
): Promise<KeysetPage<DeviceLogRow>> => keysetPage<DeviceLogRow>(lines, order, question)

export async function countEntries(tx: Tx, query: ReturnType<typeof selectEntries>): Promise<number> {
  const { rows } = await sql<{ lines: number }>`select count(*) as lines from (${query}) found`.execute(tx)
  return rows[0]?.lines ?? 0
}

export interface DeviceLogRow {
  device_log_id: number
  at: number
  level: string
  event: string
  detail: string
}

export const toEntry = (row: DeviceLogRow): DeviceLogEntry => ({
  deviceLogId: row.device_log_id,
  time: toDateTime(row.at),
  level: cameraLogLevel.parse(row.level),
  event: deviceLogEvent.parse(row.event),
  detail: row.detail,
})
