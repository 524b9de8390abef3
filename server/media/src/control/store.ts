import type { ConnectionResult } from '@sightline/contract/cameras'
import type { ScopedCamera } from '@sightline/contract/rights'
import { type Db, instant, matchAny } from '@sightline/platform/db'
import type { SessionRow } from '@sightline/platform/sessions'
import type { CameraLogRecord } from './camera-log.ts'

/** A camera as the media plane needs it: its address and credentials. */
export interface CameraToServe {
  readonly accountId: number
  readonly cameraId: number
  readonly name: string
  readonly address: string
  readonly rtspPort: number
  readonly mainPath: string
  readonly subPath: string | null
  readonly username: string | null
  readonly passwordSealed: Buffer | null
  readonly retentionHours: number
}

export async function loadCameras(db: Db): Promise<CameraToServe[]> {
  const rows = await db.plain
    .selectFrom('cameras')
    .select(['account_id', 'camera_id', 'name', 'address', 'rtsp_port', 'main_path', 'sub_path', 'username'])
    .select(['password_sealed', 'retention_hours'])
    // Port 0: the camera's port isn't known yet.
    .where('rtsp_port', '>', 0)
    .orderBy('account_id')
    .orderBy('camera_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    cameraId: row.camera_id,
    name: row.name,
    address: row.address,
    rtspPort: row.rtsp_port,
    mainPath: row.main_path,
    subPath: row.sub_path,
    username: row.username,
    passwordSealed: row.password_sealed,
    retentionHours: row.retention_hours,
  }))
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
  readonly lastSeen: number | null
  readonly width: number | null
  readonly height: number | null
  readonly codec: string | null
  readonly audioCodec: string | null
}

export async function saveStatus(db: Db, change: StatusChange, now: number): Promise<void> {
  const seen = change.lastSeen === null ? null : instant(change.lastSeen)
  const values = {
    online: change.presence === 'online',
    recording: change.recording,
    last_connection_result: change.lastConnectionResult,
    width: change.width,
    height: change.height,
    codec: change.codec,
    audio_codec: change.audioCodec,
    changed_at: instant(now),
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
      conflict.columns(['account_id', 'camera_id']).doUpdateSet((eb) => ({
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
      })),
    )
    .execute()
}

/** After a crash nothing is online until its camera says so again. */
export async function markAllOffline(db: Db): Promise<void> {
  await db.plain.updateTable('camera_status').set({ online: false, recording: false }).execute()
}

export interface Ticket {
  readonly accountId: number
  readonly cameraId: number
  readonly tokenSha256: Buffer
  readonly use: 'live' | 'playback' | 'mp4' | 'snapshot'
  /** For playback: where to start, in milliseconds since 1970. */
  readonly from: number | null
}

/** Uses a ticket up. Undefined for one that is unknown, used before, or too old. */
export async function consumeTicket(db: Db, sha256: Buffer, now: number): Promise<Ticket | undefined> {
  const row = await db.plain
    .updateTable('stream_tickets')
    .set({ used_at: instant(now) })
    .where('ticket_sha256', '=', sha256)
    .where('used_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .returning(['account_id', 'camera_id', 'token_sha256', 'use', 'from_at'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    accountId: row.account_id,
    cameraId: row.camera_id,
    tokenSha256: row.token_sha256,
    use: row.use,
    from: row.from_at,
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

/** The account and zone of cameras; the contract's rules decide who has access. */
export async function loadCameraScopes(db: Db, cameraIds: readonly number[]): Promise<Map<number, ScopedCamera>> {
  if (cameraIds.length === 0) return new Map()
  const rows = await db.plain
    .selectFrom('cameras')
    .select(['account_id', 'camera_id', 'zone_id'])
    .where('camera_id', '=', matchAny(cameraIds))
    .execute()
  return new Map(
    rows.map((row) => [row.camera_id, { accountId: row.account_id, cameraId: row.camera_id, zoneId: row.zone_id }]),
  )
}

const LONGEST_DETAIL = 300

/** Writes entries of the camera log in their order; those of a deleted camera are dropped. */
export async function insertLogEntries(db: Db, entries: readonly CameraLogRecord[]): Promise<void> {
  const present = await loadCameraScopes(db, [...new Set(entries.map(({ cameraId }) => cameraId))])
  const lines = entries.filter(({ cameraId }) => present.has(cameraId))
  if (lines.length === 0) return
  await db.plain
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
