import type { Generated, GeneratedAlways } from 'kysely'
import type { DefaultedInstant, Instant, NullableInstant } from '../instant.ts'
import type { Json, JsonObject, Nullable, NullableJson, ReadOnly } from './column-kinds.ts'

export interface CameraStatusTable {
  account_id: number
  camera_id: number
  online: boolean
  recording: Generated<boolean>
  /** Whether the camera records on its card, as it last said. */
  recording_on_sd: Generated<boolean>
  last_seen: NullableInstant
  last_connection_result: Generated<string>
  next_attempt_at: NullableInstant
  width: Nullable<number>
  height: Nullable<number>
  codec: Nullable<string>
  audio_codec: Nullable<string>
  /** These are null for a camera without a sub-stream. */
  sub_online: Nullable<boolean>
  sub_recording: Nullable<boolean>
  sub_connection_result: Nullable<string>
  sub_width: Nullable<number>
  sub_height: Nullable<number>
  sub_codec: Nullable<string>
  /** When the camera was first found missing. */
  offline_since: NullableInstant
  changed_at: DefaultedInstant
  /** Who wrote this. */
  worker_id: Nullable<string>
}

/** Media workers that live, or did recently. */
export interface MediaWorkersTable {
  worker_id: string
  seen_at: DefaultedInstant
  /** The disk that it writes to: `disk` is the front's, others have the name of their machine. */
  store: Generated<string>
}

/** Machines with media workers of their own, and the certificates that they show. */
export interface MediaMachinesTable {
  name: string
  certificate_sha256: Buffer
  issued_at: Instant
  expires_at: Instant
  revoked_at: NullableInstant
}

/** Cameras that were removed while there may be footage of them. */
export interface RemovedCamerasTable {
  account_id: number
  camera_id: number
  retention_hours: number
  removed_at: Instant
}

/** Which account has the camera or recorder with a MAC address. */
export interface MacClaimsTable {
  /** Lower case with colons. */
  mac_address: string
  account_id: number
  /** Null while something of the account has it. */
  released_at: NullableInstant
}

/** What an account removed, by its connection key. */
export interface RemovedConnectionsTable {
  account_id: number
  connection_key: string
  /** Those that reached it; empty: all. */
  machines: Generated<string[]>
  removed_at: DefaultedInstant
}

/** What a camera can do, as it last said. */
/** Names of inputs and outputs. */
export interface CameraPortsTable {
  account_id: number
  camera_id: number
  port_id: string
  name: string
}

export interface CameraCapabilitiesTable {
  account_id: number
  camera_id: number
  asked_at: Instant
  abilities: Json<JsonObject>
}

/** What was learned of a camera by trying. */
export interface CameraHabitsTable {
  account_id: number
  camera_id: number
  connection: string
  learned_at: Instant
  habits: Json<JsonObject>
}

/** A new password of a camera, until it is known which one the camera took. */
export interface CameraPasswordChangesTable {
  account_id: number
  camera_id: number
  asked_at: Instant
  password_sealed: Buffer
}

/** The last check-up of a camera: what was found, as in the contract. */
export interface CameraCheckUpsTable {
  account_id: number
  camera_id: number
  checked_at: Instant
  findings: Json<readonly JsonObject[]>
}

/** What arrived from a camera in a minute or a quarter of an hour. */
export interface CameraStatisticsTable {
  account_id: number
  camera_id: number
  seconds: 60 | 900
  at: Instant
  bytes: number
  dropped: number
  latency_ms: Nullable<number>
  latency_max_ms: Nullable<number>
  buffer_bytes: number
}

/** The last device that was to take the place of a camera's own. */
export interface CameraReplacementsTable {
  account_id: number
  camera_id: number
  dry_run: boolean
  status: 'inProgress' | 'ready' | 'failure' | 'replaced' | 'undone'
  sub_status: Generated<string>
  step: Nullable<'reachable' | 'identified' | 'signedIn' | 'streams' | 'samplePicture'>
  started_at: Instant
  ended_at: NullableInstant
  /** Columns of `cameras`; empty once it is over. */
  connection: Json<JsonObject>
  brand: Nullable<string>
  model: Nullable<string>
  /** What the new device is; null until it is known. */
  found: NullableJson<JsonObject>
  /** The same of the device before, at that moment. */
  before: NullableJson<JsonObject>
}

/** Cameras that one account offers to another. */
export interface CameraTransfersTable {
  /** Who offers. */
  account_id: number
  camera_transfer_id: number
  /** Null: the sender named nobody, and doesn't learn that. */
  receiver_account_id: Nullable<number>
  receiver_email: Nullable<string>
  receiver_named_account_id: Nullable<number>
  sender_name: string
  sender_email: string
  /** As they were when they were offered. */
  cameras: Json<readonly JsonObject[]>
  camera_ids: readonly number[]
  status: Generated<'offered' | 'accepted' | 'declined' | 'withdrawn'>
  created_at: Instant
  expires_at: Instant
  ended_at: NullableInstant
}

/** The device that a camera was before, as long as it can be put back. */
export interface FormerCamerasTable {
  account_id: number
  camera_id: number
  /** Columns of `cameras`. */
  connection: Json<JsonObject>
  abilities: NullableJson<JsonObject>
  replaced_at: Instant
  undo_until: Instant
}

