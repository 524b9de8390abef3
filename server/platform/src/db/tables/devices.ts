import type { Generated } from 'kysely'
import type { DefaultedInstant, Instant, NullableInstant } from '../instant.ts'
import type { Nullable, ReadOnly } from './column-kinds.ts'

/** An input of a recorder, as it reported it. */
export interface DeviceChannelsTable {
  account_id: number
  device_id: number
  channel: number
  name: string
  online: boolean
  /** 0: no stream that can be played. */
  rtsp_port: number
  main_path: string
  sub_path: Nullable<string>
  stream_secure: boolean
  motion_sources: Nullable<string[]>
  snapshot_profile: string
}

export interface DeviceStatusTable {
  account_id: number
  device_id: number
  online: boolean
  last_connection_result: string
  last_seen: NullableInstant
  storage_total_bytes: Nullable<number>
  storage_used_bytes: Nullable<number>
  changed_at: Instant
}

export interface DeviceMaintenanceTable {
  account_id: number
  device_id: number
  /** Null: until changed. */
  until: NullableInstant
}

/** Jobs of recorders and of cameras: one of `device_id` and `camera_id` is set. */
export interface DeviceJobsTable {
  account_id: number
  device_id: Nullable<number>
  camera_id: Nullable<number>
  job_id: number
  type: 'reboot' | 'firmwareUpgrade' | 'formatStorage' | 'checkUp'
  /** Which card, as the camera numbers them. */
  storage_id: Nullable<number>
  state: 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  progress: Generated<number>
  phase: Nullable<
    | 'Requesting'
    | 'Initializing'
    | 'Downloading'
    | 'Installing'
    | 'Restarting'
    | 'Formatting'
    | 'Measuring'
    | 'WaitingForMotion'
  >
  deadline: DefaultedInstant
  created_at: Instant
  started_at: NullableInstant
  ended_at: NullableInstant
  error: Nullable<string>
  /** Of an upgrade: the image, and the version that it is to have. */
  image_id: Nullable<number>
  firmware_version: Nullable<string>
}

export interface DeviceLogTable {
  account_id: number
  device_id: number
  device_log_id: ReadOnly<number>
  at: Instant
  level: 'info' | 'warning' | 'error'
  event: string
  detail: string
}
