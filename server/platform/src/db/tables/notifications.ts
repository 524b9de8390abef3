import type { Preferences } from '@sightline/contract/preferences'
import type { Instant, NullableInstant } from '../instant.ts'
import type { Json, Nullable } from './column-kinds.ts'

export interface NotificationSettingsTable {
  account_id: number
  user_id: number
  type: 'cameraDown'
  enabled: boolean
  alert_by_email: boolean
  alert_by_push: boolean
  alert_delay_minutes: number
  /** 0: never. */
  alert_repeat_minutes: number
}

export interface CameraMaintenanceTable {
  account_id: number
  camera_id: number
  /** Null: until changed. */
  until: NullableInstant
}

export interface PushDevicesTable {
  account_id: number
  push_device_id: number
  user_id: number
  platform: 'web'
  endpoint_sha256: Buffer
  subscription_sealed: Buffer
  app_version: Nullable<string>
  locale: Nullable<string>
  created_at: Instant
  seen_at: Instant
  tested_at: NullableInstant
}

export interface PushMessagesTable {
  account_id: number
  push_message_id: number
  push_device_id: number
  content_sealed: Buffer
  topic: string
  give_up_at: Instant
}

/** Who was notified that a camera is offline, and since when. */
export interface CameraAlertsTable {
  account_id: number
  user_id: number
  camera_id: number
  offline_since: Instant
  told_at: Instant
}

/** The version of its brand's subscription agreement that a user accepted. */
export interface AgreementsTable {
  account_id: number
  user_id: number
  version: string
  accepted_at: Instant
}

export interface UserPreferencesTable {
  account_id: number
  user_id: number
  preferences: Json<Preferences>
}