/** What a camera was to record until it was changed, for two days. */
export interface CameraPlansTable {
  account_id: number
  camera_id: number
  plan_until: Instant
  mode: 'armed' | 'silent' | 'disarmed' | 'private' | 'scheduled'
  recording_mode: 'continuous' | 'event'
  /** Its own, or its zone's. */
  schedule: NullableJson<JsonObject>
  /** Its own, its zone's, or the account's; null for rows that are older than this column. */
  time_zone: Nullable<string>
  /** Whether sound was recorded; null for rows that are older than this column. */
  microphone: Nullable<boolean>
}

/** Gaps in footage that are filled from a camera's card. */
export interface SyncJobsTable {
  account_id: number
  camera_id: number
  sync_job_id: GeneratedAlways<number>
  status: 'Running' | 'Ended'
  /** It ended before its gap was filled as far as it could be. */
  stopped: Generated<boolean>
  gap_start: Instant
  gap_end: Instant
  synced_ms: Generated<number>
  note: Nullable<string>
  began_at: Instant
  ended_at: NullableInstant
}

/** Networks in CIDR notation that the operator assigned to an account. */
export interface CameraNetworksTable {
  account_id: number
  network: string
  created_at: DefaultedInstant
}

export interface CameraLogTable {
  account_id: number
  camera_id: number
  camera_log_id: ReadOnly<number>
  at: Instant
  level: 'info' | 'warning' | 'error'
  event: string
  detail: string
}

/** A file for an account's owner or for the staff of a reseller. */
export interface ReportsTable {
  organisation_id: number
  report_id: number
  account_id: Nullable<number>
  reseller_id: Nullable<number>
  type: string
  format: string
  from_day: string
  till_day: string
  time_zone: string
  row_count: number
  content: Buffer
  account_ids: Nullable<readonly number[]>
  created_at: Instant
  expires_at: Instant
  report_schedule_id: Nullable<number>
}

export interface ReportSchedulesTable {
  account_id: number
  report_schedule_id: number
  user_id: number
  type: string
  format: string
  every: string
  at_time: string
  host: string
  created_at: Instant
  next_at: Instant
  untold_report_id: Nullable<number>
}

export interface CameraLeasesTable {
  account_id: number
  camera_id: number
  worker_id: string
  fence: number
  expires_at: Instant
  /** Whether it is ready, or can't be before the holder lets go. */
  next_worker: Generated<string | null>
}

export type StreamKind = 'main' | 'sub'

export interface RecordingRunsTable {
  account_id: number
  camera_id: number
  stream: StreamKind
  run_id: string
  started_at: Instant
  ended_at: Instant
  is_open: Generated<boolean>
  kind: Generated<'continuous' | 'event'>
  /** Where it came from: the camera's stream or its card. */
  origin: Generated<'camera' | 'card'>
  store: Generated<string>
  bytes: Generated<number>
  end_reason: Nullable<string>
}

/** Sums of {@link RecordingRunsTable} per day and hour (UTC), without open runs; written by `sum_recording_days`. */
export interface RecordingDaysTable {
  account_id: number
  camera_id: number
  stream: StreamKind
  day: string
  layer: 'recorded' | 'event' | 'locked' | 'gap'
  reason: string
  ms: number
  hours: readonly number[]
}

/** Footage of a camera that must stay. */
export interface FootageLocksTable {
  account_id: number
  footage_lock_id: number
  camera_id: number
  started_at: Instant
  ended_at: Instant
  locked_by: number
  locked_at: Instant
  reason: Generated<string>
}

/** The ledger of deleted footage; rows are only ever added. */
export interface FootageDeletionsTable {
  account_id: number
  footage_deletion_id: GeneratedAlways<number>
  camera_id: number
  stream: StreamKind
  started_at: Instant
  ended_at: Instant
  bytes: number
  segments: number
  sha256: Nullable<string>
  chain_hash: Nullable<string>
  reason: 'retention' | 'quota' | 'space' | 'user' | 'erasure'
  deleted_by: Nullable<number>
  deleted_at: Instant
  store: Generated<string>
}

export interface FootageDeletionRequestsTable {
  account_id: number
  footage_deletion_request_id: number
  camera_id: number
  started_at: Instant
  ended_at: Instant
  requested_by: number
  requested_at: Instant
  status: Generated<'waiting' | 'done' | 'refused'>
  deny_reason: Nullable<'locked' | 'tooNew'>
  finished_at: NullableInstant
  done_stores: Generated<string[]>
}

/** Wrapped keys of encrypted footage; the media plane alone reads them. */
export interface FootageAccountKeysTable {
  account_id: number
  key_id: string
  wrapped: string
}

export interface FootageHeadsTable {
  account_id: number
  camera_id: number
  stream: 'main' | 'sub'
  store: Generated<string>
  hour: number
  bytes: number
  line: string
  hash: Nullable<string>
  checkpoint_hash: Nullable<string>
  checkpoint_at: NullableInstant
}

export interface FootageDayKeysTable {
  account_id: number
  camera_id: number
  day: string
  key_id: string
  wrapped: string
}

export interface StreamTicketsTable {
  account_id: number
  ticket_sha256: Buffer
  user_id: number
  camera_id: number
  /** Null for a ticket of an export, which belongs to no session. */
  token_sha256: Nullable<Buffer>
  use: 'live' | 'playback' | 'mp4' | 'snapshot'
  stream: Nullable<StreamKind>
  from_at: NullableInstant
  till_at: NullableInstant
  /** Of a file that proves itself: what its manifest says of who exports it. */
  proof: NullableJson<JsonObject>
  expires_at: Instant
  used_at: NullableInstant
  export_id: Nullable<number>
  has_sound: Nullable<boolean>
}
