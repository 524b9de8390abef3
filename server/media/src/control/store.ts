import type { AdditionStatus } from '@sightline/contract/camera-additions'
import type { ConnectionResult } from '@sightline/contract/cameras'
import { audioDetection, pirDetection, videoDetection } from '@sightline/contract/detectors'
import { type ExportOrder, exportOrder } from '@sightline/contract/footage-proof'
import type { ScopedCamera } from '@sightline/contract/rights'
import { type ScheduleSpan, scheduleSpans } from '@sightline/contract/schedules'
import type { StreamName } from '@sightline/contract/streams'
import type { Zone } from '@sightline/contract/zones'
import { type Db, instant, matchAny, type Tx } from '@sightline/platform/db'
import type { SessionRow } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import type { CameraLogRecord } from './camera-log.ts'
import type { DetectionSettings } from './detections.ts'
import { insertEvents } from './event-store.ts'

/** Where a camera answers ONVIF. */
export interface OnvifEndpoint {
  readonly port: number
  /** Over TLS. */
  readonly isSecure: boolean
  /** SHA-256 of the certificate that it has to show then. */
  readonly certificate: Buffer | undefined
}

/** What was learned of a camera. */
export interface StoredHabits {
  /** The version of the connection that it was learned of. */
  readonly connection: string
  /** Milliseconds since 1970. */
  readonly learnedAt: number
  readonly habits: unknown
}

/** A camera as the media plane needs it: its address and credentials. */
export interface CameraToServe {
  readonly accountId: number
  readonly cameraId: number
  readonly name: string
  readonly address: string
  /** The machines that reach it; empty: all of them. */
  readonly machines: readonly string[]
  readonly rtspPort: number
  readonly mainPath: string
  readonly subPath: string | null
  /** Streams over TLS. */
  readonly isSecure: boolean
  /** The certificate that the camera showed when it was added (SHA-256). */
  readonly certificateSha256: Buffer | null
  /** Where the camera answers ONVIF; null: nowhere, as far as is known. */
  readonly onvif: OnvifEndpoint | null
  readonly username: string | null
  readonly passwordSealed: Buffer | null
  /** The owner's consent to send the password in plain text. */
  readonly allowBasic: boolean
  readonly retentionHours: number
  readonly additionStatus: AdditionStatus
  /** Milliseconds since 1970. */
  readonly additionStartedAt: number
  /** The port that the customer named; null: the usual ones. */
  readonly namedPort: number | null
  /** What the customer named it by; null for an address. */
  readonly namedMacAddress: string | null
  /** Which input of a recorder, from 1. */
  readonly input: number
  /** How the device names it in events; null: all events are about this camera. */
  readonly motionSources: readonly string[] | null
  readonly mode: Zone['mode']
  readonly recordingMode: Zone['recordingMode']
  /** Whether its sound is used. */
  readonly microphone: boolean
  /** Its own schedule's or its zone's, for the mode `scheduled`. */
  readonly recordingSpans: readonly ScheduleSpan[]
  /** Of the zone, or of the account. */
  readonly timeZone: string
  readonly detection: DetectionSettings
  /** What is recorded before an event, if only events are. */
  readonly preRollMs: number
  /** Whether gaps are filled from the camera's card. */
  readonly cloudSync: boolean
  /** It belongs to another account, and is recorded here only until it is recorded there. */
  readonly isTransferred: boolean
  readonly storedHabits: StoredHabits | null
}

/** Whether the worker still has to ask the camera where its streams are. */
export const isUnidentified = ({ rtspPort, additionStatus }: CameraToServe): boolean =>
  rtspPort === 0 && additionStatus === 'inProgress'

/** Forgets how cameras of other accounts are reached, once they are recorded there (docs/decisions/0124). */
export async function endHandovers(db: Db): Promise<void> {
  await sql`select end_camera_handovers()`.execute(db.plain)
}

