import type { CameraLogEvent } from '@sightline/contract/camera-logs'
import { EVENT_DAYS, type EventType, eventGroups, eventTypes } from '@sightline/contract/events'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { addCameraEvent } from '@sightline/platform/events'
import type { CameraLogRecord } from './camera-log.ts'
import type { DetectionRecord, LostDetections } from './detections.ts'

/** A state that lasts until its opposite is noted: an event begins with `starts`, and its end is another event. */
interface State {
  readonly event: EventType
  readonly end: EventType
}

const OFFLINE: State = { event: 'cameraOffline', end: 'cameraOnline' }
const STOPPED: State = { event: 'recordingStopped', end: 'recordingStarted' }

const starts: Partial<Record<CameraLogEvent, State>> = {
  connectionLost: OFFLINE,
  connectionFailed: OFFLINE,
  credentialsRefused: OFFLINE,
  recordingStopped: STOPPED,
  recordingFailed: STOPPED,
}
const ends: Partial<Record<CameraLogEvent, State>> = { connected: OFFLINE, recordingStarted: STOPPED }

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

interface CameraMoment extends CameraKey {
  readonly at: number
}

/** Events that entries of the camera log stand for. The same entries again write nothing. */
export async function insertEvents(tx: Tx, entries: readonly CameraLogRecord[]): Promise<void> {
  for (const entry of entries) {
    const [start, end] = [starts[entry.event], ends[entry.event]]
    if (start !== undefined && !(await goesOn(tx, entry, start.event))) {
      await insert(tx, entry, { type: start.event, endsAt: null, data: { reason: entry.event } })
    }
    if (end !== undefined && (await endEvent(tx, entry, end.event))) {
      await insert(tx, entry, { type: end.end, endsAt: entry.at, data: { reason: entry.event } })
    }
  }
}

/** What was detected at cameras, each one event from beginning to end. The same records again write nothing. */
export async function insertDetections(tx: Tx, records: readonly (DetectionRecord | LostDetections)[]): Promise<void> {
  for (const record of records) {
    if (record.change === 'lost') {
      await endLostDetections(tx, record)
      continue
    }
    const { type, change, detectedBy, cameraTime } = record
    if (change === 'ends') await endEvent(tx, record, type)
    else if (!(await goesOn(tx, record, type))) {
      const data: Record<string, string> = { detectedBy }
      if (cameraTime !== undefined) data.cameraTime = new Date(cameraTime).toISOString()
      await insert(tx, record, { type, endsAt: null, data })
    }
  }
}

/** Ends what a worker that was killed left open: when the camera was last seen. */
async function endLostDetections(tx: Tx, { accountId, cameraId }: CameraKey): Promise<void> {
  const seen = tx
    .selectFrom('camera_status')
    .select('last_seen')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
  await tx
    .updateTable('events')
    .set((eb) => ({ ended_at: eb.fn<number>('greatest', ['at', seen]) }))
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('type', 'in', DETECTIONS)
    .where('ended_at', 'is', null)
    .execute()
}

const DETECTIONS = eventTypes.filter((type) => eventGroups[type] === 'detection' || type === 'tampered')

async function goesOn(tx: Tx, { accountId, cameraId }: CameraKey, type: EventType): Promise<boolean> {
  const row = await tx
    .selectFrom('events')
    .select('event_id')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('type', '=', type)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one was open. A start of the server is no event: the camera was not noted as missing. */
async function endEvent(tx: Tx, { accountId, cameraId, at }: CameraMoment, type: EventType): Promise<boolean> {
  const ended = await tx
    .updateTable('events')
    .set((eb) => ({ ended_at: eb.fn<number>('greatest', ['at', instant(at)]) }))
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('type', '=', type)
    .where('ended_at', 'is', null)
    .returning('event_id')
    .execute()
  return ended.length > 0
}

async function insert(
  tx: Tx,
  { accountId, cameraId, at }: CameraMoment,
  { type, endsAt, data }: { type: EventType; endsAt: number | null; data: Readonly<Record<string, string>> },
): Promise<void> {
  const camera = await tx
    .selectFrom('cameras')
    .select('name')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (camera === undefined) return
  await addCameraEvent(tx, {
    camera: { accountId, cameraId, name: camera.name },
    type,
    at,
    endsAt,
    data,
    once: `${cameraId} ${type}`,
  })
}

/** Makes room for the events of the next months, and removes months that are older than events are kept. */
export async function keepEventMonths(db: Db, now: number): Promise<void> {
  await db.plain
    .selectNoFrom((eb) =>
      eb.fn('keep_event_partitions', [instant(now), instant(now - EVENT_DAYS * MS_PER_DAY)]).as('kept'),
    )
    .execute()
}