/** Cameras whose streams are known, and those that are being added. One whose addition failed is left alone. */
export async function loadCameras(db: Db): Promise<CameraToServe[]> {
  const rows = await db.plain
    .selectFrom('cameras as c')
    .innerJoin('zones as z', (join) =>
      join.onRef('z.account_id', '=', 'c.account_id').onRef('z.zone_id', '=', 'c.zone_id'),
    )
    .innerJoin('accounts as a', 'a.account_id', 'c.account_id')
    .leftJoin('camera_habits as h', (join) =>
      join.onRef('h.account_id', '=', 'c.account_id').onRef('h.camera_id', '=', 'c.camera_id'),
    )
    .select(['h.connection', 'h.learned_at', 'h.habits'])
    .select(['c.account_id', 'c.camera_id', 'c.name', 'c.address', 'c.rtsp_port', 'c.main_path', 'c.sub_path'])
    .select(['c.stream_secure', 'c.certificate_sha256'])
    .select(['c.onvif_port', 'c.onvif_secure', 'c.onvif_certificate_sha256'])
    .select(['c.username', 'c.password_sealed', 'c.allow_basic', 'c.retention_hours', 'c.named_port'])
    .select(['c.input', 'c.motion_sources', 'c.microphone', 'c.named_mac_address', 'c.cloud_sync', 'c.machines'])
    .select(['c.addition_status', 'c.addition_started_at', 'c.mode', 'c.recording_mode', 'c.transferred_at'])
    .select(['c.video_detection', 'c.audio_detection', 'c.pir_detection', 'c.pre_roll_seconds'])
    .select(['c.schedule', 'z.schedule as zone_schedule'])
    .select((eb) => eb.fn.coalesce('c.time_zone', 'z.time_zone', 'a.time_zone').as('time_zone'))
    .where('c.addition_status', '<>', 'failure')
    // Port 0: the camera's port isn't known yet.
    .where(({ or, eb }) => or([eb('c.rtsp_port', '>', 0), eb('c.addition_status', '=', 'inProgress')]))
    .orderBy('c.account_id')
    .orderBy('c.camera_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    cameraId: row.camera_id,
    name: row.name,
    address: row.address,
    machines: row.machines,
    rtspPort: row.rtsp_port,
    mainPath: row.main_path,
    subPath: row.sub_path,
    isSecure: row.stream_secure,
    certificateSha256: row.certificate_sha256,
    onvif:
      row.onvif_port === null
        ? null
        : { port: row.onvif_port, isSecure: row.onvif_secure, certificate: row.onvif_certificate_sha256 ?? undefined },
    username: row.username,
    passwordSealed: row.password_sealed,
    allowBasic: row.allow_basic,
    retentionHours: row.retention_hours,
    additionStatus: row.addition_status,
    additionStartedAt: row.addition_started_at,
    namedPort: row.named_port,
    namedMacAddress: row.named_mac_address,
    input: row.input ?? 1,
    motionSources: row.motion_sources,
    mode: row.mode,
    recordingMode: row.recording_mode,
    microphone: row.microphone,
    recordingSpans: scheduleSpans.parse(row.schedule ?? row.zone_schedule).recording,
    timeZone: row.time_zone,
    cloudSync: row.cloud_sync,
    preRollMs: row.pre_roll_seconds * 1000,
    isTransferred: row.transferred_at !== null,
    detection: toDetection(row),
    storedHabits: toStoredHabits(row),
  }))
}

const toStoredHabits = (row: {
  readonly connection: string | null
  readonly learned_at: number | null
  readonly habits: unknown
}): StoredHabits | null =>
  row.connection === null || row.learned_at === null
    ? null
    : { connection: row.connection, learnedAt: row.learned_at, habits: row.habits }

const toDetection = (
  row: Record<'video_detection' | 'audio_detection' | 'pir_detection', unknown>,
): DetectionSettings => ({
  video: videoDetection.parse(row.video_detection),
  audio: audioDetection.parse(row.audio_detection),
  pir: pirDetection.parse(row.pir_detection),
})

/** The cameras and recorders that not every machine reaches, with those that do. */
export async function loadPlacements(db: Db): Promise<ReadonlyMap<number, readonly string[]>> {
  const cameras = db.plain
    .selectFrom('cameras')
    .select(['camera_id as id', 'machines'])
    .where(sql<boolean>`machines <> '{}'`)
  const devices = db.plain
    .selectFrom('devices')
    .select(['device_id as id', 'machines'])
    .where(sql<boolean>`machines <> '{}'`)
  const rows = await cameras.unionAll(devices).execute()
  return new Map(rows.map(({ id, machines }) => [id, machines]))
}

/** Missing means searched and not found; unknown means not searched. */
export type Presence = 'online' | 'away' | 'unknown'

/** The state of a camera's connection; `seen` updates lastSeen. */
export interface StatusChange {
  readonly accountId: number
  readonly cameraId: number
  readonly presence: Presence
  readonly recording: boolean
  readonly lastConnectionResult: ConnectionResult
  /** Of a camera that isn't connected; milliseconds since 1970. */
  readonly nextAttemptAt: number | null
  readonly lastSeen: number | null
  readonly width: number | null
  readonly height: number | null
  readonly codec: string | null
  readonly audioCodec: string | null
  /** Null for a camera without a sub-stream. */
  readonly subStream: {
    readonly online: boolean
    readonly recording: boolean
    readonly connectionResult: ConnectionResult
    readonly width: number | null
    readonly height: number | null
    readonly codec: string | null
  } | null
}

/** Writes the state of a camera, unless another worker has claimed it since. */
export async function saveStatus(
  db: Db,
  { workerId, now, ...change }: StatusChange & { readonly workerId: string; readonly now: number },
): Promise<void> {
  const seen = change.lastSeen === null ? null : instant(change.lastSeen)
  const values = {
    online: change.presence === 'online',
    recording: change.recording,
    last_connection_result: change.lastConnectionResult,
    next_attempt_at: change.nextAttemptAt === null ? null : instant(change.nextAttemptAt),
    width: change.width,
    height: change.height,
    codec: change.codec,
    audio_codec: change.audioCodec,
    sub_online: change.subStream?.online ?? null,
    sub_recording: change.subStream?.recording ?? null,
    sub_connection_result: change.subStream?.connectionResult ?? null,
    sub_width: change.subStream?.width ?? null,
    sub_height: change.subStream?.height ?? null,
    sub_codec: change.subStream?.codec ?? null,
    changed_at: instant(now),
    worker_id: workerId,
  }
  await db.plain
    .insertInto('camera_status')
    .values({
      account_id: change.accountId,
      camera_id: change.cameraId,
      last_seen: seen,
      offline_since: change.presence === 'away' ? instant(now) : null,
      ...values,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'camera_id'])
        .doUpdateSet((eb) => ({
          ...values,
          // One absence, however often it is detected, even across our restarts.
          offline_since: eb
            .case()
            .when(eb.val(change.presence === 'online'))
            .then(null)
            .when(eb.and([eb.val(change.presence === 'away'), eb('camera_status.offline_since', 'is', null)]))
            .then(instant(now))
            .else(eb.ref('camera_status.offline_since'))
            .end()
            // Also null, which the type for writing times doesn't allow.
            .$castTo<number>(),
          // What was seen stays seen while the camera is away.
          ...(seen === null ? {} : { last_seen: seen }),
        }))
        .where(({ eb, or }) =>
          or([eb('camera_status.worker_id', '=', workerId), eb('camera_status.worker_id', 'is', null)]),
        ),
    )
    .execute()
}

export interface Ticket {
  readonly accountId: number
  readonly cameraId: number
  readonly tokenSha256: Buffer
  readonly use: 'live' | 'playback' | 'mp4' | 'snapshot'
  /** Null if the ticket names none. */
  readonly stream: StreamName | null
  /** For playback and files: where to start, in milliseconds since 1970. */
  readonly from: number | null
  /** For files: where to end. */
  readonly till: number | null
  /** For files that prove themselves. */
  readonly proof: ExportOrder | null
}

/** Uses a ticket up. Undefined for one that is unknown, used before, or too old. */
export async function consumeTicket(db: Db, sha256: Buffer, now: number): Promise<Ticket | undefined> {
  const row = await db.plain
    .updateTable('stream_tickets')
    .set({ used_at: instant(now) })
    .where('ticket_sha256', '=', sha256)
    .where('used_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .where('token_sha256', 'is not', null)
    .returning(['account_id', 'camera_id', 'token_sha256', 'use', 'stream', 'from_at', 'till_at', 'proof'])
    .executeTakeFirst()
  if (row === undefined || row.token_sha256 === null) return undefined
  return {
    accountId: row.account_id,
    cameraId: row.camera_id,
    tokenSha256: row.token_sha256,
    use: row.use,
    stream: row.stream,
    from: row.from_at,
    till: row.till_at,
    proof: row.proof === null ? null : exportOrder.parse(row.proof),
  }
}

export async function dropOldTickets(db: Db, before: number): Promise<void> {
  await db.plain.deleteFrom('stream_tickets').where('expires_at', '<', instant(before)).execute()
}

/** Sessions of several tokens in one query: open streams are confirmed together, once a second. */
export async function loadSessions(db: Db, sha256s: readonly Buffer[]): Promise<Map<string, SessionRow>> {
  if (sha256s.length === 0) return new Map()
  const rows = await db.plain.selectFrom('sessions').selectAll().where('token_sha256', 'in', sha256s).execute()
  return new Map(rows.map((row) => [row.token_sha256.toString('hex'), row]))
}

/** Where a camera is that streams are opened of. */
export interface StreamedCamera extends ScopedCamera {
  /** It belongs to another account: only its footage can be played. */
  readonly isTransferred?: boolean
}

/** The account and zone of cameras; the contract's rules decide who has access. */
export async function loadCameraScopes(db: Db, cameraIds: readonly number[]): Promise<Map<number, StreamedCamera>> {
  if (cameraIds.length === 0) return new Map()
  const rows = await db.plain
    .selectFrom('cameras')
    .select(['account_id', 'camera_id', 'zone_id', 'transferred_at'])
    .where('camera_id', '=', matchAny(cameraIds))
    .execute()
  return new Map(
    rows.map((row) => [
      row.camera_id,
      {
        accountId: row.account_id,
        cameraId: row.camera_id,
        zoneId: row.zone_id,
        isTransferred: row.transferred_at !== null,
      },
    ]),
  )
}

/** Whether the loudspeaker of a camera may be used. */
export async function usesSpeaker(db: Db, cameraId: number): Promise<boolean> {
  const camera = db.plain.selectFrom('cameras').select('speaker').where('camera_id', '=', cameraId)
  return (await camera.executeTakeFirst())?.speaker === true
}

const LONGEST_DETAIL = 300

/** Writes entries of the camera log, and their events, in their order; those of a deleted camera are dropped. */
export async function insertLogEntries(db: Db, entries: readonly CameraLogRecord[]): Promise<void> {
  const present = await loadCameraScopes(db, [...new Set(entries.map(({ cameraId }) => cameraId))])
  const lines = entries.filter(({ cameraId }) => present.has(cameraId))
  if (lines.length === 0) return
  await db.transaction(async (tx) => {
    await insertLines(tx, lines)
    await insertEvents(tx, lines)
  })
}

async function insertLines(tx: Tx, lines: readonly CameraLogRecord[]): Promise<void> {
  await tx
    .insertInto('camera_log')
    .values(
      lines.map(({ accountId, cameraId, at, level, event, detail }) => ({
        account_id: accountId,
        camera_id: cameraId,
        at: instant(at),
        level,
        event,
        detail: detail.slice(0, LONGEST_DETAIL),
      })),
    )
    .execute()
}

export async function dropOldLogEntries(db: Db, before: number): Promise<void> {
  await db.plain.deleteFrom('camera_log').where('at', '<', instant(before)).execute()
}
